import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import { bindingOf, readItemsPage, readItemsQuery, readPosition, spanOf } from '../../news/items/index.ts';
import { categories, recordCacheTags } from '../../record/index.ts';
import { hiddenNote } from './device-page.ts';
import type { ShownItem } from './news-parts.ts';
import { shownItems, timelineList } from './news-parts.ts';
import { otherLanguageList, readOtherLanguage } from './other-language.ts';
import type { PageContext } from './page-context.ts';
import { itemListHref } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const pageSize = 40;

const TimelineQuery = Type.Object(
  {
    mode: Type.Enum(['selected', 'all'], { default: 'selected' }),
    window: Type.Enum(['24h', '7d'], { default: '7d' }),
    category: Type.Optional(Type.Enum(['', ...categories])),
    /** `all`: all languages together; by default the language of the page. */
    language: Type.Optional(Type.Enum(['', ...readerLanguages, 'all'])),
    cursor: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

type RawQuery = Static<typeof TimelineQuery>;

/** Empty fields of a form are ignored. */
function chosen({ mode, window, category, language, cursor }: RawQuery): Omit<RawQuery, 'cursor'> & {
  readonly cursor: string | undefined;
} {
  return {
    mode,
    window,
    ...(category === undefined || category === '' ? {} : { category }),
    ...(language === undefined || language === '' || language === 'all' ? {} : { language }),
    cursor,
  };
}

export function timelinePage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/timeline',
    operationId: 'getTimelinePage',
    query: TimelineQuery,
    problems: [invalidCursor],
    freshness: 'minute',
    resource: ({ query: raw }, context) => {
      const { cursor, ...choice } = chosen(raw);
      const query = readItemsQuery(itemsQueryOf(choice, context));
      const position =
        cursor === undefined ? null : readPosition(cursor, query, spanOf(query.window, context.clock.now()));
      return {
        key: `timeline ${JSON.stringify([bindingOf(query), cursor ?? null])}`,
        cacheTags: [recordCacheTags.items, recordCacheTags.stories],
        build: async () => {
          const page = await readItemsPage(context, query, position, pageSize);
          const hasOthers = cursor === undefined && choice.language === undefined;
          const others = hasOthers ? await readOthers(choice, context) : [];
          return timeline({ page, others, choice, isLater: cursor !== undefined }, context);
        },
      };
    },
  });
}

type Choice = Omit<RawQuery, 'cursor'>;

function itemsQueryOf(
  { language, ...choice }: Choice,
  context: PageContext,
): Parameters<typeof readItemsQuery>[0] {
  const shown = context.mixesLanguages ? undefined : (language ?? context.language);
  const query = { ...choice, ...(shown === undefined ? {} : { language: shown }) };
  return { ...query, by: 'timeline', limit: pageSize } as Parameters<typeof readItemsQuery>[0];
}

function readOthers(choice: Choice, context: PageContext): Promise<readonly ShownItem[]> {
  return readOtherLanguage(context, async (language, count) => {
    const query = readItemsQuery(itemsQueryOf({ ...choice, language }, context));
    return shownItems((await readItemsPage(context, query, null, count)).items, context);
  });
}

interface Timeline {
  readonly page: Awaited<ReturnType<typeof readItemsPage>>;
  readonly others: readonly ShownItem[];
  readonly choice: Choice;
  readonly isLater: boolean;
}

async function timeline(
  { page, others, choice, isLater }: Timeline,
  context: PageContext,
): Promise<PublicPage> {
  const { words, href } = context;
  const items = await shownItems(page.items, context);
  const path = addressOf(choice);
  const feed = feedOf(page.query);
  const next = page.nextCursor === null ? null : addressOf({ ...choice, cursor: page.nextCursor });
  return {
    title: words.timeline.title,
    description: words.description,
    path,
    section: 'timeline',
    width: 'wide',
    updatedAt: isLater ? null : (items[0]?.key ?? null),
    isUnlisted: path !== '/timeline' || isLater,
    feeds: [{ title: `Daybook: ${words.timeline.selected}`, path: feed }],
    main: html`<h1>${words.timeline.title}</h1>
      !${filterForm(choice, context)}
      <p class="fresh" aria-live="polite">
        !${
          isLater || choice.category !== undefined || choice.language !== undefined
            ? ''
            : html`<a
                href="${href(path)}"
                data-new-items="${itemListHref(`/api/v1/items?mode=${choice.mode}`, context)}"
                hidden
              ></a>`
        }
      </p>
      !${hiddenNote(context)}
      <div class="reading">
        !${
          items.length === 0
            ? html`<p class="empty">${words.timeline.none}</p>`
            : timelineList(items, context, { level: 2 })
        }
      </div>
      <nav class="pager" aria-label="${words.timeline.title}">
        !${isLater ? html`<a href="${href(path)}">${words.timeline.newest}</a>` : ''}
        !${next === null ? '' : html`<a class="button" href="${href(next)}" rel="next">${words.timeline.older}</a>`}
        <a href="${feed}">${words.timeline.subscribe}</a>
      </nav>
      !${otherLanguageList(others, path, context)}`,
  };
}

/** The same query as a feed, without its defaults. */
function feedOf({ mode, category, language, window }: Timeline['page']['query']): string {
  const parameters = new URLSearchParams({
    ...(mode === 'selected' ? {} : { mode }),
    ...(category === null ? {} : { category }),
    ...(language === null ? {} : { language }),
    ...(window === '7d' ? {} : { window }),
  }).toString();
  return parameters === '' ? '/feeds/selected.atom' : `/feeds/items.atom?${parameters}`;
}

function addressOf(choice: Choice & { readonly cursor?: string }): string {
  const parameters = new URLSearchParams();
  if (choice.mode !== 'selected') parameters.set('mode', choice.mode);
  if (choice.window !== '7d') parameters.set('window', choice.window);
  if (choice.category !== undefined) parameters.set('category', choice.category);
  if (choice.language !== undefined) parameters.set('language', choice.language);
  if (choice.cursor !== undefined) parameters.set('cursor', choice.cursor);
  return parameters.size === 0 ? '/timeline' : `/timeline?${parameters.toString()}`;
}

/** Links for the two common choices, a small form for the rest; both work without script. */
function filterForm(choice: Choice, { words, canonicalHref, language, mixesLanguages }: PageContext): string {
  const { timeline: messages, categories: names, sourcesPage } = words;
  const option = (value: string, label: string, isChosen: boolean): string =>
    html`<option value="${value}" !${isChosen ? 'selected' : ''}>${label}</option>`;
  const select = (name: string, label: string, options: readonly string[]): string =>
    html`<label
      ><span>${label}</span
      ><select name="${name}">
        !${options}
      </select></label
    >`;
  const shown = mixesLanguages ? 'all' : (choice.language ?? language);
  return html`<form class="filters" action="${canonicalHref('/timeline')}">
    !${select('mode', messages.set, [
      option('selected', messages.selected, choice.mode === 'selected'),
      option('all', messages.all, choice.mode === 'all'),
    ])}
    !${select('window', messages.span, [
      option('24h', messages.day, choice.window === '24h'),
      option('7d', messages.week, choice.window === '7d'),
    ])}
    !${select('category', messages.category, [
      option('', messages.anyCategory, choice.category === undefined),
      ...categories.map((one) => option(one, names[one] ?? one, choice.category === one)),
    ])}
    !${select('language', messages.itemLanguage, [
      ...readerLanguages.map((one) => option(one, sourcesPage.languages[one] ?? one, shown === one)),
      option('all', messages.anyLanguage, shown === 'all'),
    ])}
    <button>${messages.show}</button>
  </form>`;
}
