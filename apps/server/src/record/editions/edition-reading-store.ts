import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { RecordView } from '../items/record-view.ts';
import { presentView } from '../items/record-view.ts';
import type { EditionContents, EditionKey, EditionKind, EditionNote } from './edition.ts';
import { citedItems, editionPeriod } from './edition.ts';

export interface EditionEntry extends EditionKey {
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly generatedAt: EpochMicroseconds;
  readonly headline: string;
  readonly overview: string;
  /** Of headline and overview. */
  readonly language: ReaderLanguage;
  /** Headline and overview in other languages. */
  readonly versions: readonly WordsInLanguage[];
}

interface WordsInLanguage {
  readonly language: ReaderLanguage;
  readonly headline: string;
  readonly overview: string;
}

export interface RecordedEdition extends EditionEntry {
  readonly revision: number;
  readonly windowStart: EpochMicroseconds;
  readonly windowEnd: EpochMicroseconds;
  /** Sections emptied by withdrawals are omitted. */
  readonly sections: readonly {
    readonly key: string;
    readonly label: string;
    readonly items: readonly CitedItem[];
  }[];
  readonly flashes: readonly CitedItem[];
  /** Reports that readers of a language get in place of an entry in another language. */
  readonly reports: readonly {
    readonly language: ReaderLanguage;
    readonly entryId: Id<'item'>;
    readonly item: CitedItem;
  }[];
  /** The number of entries that the editorial rules had not selected. */
  readonly unselectedCount: number;
  readonly corrections: readonly { readonly at: EpochMicroseconds; readonly note: string }[];
  /** Notes of the editors. */
  readonly notes: readonly NoteInLanguage[];
}

type NoteInLanguage = Pick<EditionNote, 'language' | 'text'>;

/** The current state of a cited item. */
export interface CitedItem {
  readonly id: Id<'item'>;
  readonly title: string;
  readonly language: string | null;
  readonly summary: string;
  readonly category: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly storyId: Id<'story'> | null;
}

/** Newest first. */
export async function readEditionEntries(
  database: Database,
  kind: EditionKind,
  entriesMax: number,
): Promise<readonly EditionEntry[]> {
  const { rows } = await sql<EntryRow>`
    SELECT e.period, e.period_start, e.period_end, r.generated_at, r.headline, r.overview, r.language,
      ${versionsSql} AS versions
    FROM (
      SELECT * FROM record.edition WHERE kind = ${kind} ORDER BY period_start DESC LIMIT ${entriesMax}
    ) AS e
    JOIN record.edition_revision r USING (kind, period, revision)
    ORDER BY e.period_start DESC`.execute(database);
  return rows.map((row) => entryOf(kind, row));
}

