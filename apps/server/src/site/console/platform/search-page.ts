import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { hidden } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { accountPage, accountSections } from '../account/account-frame.ts';
import type { IconName } from '../components/icons.ts';
import { icon } from '../components/icons.ts';
import { emptyState } from '../components/parts.ts';
import { defineMemberPage } from '../console-route.ts';
import { searchPath } from '../frame/console-frame.ts';
import type { Visitor } from '../visitor.ts';
import { listThings } from './listed-things.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import { navigationOf, platformPage, platformPath, startPath } from './platform-frame.ts';

const SearchQuery = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 200 })),
  org: Type.Optional(Type.String({ maxLength: 100 })),
});

/** Of each kind; a longer name finds fewer. */
const foundMax = 5;

interface Found {
  readonly href: string;
  readonly label: string;
  /** What it is. */
  readonly kind: string;
  readonly icon: IconName;
}

/** Pages and resources by name, as far as the visitor may see them. The command palette shows the same list. */
export function searchPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: searchPath,
    operationId: 'searchConsole',
    query: SearchQuery,
    problems: [notFound],
    show: async ({ visitor, query: { query = '', org = '' } }) => {
      const isMember = visitor.account.memberships.some(({ organizationKey }) => organizationKey === org);
      const text = query.trim();
      const found = [
        ...(isMember ? await foundIn({ tools, visitor, org }, text) : []),
        ...pagesOfAccount(visitor, text),
      ];
      const main = listOf(found, text, org);
      const title = say('Search');
      return isMember
        ? platformPage(tools, visitor, { org, tab: 'overview', title, main })
        : accountPage(visitor, '/account', { title, main });
    },
  });
}

function includes(label: string, text: string): boolean {
  return label.toLocaleLowerCase('en').includes(text.toLocaleLowerCase('en'));
}

function pagesOfAccount({ language }: Visitor, text: string): readonly Found[] {
  const words = wordsOf(language).console;
  return accountSections
    .map(([href, name, of]) => ({ href, label: words.account[name], kind: words.groups.account, icon: of }))
    .filter(({ label }) => includes(label, text));
}

/** The tab of a kind of resource, and the path of one of them. */
const kinds = [
  ['members', 'members'],
  ['projects', 'projects'],
  ['api-tokens', 'tokens'],
  ['groups', 'groups'],
  ['policies', 'policies'],
  ['agents', 'agents'],
] as const;

async function foundIn(place: PlatformPlace, text: string): Promise<readonly Found[]> {
  const { tools, visitor, org } = place;
  const words = wordsOf(visitor.language).console;
  await startPath(tools, visitor, org);
  const groups = await navigationOf(tools, visitor, org, 'overview');
  const pages = groups
    .flatMap(({ items }) => items)
    .map(({ href, label, icon: of }) => ({ href, label, kind: say('Page'), icon: of }))
    .filter(({ label }) => includes(label, text));
  if (text === '') return pages;
  const found: Found[] = [...pages];
  for (const [kind, tab] of kinds) {
    const { things } = await listThings(place, kind, text);
    const matching = things.filter(({ id, label }) => includes(label, text) || includes(id, text));
    for (const { id, label } of matching.slice(0, foundMax))
      found.push({ href: platformPath(org, tab, id), label, kind: words.sections[tab], icon: iconOf[tab] });
  }
  return found;
}

const iconOf = {
  members: 'users',
  projects: 'folder',
  tokens: 'key',
  groups: 'layers',
  policies: 'shield',
  agents: 'agent',
} as const satisfies Readonly<Record<string, IconName>>;

function listOf(found: readonly Found[], text: string, org: string): string {
  const list =
    found.length === 0
      ? emptyState({ icon: 'search', title: say('No matches.') })
      : html`<ul class="rows">
          !${found.map(
            ({ href, label, kind, icon: of }) =>
              html`<li>
                <a href="${href}">!${icon(of)}<span class="grow">${label}</span><small>${kind}</small></a>
              </li>`,
          )}
        </ul>`;
  return html`<form method="get" class="filters toolbar" role="search">
      !${org === '' ? '' : hidden('org', org)}
      <div class="find">
        !${icon('search')}
        <input
          type="search"
          name="query"
          value="${text}"
          maxlength="200"
          aria-label="${say('Search pages, members, projects and tokens')}"
          placeholder="${say('Search pages, members, projects and tokens')}"
        />
      </div>
      <button type="submit">${say('Search')}</button>
    </form>
    <section class="card" data-found>!${list}</section>`;
}
