import { html } from 'ghtml';

import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { savedSearches } from '../../../watch/index.ts';
import { scripts } from '../../shell/assets.ts';
import { confirmedForm, form, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { accountPage } from '../account/account-frame.ts';
import { ago } from '../components/moments.ts';
import { card, emptyState, rows } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { deliverySections } from './delivery-sections.ts';
import type { SearchFormBody } from './search-form.ts';
import { filledForm, readSearchForm, SearchForm, searchFields } from './search-form.ts';
import { queryText } from './search-list-page.ts';
import type { WatchTools } from './watch-frame.ts';
import { SearchParams, searchPagePath, watchPath } from './watch-frame.ts';

const matchesShown = 30;

export function searchPages(tools: WatchTools): readonly RouteDeclaration[] {
  const { watch } = tools;
  const one = { path: searchPagePath('{id}'), params: SearchParams, problems: [notFound] };
  return [
    defineMemberPage(tools, {
      ...one,
      operationId: 'showSavedSearch',
      show: async ({ visitor, params }) => showSearch(tools, visitor, params.id),
    }),
    defineMemberForm(tools, {
      ...one,
      operationId: 'changeSavedSearchOnPage',
      body: SearchForm,
      show: async ({ visitor, params, body }) => {
        const settings = await readSearchForm(tools, body, visitor);
        const changed = await savedSearches.changeSearch(watch, visitor.account.id, params.id, settings);
        if (changed === null) throw new ProblemError(notFound, say('Saved search not found.'));
        return { to: searchPagePath(params.id) };
      },
      refused: async ({ visitor, params, body }, problem) =>
        showSearch(tools, visitor, params.id, { filled: body, problem }),
    }),
    defineMemberForm(tools, {
      ...one,
      path: `${one.path}/delete`,
      operationId: 'deleteSavedSearchOnPage',
      show: async ({ visitor, params }) => {
        await savedSearches.removeSearch(watch, visitor.account.id, params.id);
        return { to: watchPath };
      },
    }),
  ];
}

export interface SearchPageOptions {
  /** HTML above everything, such as a secret that is shown once. */
  readonly news?: string;
  readonly filled?: SearchFormBody;
  readonly problem?: ProblemError;
}

export async function showSearch(
  tools: WatchTools,
  visitor: Visitor,
  id: string,
  { news = '', filled, problem }: SearchPageOptions = {},
): Promise<PersonalPage> {
  const { watch } = tools;
  const search = await savedSearches.requireSearch(watch, visitor.account.id, id);
  const path = searchPagePath(search.id);
  const isRefused = filled !== undefined;
  const settings = form({
    action: path,
    submit: say('Save changes'),
    fields: searchFields(tools, visitor, filled ?? (await filledForm(tools, search)), problem ?? null),
  });
  return accountPage(visitor, watchPath, {
    title: search.name,
    lead: html`${queryText(search, visitor)}`,
    main: html`!${news} !${problemNotice(problem)} !${await matchesCard(tools, visitor, search)}
      !${await deliverySections(tools, visitor, search)}
      !${card({
        title: say('Search'),
        content: html`<details !${isRefused ? 'open' : ''}>
          <summary>${say('Change the search')}</summary>
          !${settings}
        </details>`,
        isPadded: true,
      })}
      !${await frontPageChoice(tools, visitor)}
      <p class="aside">
        !${confirmedForm(say('Delete search'), {
          action: `${path}/delete`,
          submit: say('Delete {name}', { name: search.name }),
          dangerous: true,
        })}
      </p>`,
  });
}

/** Tells the script of this browser whether the front page is to show matches. */
async function frontPageChoice({ watch }: WatchTools, { account }: Visitor): Promise<string> {
  const searches = await savedSearches.selectSearches(watch.database, account.id);
  const isOn = searches.some(({ onFrontPage }) => onFrontPage);
  return html`<span data-front-page="${isOn ? 'on' : 'off'}" hidden></span>
    <script src="${scripts.watch.path}" defer></script>`;
}

async function matchesCard(
  { watch, identity }: WatchTools,
  { language }: Visitor,
  search: savedSearches.SavedSearch,
): Promise<string> {
  const matches = await savedSearches.newestMatches(watch.database, [search.id], matchesShown);
  const found = await savedSearches.readMatchedItems(watch, matches, search.wording);
  const now = identity.clock.now();
  const content =
    found.length === 0
      ? emptyState({
          icon: 'search',
          title: say('No item matches yet.'),
          text: say('New items are matched within seconds.'),
        })
      : rows(
          found.map(({ item, createdAt }) => ({
            title: item.title,
            href: item.links.item,
            text: html`${item.source.name} · !${ago(createdAt, now, language)}`,
          })),
        );
  return card({ title: say('Newest matches'), content });
}
