import { html } from 'ghtml';
import { Type } from 'typebox';

import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { savedSearches } from '../../../watch/index.ts';
import { form, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { accountPage } from '../account/account-frame.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage, signInPath } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { visitorOf } from '../visitor.ts';
import type { SearchFormBody } from './search-form.ts';
import { mailLabels, readSearchForm, SearchForm, searchFields } from './search-form.ts';
import type { WatchTools } from './watch-frame.ts';
import { searchPagePath, watchPath } from './watch-frame.ts';

const newPath = `${watchPath}/new`;
/** As links of public pages name a search. */
const NewQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 1_000 })),
    category: Type.Optional(Type.String({ maxLength: 100 })),
    source: Type.Optional(Type.String({ maxLength: 1_000 })),
    language: Type.Optional(Type.String({ maxLength: 10 })),
    mode: Type.Optional(Type.String({ maxLength: 10 })),
  },
  { additionalProperties: true },
);

export function searchListPages(tools: WatchTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: watchPath,
      operationId: 'showSavedSearches',
      show: async ({ visitor }) => listPage(tools, visitor),
    }),
    defineMemberPage(tools, {
      path: newPath,
      operationId: 'showNewSavedSearch',
      query: NewQuery,
      show: async ({ visitor, query }) =>
        newPage(tools, visitor, { ...(query as SearchFormBody), wording: visitor.language }, null),
    }),
    defineMemberForm(tools, {
      path: newPath,
      operationId: 'createSavedSearchOnPage',
      body: SearchForm,
      problems: [conflict],
      show: async ({ visitor, body }) => {
        const settings = await readSearchForm(tools, body, visitor);
        const { id } = await savedSearches.createSearch(tools.watch, visitor.account.id, settings);
        return { to: searchPagePath(id) };
      },
      refused: async ({ visitor, body }, problem) => newPage(tools, visitor, body, problem),
    }),
    exportRoute(tools),
  ];
}

/** The searches as the API describes them, to be saved elsewhere. */
function exportRoute({ identity, pages, watch }: WatchTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${watchPath}/export`,
    surface: pages,
    operationId: 'exportSavedSearches',
    tag: 'pages',
    summary: 'The saved searches of the account, as one JSON document.',
    responses: {
      200: {
        description: 'The document.',
        schema: Type.Object({ savedSearches: Type.Array(Type.Object({})) }),
      },
      303: { description: 'Sign in first.' },
    },
    problems: [],
    handle: async ({ request, reply }) => {
      reply.header('cache-control', 'no-store');
      const visitor = await visitorOf(identity, request);
      if (visitor === null) return reply.code(303).header('location', signInPath(request)).send();
      const found = await savedSearches.selectSearches(watch.database, visitor.account.id);
      return reply
        .header('content-disposition', 'attachment; filename="daybook-saved-searches.json"')
        .send({ savedSearches: found.map(savedSearches.presentSearch) });
    },
  });
}

async function listPage(tools: WatchTools, visitor: Visitor): Promise<PersonalPage> {
  const { watch, identity } = tools;
  const found = await savedSearches.selectSearches(watch.database, visitor.account.id);
  const actions = [
    buttonLink({ href: newPath, label: say('Save a search'), icon: 'plus', kind: 'primary' }),
    ...(found.length === 0
      ? []
      : [buttonLink({ href: `${watchPath}/export`, label: say('Export'), icon: 'download' })]),
  ].join('');
  const columns: readonly Column<savedSearches.SavedSearch>[] = [
    {
      label: say('Name'),
      place: 'main',
      cell: (search) =>
        html`<a class="name" href="${searchPagePath(search.id)}">${search.name}</a
          ><small>${queryText(search, visitor)}</small>`,
    },
    { label: say('E-mail'), place: 'also', cell: ({ mail }) => html`${mailLabels()[mail]}` },
    {
      label: say('Created'),
      place: 'low',
      cell: ({ createdAt }) => ago(createdAt, identity.clock.now(), visitor.language),
    },
  ];
  return accountPage(visitor, watchPath, {
    title: wordsOf(visitor.language).console.account.watch,
    lead: html`${say('New items that match are listed here, and sent by e-mail, private feed or webhook as you choose.')}`,
    actions,
    main: dataTable(visitor.language, {
      caption: say('Your saved searches.'),
      rows: found,
      columns,
      empty: {
        icon: 'search',
        title: say('You have no saved searches.'),
        text: say('Save words, a source or a category to be notified of new items.'),
        action: buttonLink({ href: newPath, label: say('Save a search'), icon: 'plus', kind: 'primary' }),
      },
    }),
  });
}

/** The query in one line. */
export function queryText({ query }: savedSearches.SavedSearch, { language }: Visitor): string {
  const { q, without, category, mode, minSources, hiddenSources, hiddenCategories } = query;
  const parts = [
    q ?? '',
    without === null ? '' : say('without {words}', { words: without }),
    category === null ? '' : (wordsOf(language).categories[category] ?? category),
    query.language ?? '',
    mode === 'selected' ? say('Selected items only') : '',
    minSources === 1 ? '' : say('at least {count} sources', { count: minSources }),
    hiddenSources.length + hiddenCategories.length === 0 ? '' : say('with hidden sources or categories'),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function newPage(
  tools: WatchTools,
  visitor: Visitor,
  filled: SearchFormBody,
  problem: ProblemError | null,
): PersonalPage {
  const title = say('Save a search');
  return accountPage(visitor, watchPath, {
    title,
    main: html`!${problemNotice(problem)}
    !${form({ action: newPath, submit: say('Save search'), fields: searchFields(tools, visitor, filled, problem) })}`,
  });
}
