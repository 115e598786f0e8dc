import { html } from 'ghtml';
import { Type } from 'typebox';

import type { Access } from '../../../access/index.ts';
import { callers, corePermissions, permissions } from '../../../access/index.ts';
import { agentActions } from '../../../agents/index.ts';
import type { credentials } from '../../../identity/index.ts';
import type { StorageDeps } from '../../../storage/index.ts';
import { projectActions } from '../../../storage/index.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';

export interface PlatformTools extends PersonalTools {
  readonly access: Access;
  /** Null where the installation stores no files. */
  readonly files: StorageDeps | null;
}

export const organizationParams = { org: Type.String({ minLength: 1, maxLength: 100 }) };
export const OrganizationParams = Type.Object(organizationParams);

const { apiTokenActions, groupActions, memberActions, organizationActions, policyActions } = corePermissions;

interface PlatformTabRule {
  readonly label: string;
  /** Of the resource below the organization; empty for the organization itself. */
  readonly kind: readonly string[];
  readonly read: permissions.Action;
  readonly create?: permissions.Action;
  readonly update?: permissions.Action;
  readonly delete?: permissions.Action;
}

/**
 * Visibility on the pages: tabs and lists require read access to the collection, forms the permission of their
 * action. The API requires the same; a test compares the two for each role and each single permission.
 */
export const platformTabs = {
  projects: { label: 'Projects', kind: ['projects'], ...projectActions },
  shared: { label: 'Shared with me', kind: [], read: organizationActions.read },
  members: { label: 'Members', kind: ['members'], ...memberActions },
  tokens: { label: 'Tokens', kind: ['api-tokens'], ...apiTokenActions },
  policies: { label: 'Policies', kind: ['policies'], ...policyActions },
  groups: { label: 'Groups', kind: ['groups'], ...groupActions },
  agents: { label: 'Agents', kind: ['agents'], ...agentActions },
  audit: { label: 'Audit log', kind: ['audit-events'], read: corePermissions.readAuditEvents },
  settings: { label: 'Settings', kind: [], ...organizationActions },
} as const satisfies Readonly<Record<string, PlatformTabRule>>;

export type PlatformTab = keyof typeof platformTabs;

export function platformPath(org: string, ...rest: readonly string[]): string {
  return ['/platform', org, ...rest]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

/** The visitor as a caller of the platform: with the same rights as with an access token. */
export function callerOfVisitor({ account, sessionId }: Visitor): callers.Caller {
  return callers.callerOfAccount(account, sessionId);
}

/** A visitor on the pages of an organization. */
export interface PlatformPlace {
  readonly tools: PlatformTools;
  readonly visitor: Visitor;
  readonly org: string;
}

/** Whether the visitor may act on a resource below the organization; the use case checks again. */
export type May = (action: permissions.Action, ...resource: readonly string[]) => boolean;

export async function mayIn({ access }: PlatformTools, visitor: Visitor, org: string): Promise<May> {
  const actor = await callers.authorizeOrganization(access, callerOfVisitor(visitor), org);
  return (action, ...resource) =>
    permissions.allows(actor.authority, action, permissions.resourceOf(org, ...resource));
}

/** The first page: the members or, for guests, who may not see them, the resources shared with them. */
export async function startPath(tools: PlatformTools, visitor: Visitor, org: string): Promise<string> {
  const may = await mayIn(tools, visitor, org);
  if (may(platformTabs.members.read, ...platformTabs.members.kind)) return platformPath(org, 'members');
  return platformPath(org, tools.files === null ? 'settings' : 'shared');
}

interface PlatformPage extends Pick<PersonalPage, 'title' | 'main'> {
  readonly org: string;
  readonly tab: PlatformTab;
}

/** The shared head of the organization pages. */
export async function platformPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, tab, title, main }: PlatformPage,
): Promise<PersonalPage> {
  const may = await mayIn(tools, visitor, org);
  const tabs = Object.entries(platformTabs).filter(
    ([name, { read, kind }]) =>
      may(read, ...kind) && (!['projects', 'shared'].includes(name) || tools.files !== null),
  );
  const membership = visitor.account.memberships.find(({ organizationKey }) => organizationKey === org);
  return {
    title,
    wide: true,
    main: html`<nav class="tabs" aria-label="Organization">
        <a class="here" href="/platform" title="All organizations">${membership?.organizationName ?? org}</a>
        !${tabs.map(
          ([name, { label }]) =>
            html`<a href="${platformPath(org, name)}" !${name === tab ? 'aria-current="page"' : ''}
              >${label}</a
            > `,
        )}
      </nav>
      <h1>${title}</h1>
      !${main}`,
  };
}

export const NumberParams = Type.Object({
  ...organizationParams,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const PageLinkQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2_000 })) });

/** Of a list with a search by name. */
export const FindQuery = Type.Object({
  ...PageLinkQuery.properties,
  query: Type.Optional(Type.String({ maxLength: 200 })),
});

/** The non-empty fields of a query: browsers also send empty ones. */
export function findOf({ cursor, query }: { readonly cursor?: string; readonly query?: string }) {
  return {
    ...(cursor !== undefined && { cursor }),
    ...(query !== undefined && query.trim() !== '' && { query: query.trim() }),
  };
}

export function findForm(query = ''): string {
  return html`<form method="get" class="row">
    <label for="query">Find</label>
    <input id="query" name="query" type="search" value="${query}" maxlength="200" />
    <button type="submit">Find</button>
  </form>`;
}

/** The link to the next page of a list, if any. */
export function olderLink(
  { hasMore, nextCursor }: { readonly hasMore: boolean; readonly nextCursor: string | null },
  filter: Readonly<Record<string, string>> = {},
  label = 'Older',
  parameter = 'cursor',
): string {
  if (!hasMore || nextCursor === null) return '';
  return html`<p>
    <a href="?${new URLSearchParams({ ...filter, [parameter]: nextCursor }).toString()}">${label}</a>
  </p>`;
}

/** The caller of a change, the organization, and the client address. */
export function changeOf(
  visitor: Visitor,
  platformKey: string,
  client: ReturnType<typeof credentials.clientOf>,
) {
  return { caller: callerOfVisitor(visitor), platformKey, client };
}

/** A list with one entry per line; blank lines are ignored. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
