import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import type { CalendarMonth } from '../../foundation/calendar/calendar-month.ts';
import {
  addMonths,
  calendarMonthOf,
  firstDayOfMonth,
  lastDayOfMonth,
  parseCalendarMonth,
} from '../../foundation/calendar/calendar-month.ts';
import { shanghaiDateOf } from '../../foundation/calendar/shanghai-time.ts';
import { encodeCursor } from '../../foundation/cursor.ts';
import { invalidCursor, invalidRequest } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ArchivePage, ArchiveQuery } from '../../news/archive/index.ts';
import {
  archiveBindingOf,
  readArchive,
  readArchivePosition,
  readArchiveQuery,
} from '../../news/archive/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { dayTable } from './edition-calendar.ts';
import type { ShownItem } from './news-parts.ts';
import { shownItems, timelineList } from './news-parts.ts';
import { languageField, otherLanguageList, readOtherLanguage } from './other-language.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { markerOf } from './search-page.ts';

const pageSize = 40;
const path = '/archive';

const ArchivePageQuery = Type.Object(
  {
    month: Type.Optional(Type.String()),
    date: Type.Optional(Type.String()),
    q: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

/** What the reader chose: a day, a month, or words in the whole archive. */
interface Choice {
  readonly month: CalendarMonth;
  readonly isThisMonth: boolean;
  readonly date: CalendarDate | null;
  readonly query: ArchiveQuery;
  readonly isLater: boolean;
}

export function archivePage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path,
    operationId: 'getArchivePage',
    query: ArchivePageQuery,
    problems: [invalidCursor],
    freshness: 'minute',
    resource: ({ query: given }, context) => {
      const choice = readChoice(given, context);
      const position = given.cursor === undefined ? null : readArchivePosition(given.cursor, choice.query);
      return {
        key: `archive ${JSON.stringify([archiveBindingOf(choice.query), choice.month, given.cursor ?? null])}`,
        cacheTags: [recordCacheTags.items, recordCacheTags.stories],
        build: async () => {
          const found = await readArchive(context, choice.query, position, pageSize);
          const others = position === null ? await readOthers(choice.query, context) : [];
          return presented(choice, found, others, context);
        },
      };
    },
  });
}

function readOthers(query: ArchiveQuery, context: PageContext): Promise<readonly ShownItem[]> {
  return readOtherLanguage(context, async (language, count) =>
    shownItems((await readArchive(context, { ...query, language }, null, count)).items, context),
  );
}

/** Empty fields of a form are ignored. */
function readChoice(
  given: Static<typeof ArchivePageQuery>,
  { clock, language, mixesLanguages }: PageContext,
): Choice {
  const [date, q] = [given.date, given.q].map((text) => (text === '' ? undefined : text));
  const named = given.month === undefined || given.month === '' ? null : parseCalendarMonth(given.month);
  if (named !== null && !named.ok) throw new ProblemError(invalidRequest, 'month is not a valid month');
  const day = date === undefined ? null : readArchiveQuery({ from: date }).from;
  const today = shanghaiDateOf(clock.now());
  const month = named?.value ?? calendarMonthOf(day ?? today);
  const isWholeArchive = q !== undefined && day === null && named === null;
  const from = day ?? firstDayOfMonth(month);
  const to = day ?? lastDayOfMonth(month);
  const query = readArchiveQuery({
    ...(isWholeArchive ? {} : { from, to }),
    ...(q === undefined ? {} : { q }),
    ...(mixesLanguages ? {} : { language }),
  });
  const isThisMonth = month === calendarMonthOf(today);
  return { month, isThisMonth, date: day, query, isLater: given.cursor !== undefined };
}

async function presented(
  choice: Choice,
  { items: found, next, oldestAt }: ArchivePage,
  others: readonly ShownItem[],
  context: PageContext,
): Promise<PublicPage> {
  const { words, href } = context;
  const { archive: messages } = words;
  const { query } = choice;
  const items = await shownItems(found, context);
  const older = next === null ? null : addressOf(choice, encodeCursor(next, archiveBindingOf(query)));
  const nothing = html`<p class="empty">${next === null ? messages.none : messages.noneYet}</p>`;
  const marked = query.q === null ? {} : { marked: markerOf(query.q) };
  return {
    title:
      query.q === null
        ? `${messages.title}: ${choice.date ?? choice.month}`
        : `${messages.title}: ${query.q}`,
    description: messages.lead,
    path: addressOf(choice, null),
    width: 'wide',
    isUnlisted: choice.isLater || query.q !== null,
    main: html`<h1>${messages.title}</h1>
      <p class="lead">${messages.lead}</p>
      !${searchForm(query.q ?? '', context)} !${calendar(choice, oldestAt, context)}
      <div class="reading">
        !${items.length === 0 ? nothing : timelineList(items, context, { ...marked, level: 2 })}
      </div>
      !${
        older === null
          ? ''
          : html`<nav class="pager" aria-label="${messages.title}">
              <a class="button" href="${href(older)}" rel="next">${messages.older}</a>
            </nav>`
      }
      !${otherLanguageList(others, addressOf(choice, null), context, marked.marked)}`,
  };
}

/** Without a month for the current one. */
function addressOf({ month, isThisMonth, date, query }: Choice, cursor: string | null): string {
  const isWholeArchive = query.from === null;
  const parameters = new URLSearchParams({
    ...(date !== null ? { date } : isWholeArchive || (isThisMonth && query.q === null) ? {} : { month }),
    ...(query.q === null ? {} : { q: query.q }),
    ...(cursor === null ? {} : { cursor }),
  }).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}

/** Days from the oldest item until today are links, and so are the months beside this one. */
function calendar(
  { month, date, query }: Choice,
  oldestAt: ArchivePage['oldestAt'],
  context: PageContext,
): string {
  if (query.q !== null || oldestAt === null) return '';
  const { words, href, clock } = context;
  const [oldest, today] = [shanghaiDateOf(oldestAt), shanghaiDateOf(clock.now())];
  const link = (to: CalendarMonth, label: string): string =>
    to < calendarMonthOf(oldest) || to > calendarMonthOf(today)
      ? ''
      : html`<a href="${href(`${path}?month=${to}`)}">${label}</a> `;
  return html`!${dayTable(month, context, (day) =>
      day < oldest || day > today ? null : { href: href(`${path}?date=${day}`), isCurrent: day === date },
    )}
    <nav class="pager" aria-label="${words.archive.title}">
      !${link(addMonths(month, -1), words.archive.earlier)}
      !${date === null ? '' : link(month, words.archive.wholeMonth)}
      !${link(addMonths(month, 1), words.archive.later)}
    </nav>`;
}

function searchForm(q: string, context: PageContext): string {
  const { words, canonicalHref } = context;
  return html`<form class="row search-form" action="${canonicalHref(path)}">
    !${languageField(context)}
    <label class="hidden" for="archive-q">${words.archive.label}</label>
    <input
      id="archive-q"
      type="search"
      name="q"
      value="${q}"
      minlength="2"
      maxlength="200"
      required
      placeholder="${words.search.placeholder}"
    />
    <button>${words.nav.search}</button>
  </form>`;
}
