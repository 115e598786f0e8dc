import { parseCalendarDate } from '../../foundation/calendar/calendar-date.ts';
import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import {
  firstDayOfMonth,
  lastDayOfMonth,
  parseCalendarMonth,
} from '../../foundation/calendar/calendar-month.ts';
import { firstDayOfWeek, lastDayOfWeek, parseIsoWeek } from '../../foundation/calendar/iso-week.ts';
import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { EditionWindow } from './edition-calendar.ts';
import { editionCalendar } from './edition-calendar.ts';

export type EditionKind = 'daily' | 'weekly' | 'monthly';

/** A daily's period is its date, a weekly's its ISO week, a monthly's its month. */
export interface EditionKey {
  readonly kind: EditionKind;
  readonly period: string;
}

/** Headline and overview, with the items of the edition that they were written from. */
export interface EditionWords {
  readonly headline: string;
  readonly overview: string;
  readonly headlineCites: readonly Id<'item'>[];
  readonly overviewCites: readonly Id<'item'>[];
  /** The text that an editor wrote; absent if all was written by rule. */
  readonly byEditor?: readonly EditionText[];
}

export interface EditionVersion extends EditionWords {
  readonly language: ReaderLanguage;
}

/** A note of the editors to the readers of a language. */
export interface EditionNote {
  readonly language: ReaderLanguage;
  readonly text: string;
  /** The items of the edition that it is about. */
  readonly cites: readonly Id<'item'>[];
}

/** The item that readers of a language get in place of an entry in another language. */
export interface EntryAlternative {
  readonly language: ReaderLanguage;
  readonly entryId: Id<'item'>;
  readonly itemId: Id<'item'>;
}

export interface EditionContents extends EditionWords {
  /** Of headline and overview; absent in editions of 0.1.0. */
  readonly language?: ReaderLanguage;
  readonly sections: readonly EditionSection[];
  /** One-liners, in order. */
  readonly flashes: readonly Id<'item'>[];
  /** Entries that the editorial rules had not selected; absent if none. */
  readonly filled?: readonly Id<'item'>[];
  /** Headline and overview in other languages; absent if none. */
  readonly versions?: readonly EditionVersion[];
  /** Absent if none. */
  readonly reports?: readonly EntryAlternative[];
  /** Absent if none. */
  readonly notes?: readonly EditionNote[];
}

export type EditionText = 'headline' | 'overview';

export interface EditionSection {
  readonly key: string;
  readonly label: string;
  readonly itemIds: readonly Id<'item'>[];
}

export interface EditionPeriod {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly window: EditionWindow;
}

/** Null if the calendar does not contain the period. */
export function editionPeriod({ kind, period }: EditionKey): EditionPeriod | null {
  if (kind === 'daily') {
    const day = parseCalendarDate(period);
    if (!day.ok) return null;
    return { first: day.value, last: day.value, window: editionCalendar.daily.window(day.value) };
  }
  if (kind === 'weekly') {
    const week = parseIsoWeek(period);
    if (!week.ok) return null;
    const [first, last] = [firstDayOfWeek(week.value), lastDayOfWeek(week.value)];
    return { first, last, window: editionCalendar.weekly.window(week.value) };
  }
  const month = parseCalendarMonth(period);
  if (!month.ok) return null;
  const [first, last] = [firstDayOfMonth(month.value), lastDayOfMonth(month.value)];
  return { first, last, window: editionCalendar.monthly.window(month.value) };
}

function entriesOf({ sections, flashes }: EditionContents): readonly Id<'item'>[] {
  return [...sections.flatMap(({ itemIds }) => itemIds), ...flashes];
}

/** In any language. */
export function citedItems(contents: EditionContents): readonly Id<'item'>[] {
  return [...new Set([...entriesOf(contents), ...(contents.reports ?? []).map(({ itemId }) => itemId)])];
}

/** For hashing: equal contents have equal bytes. The author of a text is no content. */
export function contentsJson(contents: EditionContents): JsonValue {
  const { sections, flashes, language, filled, versions, reports, notes } = contents;
  return {
    ...wordsJson(contents),
    flashes,
    sections: sections.map((section) => ({ ...section })),
    ...(language === undefined ? {} : { language }),
    ...(filled === undefined ? {} : { filled }),
    ...(versions === undefined
      ? {}
      : { versions: versions.map((version) => ({ language: version.language, ...wordsJson(version) })) }),
    ...(reports === undefined ? {} : { reports: reports.map((report) => ({ ...report })) }),
    ...(notes === undefined ? {} : { notes: notes.map((note) => ({ ...note })) }),
  };
}

function wordsJson({ headline, overview, headlineCites, overviewCites }: EditionWords) {
  return { headline, overview, headlineCites, overviewCites };
}

export type ContentsFault = 'empty_edition' | 'repeated_item' | 'cites_outside_edition';

export function contentsFault(contents: EditionContents): ContentsFault | null {
  const entries = entriesOf(contents);
  if (entries.length === 0) return 'empty_edition';
  if (new Set(entries).size < entries.length) return 'repeated_item';
  const { versions = [], reports = [], notes = [] } = contents;
  const cites = [
    ...[contents, ...versions].flatMap((words) => [...words.headlineCites, ...words.overviewCites]),
    ...notes.flatMap((note) => note.cites),
  ];
  const cited = new Set(citedItems(contents));
  const isInside =
    cites.every((id) => cited.has(id)) && reports.every(({ entryId }) => entries.includes(entryId));
  return isInside ? null : 'cites_outside_edition';
}

