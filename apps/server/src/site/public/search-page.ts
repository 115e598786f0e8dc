import { html } from 'ghtml';
import { Type } from 'typebox';

import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { bindingOf, readItemsPage, readItemsQuery, readPosition, spanOf } from '../../news/items/index.ts';
import { items, recordCacheTags } from '../../record/index.ts';
import { shownItems, timelineList } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const pageSize = 30;

const SearchQuery = Type.Object(
  {
    q: Type.Optional(Type.String()),
    mode: Type.Enum(['selected', 'all'], { default: 'all' }),
    cursor: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

export function searchPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/search',
    operationId: 'getSearchPage',
    query: SearchQuery,
    problems: [invalidCursor],
    freshness: 'minute',
    resource: ({ query: { q = '', mode, cursor } }, context) => {
      if (q.trim() === '') return { key: 'search', cacheTags: [], build: async () => emptySearch(context) };
      const query = readItemsQuery({ mode, window: '7d', by: 'timeline', q, limit: pageSize });
      const position =
        cursor === undefined ? null : readPosition(cursor, query, spanOf('7d', context.clock.now()));
      return {
        key: `search ${JSON.stringify([bindingOf(query), cursor ?? null])}`,
        cacheTags: [recordCacheTags.items, recordCacheTags.stories],
        build: async () => {
          const page = await readItemsPage(context, query, position, pageSize);
          return results(page, query.q ?? '', mode, context);
        },
      };
    },
  });
}

function emptySearch(context: PageContext): PublicPage {
  const { words } = context;
  return {
    title: words.search.title,
    description: words.search.hint,
    path: '/search',
    width: 'wide',
    main: html`<h1>${words.search.title}</h1>
      !${searchForm('', 'all', context)}
      <p class="hint">${words.search.hint}</p>`,
  };
}

async function results(
  page: Awaited<ReturnType<typeof readItemsPage>>,
  q: string,
  mode: 'selected' | 'all',
  context: PageContext,
): Promise<PublicPage> {
  const { words, href } = context;
  const items = await shownItems(page.items, context);
  const address = (cursor: string | null): string =>
    `/search?${new URLSearchParams({ q, ...(mode === 'all' ? {} : { mode }), ...(cursor === null ? {} : { cursor }) }).toString()}`;
  const found =
    items.length === 0 ? words.search.none : words.search.found(items.length, page.nextCursor !== null);
  return {
    title: `${words.search.title}: ${q}`,
    description: found,
    path: address(null),
    width: 'wide',
    isUnlisted: true,
    feeds: [{ title: `Daybook: ${q}`, path: `/feeds/search.atom?q=${encodeURIComponent(q)}` }],
    main: html`<h1>${words.search.title}</h1>
      !${searchForm(q, mode, context)}
      <p class="found" role="status">${found}</p>
      <div class="reading">!${timelineList(items, context, { marked: markerOf(q), level: 2 })}</div>
      !${
        page.nextCursor === null
          ? ''
          : html`<nav class="pager" aria-label="${words.search.title}">
              <a class="button" href="${href(address(page.nextCursor))}" rel="next"
                >${words.timeline.older}</a
              >
            </nav>`
      }`,
  };
}

function searchForm(q: string, mode: 'selected' | 'all', { words, href }: PageContext): string {
  return html`<form class="row search-form" action="${href('/search')}">
    <label class="hidden" for="q">${words.nav.search}</label>
    <input
      id="q"
      type="search"
      name="q"
      value="${q}"
      !${q === '' ? 'autofocus' : ''}
      minlength="2"
      maxlength="200"
      required
      placeholder="${words.search.placeholder}"
    />
    <label class="choice"
      ><input type="checkbox" name="mode" value="selected" !${mode === 'selected' ? 'checked' : ''} />
      ${words.search.selectedOnly}</label
    >
    <button>${words.nav.search}</button>
  </form>`;
}

/** Marks search terms. The text is split first and each piece escaped, so no markup can arise from it. */
export function markerOf(q: string): (text: string) => string {
  const terms = items.searchTermsOf(q).map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (terms.length === 0) return (text) => html`${text}`;
  const pattern = new RegExp(`(${terms.join('|')})`, 'iu');
  return (text) =>
    text
      .split(new RegExp(pattern, 'giu'))
      .map((piece, index) => (index % 2 === 1 ? html`<mark>${piece}</mark>` : html`${piece}`))
      .join('');
}
