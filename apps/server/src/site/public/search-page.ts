import { html } from 'ghtml';
import { Type } from 'typebox';

import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { searchTermsOf } from '../../foundation/search-text.ts';
import { bindingOf, readItemsPage, readItemsQuery, readPosition, spanOf } from '../../news/items/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { watchMail } from '../../watch/index.ts';
import type { ShownItem } from './news-parts.ts';
import { shownItems, timelineList } from './news-parts.ts';
import { languageField, otherLanguageList, readOtherLanguage } from './other-language.ts';
import type { PageContext } from './page-context.ts';
import { itemListHref } from './page-context.ts';
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
      const asked = { mode, window: '7d', by: 'timeline', q, limit: pageSize } as const;
      const query = readItemsQuery(context.mixesLanguages ? asked : { ...asked, language: context.language });
      const position =
        cursor === undefined ? null : readPosition(cursor, query, spanOf('7d', context.clock.now()));
      return {
        key: `search ${JSON.stringify([bindingOf(query), cursor ?? null])}`,
        cacheTags: [recordCacheTags.items, recordCacheTags.stories],
        build: async () => {
          const page = await readItemsPage(context, query, position, pageSize);
          const others = position === null ? await readOthers(query, context) : [];
          return results({ page, others, q: query.q ?? '', mode }, context);
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

type Found = Awaited<ReturnType<typeof readItemsPage>>;

function readOthers(query: Found['query'], context: PageContext): Promise<readonly ShownItem[]> {
  return readOtherLanguage(context, async (language, count) =>
    shownItems((await readItemsPage(context, { ...query, language }, null, count)).items, context),
  );
}

interface Results {
  readonly page: Found;
  readonly others: readonly ShownItem[];
  readonly q: string;
  readonly mode: 'selected' | 'all';
}

async function results({ page, others, q, mode }: Results, context: PageContext): Promise<PublicPage> {
  const { words, href } = context;
  const items = await shownItems(page.items, context);
  const address = (cursor: string | null): string =>
    `/search?${new URLSearchParams({ q, ...(mode === 'all' ? {} : { mode }), ...(cursor === null ? {} : { cursor }) }).toString()}`;
  const found =
    items.length > 0
      ? words.search.found(items.length, page.nextCursor !== null)
      : others.length > 0
        ? words.search.noneInLanguage
        : words.search.none;
  const feed = itemListHref(`/feeds/search.atom?q=${encodeURIComponent(q)}`, context);
  return {
    title: `${words.search.title}: ${q}`,
    description: found,
    path: address(null),
    width: 'wide',
    isUnlisted: true,
    feeds: [{ title: `Daybook: ${q}`, path: feed }],
    main: html`<h1>${words.search.title}</h1>
      !${searchForm(q, mode, context)}
      <p class="found" role="status">${found} !${saveLink(q, mode, context)}</p>
      <div class="reading">!${timelineList(items, context, { marked: markerOf(q), level: 2 })}</div>
      !${
        page.nextCursor === null
          ? ''
          : html`<nav class="pager" aria-label="${words.search.title}">
              <a class="button" href="${href(address(page.nextCursor))}" rel="next"
                >${words.timeline.older}</a
              >
            </nav>`
      }
      !${otherLanguageList(others, address(null), context, markerOf(q))}`,
  };
}

/** The same query as the page, in all languages. */
function saveLink(q: string, mode: 'selected' | 'all', { words, savesSearches }: PageContext): string {
  if (!savesSearches) return '';
  const query = new URLSearchParams({ q, ...(mode === 'all' ? {} : { mode }) }).toString();
  return html`<a href="${watchMail.watchPaths.manage}/new?${query}">${words.search.save}</a>`;
}

function searchForm(q: string, mode: 'selected' | 'all', context: PageContext): string {
  const { words, canonicalHref } = context;
  return html`<form class="row search-form" action="${canonicalHref('/search')}">
    !${languageField(context)}
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
  const terms = searchTermsOf(q).map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (terms.length === 0) return (text) => html`${text}`;
  const pattern = new RegExp(`(${terms.join('|')})`, 'iu');
  return (text) =>
    text
      .split(new RegExp(pattern, 'giu'))
      .map((piece, index) => (index % 2 === 1 ? html`<mark>${piece}</mark>` : html`${piece}`))
      .join('');
}