/** Replaces text that was written from a withdrawn item. */
export function neutralHeadline({ kind, period }: EditionKey): string {
  return { daily: `Daily report of ${period}`, weekly: `Week ${period}`, monthly: `Month ${period}` }[kind];
}

export const neutralOverview = 'This overview was withdrawn together with an item it was written from.';
export const correctedOverview = 'This overview was withdrawn: an item it was written from was corrected.';
export const replacedOverview = 'This overview was withdrawn: it was corrected.';
/** Texts that replace an erased overview. A later erasure does not replace them. */
export const erasedOverviews: readonly string[] = [neutralOverview, correctedOverview, replacedOverview];
export const withdrawalNote = 'An item cited here was withdrawn.';
export const itemCorrectionNote = 'An item cited here was corrected.';

/** An edition whose text must change because an item that it shows was withdrawn or corrected. */
export interface EditionToRewrite {
  readonly key: EditionKey;
  readonly before: EditionContents;
  /** The next revision, with neutral text in place of text based on the item. */
  readonly rest: EditionContents;
  /** The words of the item that must no longer be repeated. */
  readonly gone: ItemWords;
}

/** Writes the text again, from the items that remain; runs in the transaction of the decision. */
export type RewriteEdition = (edition: EditionToRewrite) => Promise<EditionContents>;

/** The edition without the item. A version whose text was written from it is removed. */
export function withoutItem(key: EditionKey, contents: EditionContents, itemId: Id<'item'>): EditionContents {
  const others = (ids: readonly Id<'item'>[]): readonly Id<'item'>[] => ids.filter((id) => id !== itemId);
  const { headlineCites, overviewCites, byEditor, filled, versions, reports, notes, ...rest } = contents;
  const headlineGoes = headlineCites.includes(itemId);
  const overviewGoes = overviewCites.includes(itemId);
  return {
    ...rest,
    headline: headlineGoes ? neutralHeadline(key) : contents.headline,
    overview: overviewGoes ? neutralOverview : contents.overview,
    headlineCites: headlineGoes ? [] : headlineCites,
    overviewCites: overviewGoes ? [] : overviewCites,
    sections: contents.sections
      .map((section) => ({ ...section, itemIds: others(section.itemIds) }))
      .filter(({ itemIds }) => itemIds.length > 0),
    flashes: others(contents.flashes),
    ...remaining({
      byEditor: byEditor?.filter((text) => !(text === 'headline' ? headlineGoes : overviewGoes)),
      filled: filled && others(filled),
      versions: versions?.filter(
        (version) => ![...version.headlineCites, ...version.overviewCites].includes(itemId),
      ),
      reports: reports?.filter((report) => report.entryId !== itemId && report.itemId !== itemId),
      notes: notes?.filter((note) => !note.cites.includes(itemId)),
    }),
  };
}

type Marks = Pick<EditionContents, 'byEditor' | 'filled' | 'versions' | 'reports' | 'notes'>;

/** Marks without any member are absent. */
export function remaining(marks: { readonly [Name in keyof Marks]: Marks[Name] | undefined }): Marks {
  return Object.fromEntries(Object.entries(marks).filter(([, members]) => (members?.length ?? 0) > 0));
}

/** The text of an item, as an edition may repeat it. */
export interface ItemWords {
  readonly id: Id<'item'>;
  readonly title: string;
  readonly summary: string;
}

interface CorrectedItem {
  readonly before: ItemWords;
  readonly after: ItemWords;
}

/**
 * The edition with a corrected item: replaces a headline equal to its title, removes other text based on it. A version
 * that would lose text is removed.
 */
export function withCorrectedItem(
  key: EditionKey,
  contents: EditionContents,
  corrected: CorrectedItem,
): EditionContents {
  const { versions, notes, ...rest } = contents;
  const corrections = versions?.map((version) => ({
    ...version,
    ...correctedWords(key, version, corrected),
  }));
  return {
    ...rest,
    ...correctedWords(key, contents, corrected),
    ...remaining({
      versions: corrections?.filter(
        ({ headlineCites, overviewCites }) => headlineCites.length > 0 && overviewCites.length > 0,
      ),
      notes: notes?.filter(({ cites }) => !cites.includes(corrected.before.id)),
    }),
  };
}

function correctedWords(
  key: EditionKey,
  { headline, overview, headlineCites, overviewCites, byEditor }: EditionWords,
  { before, after }: CorrectedItem,
): Partial<EditionWords> {
  const [retitled, resummed] = [after.title !== before.title, after.summary !== before.summary];
  const isTitle = headline === before.title;
  const headlineGoes = headlineCites.includes(before.id) && !isTitle && (retitled || resummed);
  const overviewGoes =
    overviewCites.includes(before.id) && (resummed || (retitled && overview.includes(before.title)));
  return {
    ...(headlineCites.includes(before.id) && isTitle ? { headline: after.title } : {}),
    ...(headlineGoes ? { headline: neutralHeadline(key), headlineCites: [] } : {}),
    ...(overviewGoes ? { overview: correctedOverview, overviewCites: [] } : {}),
    ...(byEditor === undefined
      ? {}
      : {
          byEditor: byEditor.filter(
            (text) => !(text === 'headline' ? headlineGoes || isTitle : overviewGoes),
          ),
        }),
  };
}