/** Of the revision `r`. */
const versionsSql = sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('language', v.language, 'headline', v.headline, 'overview', v.overview)
    ORDER BY v.language)
  FROM record.edition_version v WHERE (v.kind, v.period, v.revision) = (r.kind, r.period, r.revision)
), '[]')`;

/** Of the item `i` and its source `s`. */
const citedColumns = sql`
  i.id, i.title, i.language, i.summary, i.category, s.name AS "sourceName", i.original_url AS "originalUrl",
  i.published_at::text AS "publishedAt", i.story_id AS "storyId"`;

interface EntryRow {
  readonly period: string;
  readonly period_start: string;
  readonly period_end: string;
  readonly generated_at: string;
  readonly headline: string;
  readonly overview: string;
  /** Null in editions of 0.1.0. */
  readonly language: ReaderLanguage | null;
  readonly versions: readonly WordsInLanguage[];
}

interface EditionRow extends EntryRow {
  readonly revision: number;
  readonly window_start: string;
  readonly window_end: string;
  readonly sections: readonly { readonly key: string; readonly label: string }[];
  readonly filled: readonly string[];
  readonly citations: readonly CitationRow[];
  readonly reports: readonly ReportRow[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
  /** Null without one. */
  readonly notes: readonly NoteInLanguage[] | null;
}

interface CitationRow {
  /** Null for a flash. */
  readonly section: string | null;
  readonly item: CitedRow;
}

interface ReportRow {
  readonly language: ReaderLanguage;
  readonly entryId: Id<'item'>;
  readonly item: CitedRow;
}

type CitedRow = Omit<CitedItem, 'publishedAt'> & { readonly publishedAt: string | null };

/** The edition of one period, or the newest. One statement, so that text and citations are of one revision. */
export async function readEdition(
  database: Database,
  kind: EditionKind,
  period: string,
  view: RecordView = presentView,
): Promise<RecordedEdition | null> {
  const chosen = period === 'latest' ? sql`true` : sql`period = ${period}`;
  const { rows } = await sql<EditionRow>`
    SELECT e.period, e.period_start, e.period_end, e.window_start, e.window_end, r.revision,
      r.generated_at, r.headline, r.overview, r.language, r.sections, r.filled, r.notes,
      ${versionsSql} AS versions,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('section', citation.section,
          'item', to_jsonb(citation) - 'section' - 'position')) FROM (
          SELECT c.section, c.position, ${citedColumns}
          FROM record.edition_citation c
          JOIN ${view.item(sql`c.item_id`)} i
            ON i.id = c.item_id AND i.withdrawn_at IS NULL AND ${view.hasWords('i')}
          JOIN record.source s ON s.id = i.source_id
          WHERE c.kind = r.kind AND c.period = r.period AND c.revision = r.revision
          ORDER BY c.position, i.id
        ) AS citation
      ), '[]') AS citations,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('language', p.language, 'entryId', p.entry_id, 'item', to_jsonb(alternative)))
        FROM record.edition_report p
        CROSS JOIN LATERAL (
          SELECT ${citedColumns} FROM ${view.item(sql`p.item_id`)} i JOIN record.source s ON s.id = i.source_id
          WHERE i.id = p.item_id AND i.withdrawn_at IS NULL AND ${view.hasWords('i')}
        ) AS alternative
        WHERE (p.kind, p.period, p.revision) = (r.kind, r.period, r.revision)
      ), '[]') AS reports,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('at', k.at::text, 'note', k.note) ORDER BY k.at, k.id)
        FROM record.edition_correction k
        WHERE k.kind = e.kind AND k.period = e.period AND ${view.isPast(sql`k.at`)}
      ), '[]') AS corrections
    FROM (
      SELECT * FROM record.edition WHERE kind = ${kind} AND ${chosen} AND ${issuedIn(view)}
      ORDER BY period_start DESC LIMIT 1
    ) AS e
    JOIN ${revisionIn(view)} r ON (r.kind, r.period) = (e.kind, e.period)`.execute(database);
  const [row] = rows;
  return row === undefined ? null : editionOf(kind, row);
}

function issuedIn(view: RecordView): RawBuilder<boolean> {
  if (view.moment === null) return sql`true`;
  return sql`EXISTS (
    SELECT FROM record.edition_revision AS issued
    WHERE (issued.kind, issued.period) = (edition.kind, edition.period) AND ${view.isPast(sql`issued.generated_at`)})`;
}

/** The revision of the edition `e` that readers see. */
function revisionIn(view: RecordView): RawBuilder<unknown> {
  return sql`LATERAL (
    SELECT * FROM record.edition_revision AS shown
    WHERE (shown.kind, shown.period) = (e.kind, e.period)
      AND ${view.moment === null ? sql`shown.revision = e.revision` : view.isPast(sql`shown.generated_at`)}
    ORDER BY shown.revision DESC LIMIT 1)`;
}

/** The existing editions of a kind whose period begins within these days, both included; and the first and last of all. */
export interface EditionCalendar {
  readonly periods: ReadonlySet<string>;
  readonly first: string | null;
  readonly last: string | null;
}

export async function readEditionCalendar(
  database: Database,
  kind: EditionKind,
  days: { readonly from: string; readonly to: string },
): Promise<EditionCalendar> {
  const { rows } = await sql<{ periods: string[]; first: string | null; last: string | null }>`
    SELECT
      ARRAY(SELECT period FROM record.edition
        WHERE kind = ${kind} AND period_start BETWEEN ${days.from}::date AND ${days.to}::date) AS periods,
      (SELECT period FROM record.edition WHERE kind = ${kind} ORDER BY period_start LIMIT 1) AS first,
      (SELECT period FROM record.edition WHERE kind = ${kind} ORDER BY period_start DESC LIMIT 1) AS last`.execute(
    database,
  );
  const [row] = rows;
  return { periods: new Set(row?.periods), first: row?.first ?? null, last: row?.last ?? null };
}

function entryOf(kind: EditionKind, row: EntryRow): EditionEntry {
  return {
    kind,
    period: row.period,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    generatedAt: fromTimestamptz(row.generated_at),
    headline: row.headline,
    overview: row.overview,
    language: row.language ?? languageOfText(row.headline),
    versions: row.versions,
  };
}

function citedOf(row: CitedRow): CitedItem {
  return { ...row, publishedAt: row.publishedAt === null ? null : fromTimestamptz(row.publishedAt) };
}

function editionOf(kind: EditionKind, row: EditionRow): RecordedEdition {
  const bySection = Map.groupBy(row.citations, ({ section }) => section);
  const itemsOf = (section: string | null): readonly CitedItem[] =>
    (bySection.get(section) ?? []).map(({ item }) => citedOf(item));
  return {
    ...entryOf(kind, row),
    revision: row.revision,
    windowStart: fromTimestamptz(row.window_start),
    windowEnd: fromTimestamptz(row.window_end),
    sections: row.sections
      .map(({ key, label }) => ({ key, label, items: itemsOf(key) }))
      .filter(({ items }) => items.length > 0),
    flashes: itemsOf(null),
    reports: row.reports.map((report) => ({ ...report, item: citedOf(report.item) })),
    unselectedCount: row.filled.length,
    corrections: row.corrections.map(({ at, note }) => ({ at: fromTimestamptz(at), note })),
    notes: row.notes ?? [],
  };
}

/** Contents that are not published, as the edition that readers would get. */
export async function readDraftEdition(
  database: Database,
  { kind, period }: EditionKey,
  contents: EditionContents,
  at: EpochMicroseconds,
): Promise<RecordedEdition> {
  const calendar = editionPeriod({ kind, period });
  if (calendar === null) throw new RangeError(`no calendar has ${kind} ${period}`);
  const { rows } = await sql<CitedRow>`
    SELECT ${citedColumns} FROM record.item i JOIN record.source s ON s.id = i.source_id
    WHERE i.id = ANY (${[...citedItems(contents)]}::uuid[]) AND i.withdrawn_at IS NULL`.execute(database);
  const byId = new Map(rows.map((row) => [row.id, citedOf(row)]));
  const shown = (ids: readonly Id<'item'>[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const { headline, overview, versions = [], reports = [], notes = [], filled = [] } = contents;
  return {
    kind,
    period,
    periodStart: calendar.first,
    periodEnd: calendar.last,
    windowStart: calendar.window.start,
    windowEnd: calendar.window.end,
    generatedAt: at,
    revision: 1,
    headline,
    overview,
    language: contents.language ?? languageOfText(headline),
    versions,
    sections: contents.sections.map(({ key, label, itemIds }) => ({ key, label, items: shown(itemIds) })),
    flashes: shown(contents.flashes),
    reports: reports.flatMap(({ itemId, ...report }) => shown([itemId]).map((item) => ({ ...report, item }))),
    unselectedCount: filled.length,
    corrections: [],
    notes,
  };
}
