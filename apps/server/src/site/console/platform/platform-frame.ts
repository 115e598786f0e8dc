import { Type } from 'typebox';

import type { Access } from '../../../access/index.ts';
import { callers, corePermissions, permissions } from '../../../access/index.ts';
import { agentActions } from '../../../agents/index.ts';
import type { credentials } from '../../../identity/index.ts';
import { deskActions } from '../../../newsroom/desk/index.ts';
import type { StorageDeps } from '../../../storage/index.ts';
import { storageActions } from '../../../storage/index.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { IconName } from '../components/icons.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import type { ConsolePlace, Link, NavigationGroup, NavigationItem } from '../frame/console-frame.ts';
import type { Visitor } from '../visitor.ts';

export interface PlatformTools extends PersonalTools {
  readonly access: Access;
  /** Null where the installation stores no files. */
  readonly files: StorageDeps | null;
  /** The key of the organization that owns the newsroom; absent where there is no desk. */
  readonly newsroomOrganization?: string | null;
}

/** Whether the organization owns the newsroom of the installation. */
export function isNewsroom({ newsroomOrganization = null }: PlatformTools, org: string): boolean {
  return newsroomOrganization === org;
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
  overview: { label: 'Overview', kind: ['members'], read: memberActions.read },
  projects: { label: 'Projects', kind: ['projects'], ...storageActions.projectActions },
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

export function organizationName({ account }: Visitor, org: string): string {
  return account.memberships.find(({ organizationKey }) => organizationKey === org)?.organizationName ?? org;
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

/** The first page: the overview or, for guests, the resources shared with them. */
export async function startPath(tools: PlatformTools, visitor: Visitor, org: string): Promise<string> {
  const may = await mayIn(tools, visitor, org);
  if (may(platformTabs.members.read, ...platformTabs.members.kind)) return platformPath(org);
  return platformPath(org, tools.files === null ? 'settings' : 'shared');
}

interface PlatformPage
  extends Pick<PersonalPage, 'title' | 'main'>, Pick<ConsolePlace, 'lead' | 'actions' | 'tabs'> {
  readonly org: string;
  readonly tab: PlatformTab | 'desk';
  /** Of the desk. */
  readonly deskSection?: DeskSection;
  /** Between the organization and the page. */
  readonly crumbs?: readonly Link[];
}

type DeskSection = 'queue' | 'items' | 'stories' | 'editions' | 'sources' | 'journal' | 'operations';

const deskIcons = {
  queue: 'desk',
  items: 'doc',
  stories: 'link',
  editions: 'layers',
  sources: 'globe',
  journal: 'clock',
  operations: 'pulse',
} as const;

/** The sections of the desk, for members of the organization that owns the newsroom. */
function deskItems(tools: PlatformTools, org: string, may: May, language: Visitor['language']) {
  if (!isNewsroom(tools, org) || !may(deskActions.queue.read, 'newsroom', 'queue')) return [];
  const words = wordsOf(language).console.desk;
  return (['queue', 'items', 'stories', 'editions', 'sources', 'journal', 'operations'] as const)
    .filter((name) => may(deskActions[name].read, 'newsroom', name))
    .map((name) => ({
      name,
      href: name === 'queue' ? '/desk' : `/desk/${name}`,
      label: words.sections[name],
      icon: deskIcons[name],
    }));
}

const icons: Readonly<Record<PlatformTab, IconName>> = {
  overview: 'home',
  agents: 'agent',
  projects: 'folder',
  shared: 'folder',
  members: 'users',
  groups: 'layers',
  tokens: 'key',
  policies: 'shield',
  audit: 'pulse',
  settings: 'sliders',
};

/** The order never changes; sections that the visitor may not read are left out. */
const sections: readonly (readonly [
  label: 'access' | 'organization' | null,
  tabs: readonly PlatformTab[],
])[] = [
  [null, ['overview', 'agents', 'projects', 'shared']],
  ['access', ['members', 'groups', 'tokens', 'policies']],
  ['organization', ['audit', 'settings']],
];

/** The sections that the visitor may read. */
export async function navigationOf(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  tab: PlatformPage['tab'],
  deskSection: DeskSection | null = null,
): Promise<readonly NavigationGroup[]> {
  const may = await mayIn(tools, visitor, org);
  const words = wordsOf(visitor.language).console;
  const isShown = (name: PlatformTab): boolean => {
    const { read, kind } = platformTabs[name];
    return may(read, ...kind) && (!['projects', 'shared'].includes(name) || tools.files !== null);
  };
  const groups: NavigationGroup[] = sections
    .map(([label, tabs]) => ({
      ...(label !== null && { label: words.groups[label] }),
      items: tabs.filter(isShown).map((name) => ({
        href: name === 'overview' ? platformPath(org) : platformPath(org, name),
        label: words.sections[name],
        icon: icons[name],
        isCurrent: name === tab,
        isSub: name === 'shared' && isShown('projects'),
      })),
    }))
    .filter(({ items }) => items.length > 0);
  const desk = deskItems(tools, org, may, visitor.language).map(({ name, ...item }) => ({
    ...item,
    isCurrent: name === deskSection,
  }));
  if (desk.length > 0) groups.splice(1, 0, { label: words.groups.newsroom, items: desk });
  return groups;
}

/** A page of an organization, in the frame of the console. */
export async function platformPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, tab, deskSection, title, main, crumbs = [], ...head }: PlatformPage,
): Promise<PersonalPage> {
  const words = wordsOf(visitor.language).console;
  const groups = await navigationOf(tools, visitor, org, tab, deskSection);
  const membership = visitor.account.memberships.find(({ organizationKey }) => organizationKey === org);
  const name = organizationName(visitor, org);
  const all = groups.flatMap(({ items }) => items);
  const section = all.find(({ isCurrent }) => isCurrent === true);
  const isSection = section === undefined || section.label === title || tab === 'overview';
  const place = {
    groups,
    bottom: bottomOf(groups, deskSection !== undefined ? words.groups.newsroom : undefined),
    organization: { key: org, name, role: words.roles[membership?.role ?? ''] ?? '' },
    crumbs: [{ href: platformPath(org), label: name }, ...(isSection ? [] : [section]), ...crumbs],
    ...head,
  };
  return { title, main, place };
}

/** On pages of the desk, its sections come first. */
function bottomOf(groups: readonly NavigationGroup[], first: string | undefined): readonly NavigationItem[] {
  return groups
    .toSorted((one, other) => Number(other.label === first) - Number(one.label === first))
    .flatMap(({ items }) => items)
    .filter(({ isSub }) => isSub !== true);
}

export const NumberParams = Type.Object({
  ...organizationParams,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const PageLinkQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2_000 })) });

/** Of a page with a dialog that creates something. */
export const NewQuery = Type.Object({ new: Type.Optional(Type.Literal('1')) });

/** Of a list with a search by name, and a dialog. */
export const FindQuery = Type.Object({
  ...PageLinkQuery.properties,
  ...NewQuery.properties,
  query: Type.Optional(Type.String({ maxLength: 200 })),
});

/** The non-empty fields of a query: browsers also send empty ones. */
export function findOf({
  cursor,
  query,
  ...rest
}: {
  readonly cursor?: string;
  readonly query?: string;
  readonly new?: '1';
}) {
  return {
    isCreating: rest.new !== undefined,
    ...(cursor !== undefined && { cursor }),
    ...(query !== undefined && query.trim() !== '' && { query: query.trim() }),
  };
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
