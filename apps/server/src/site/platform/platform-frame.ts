import { html } from 'ghtml';
import { Type } from 'typebox';

import type { Access } from '../../access/index.ts';
import { callers } from '../../access/index.ts';
import type { credentials } from '../../identity/index.ts';
import type { PersonalPage, PersonalTools } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';

export interface PlatformTools extends PersonalTools {
  readonly access: Access;
}

export const organizationParams = { org: Type.String({ minLength: 1, maxLength: 100 }) };
export const OrganizationParams = Type.Object(organizationParams);

const tabs = [
  ['tokens', 'Tokens'],
  ['policies', 'Policies'],
  ['groups', 'Groups'],
  ['agents', 'Agents'],
] as const;

export type PlatformTab = (typeof tabs)[number][0];

export function platformPath(org: string, ...rest: readonly string[]): string {
  return ['/platform', org, ...rest]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

/** The visitor as the platform knows callers: with the same rights as with an access token. */
export function callerOfVisitor({ account, sessionId }: Visitor): callers.Caller {
  return callers.callerOfAccount(account, sessionId);
}

/** The same head over every page of an organization. */
export function platformPage(
  { org, tab }: { readonly org: string; readonly tab: PlatformTab },
  page: Pick<PersonalPage, 'title' | 'main'>,
): PersonalPage {
  return {
    title: page.title,
    wide: true,
    scripts: ['/site.js'],
    main: html`<nav class="tabs" aria-label="Organization">
        <a class="here" href="/platform">${org}</a>
        !${tabs.map(
          ([name, label]) =>
            html`<a href="${platformPath(org, name)}" !${name === tab ? 'aria-current="page"' : ''}
              >${label}</a
            > `,
        )}
      </nav>
      <h1>${page.title}</h1>
      !${page.main}`,
  };
}

export const NumberParams = Type.Object({
  ...organizationParams,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const PageLinkQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 500 })) });

/** To the next page of a list, where there is one. */
export function olderLink(
  { hasMore, nextCursor }: { readonly hasMore: boolean; readonly nextCursor: string | null },
  filter: Readonly<Record<string, string>> = {},
): string {
  if (!hasMore || nextCursor === null) return '';
  return html`<p>
    <a href="?${new URLSearchParams({ ...filter, cursor: nextCursor }).toString()}">Older</a>
  </p>`;
}

/** Who asks for a change, where, and from what address. */
export function changeOf(
  visitor: Visitor,
  platformKey: string,
  client: ReturnType<typeof credentials.clientOf>,
) {
  return { caller: callerOfVisitor(visitor), platformKey, client };
}

/** A list that is filled in one entry to a line; blank lines say nothing. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
