import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { readerLanguageOf, readerLanguages } from '../../foundation/reader-language.ts';
import type { Source } from '../../ingest/index.ts';
import type { Category, editions } from '../../record/index.ts';
import { items as recordItems } from '../../record/index.ts';
import { isCorrectionNotice, isSelectableKind, readForJudgement } from '../copy/judgement/index.ts';
import type { ReadJudgement } from '../copy/judgement/index.ts';
import { isRoundup } from '../stories/matching/roundups.ts';
import type { EditionCandidate } from './choose-entries.ts';
import type { AlternativeItem } from './compose-edition.ts';
import type { CarriedItem } from './new-fact.ts';

export interface Span {
  readonly from: EpochMicroseconds;
  /** Exclusive. */
  readonly to: EpochMicroseconds;
}

interface ItemRow {
  readonly id: Id<'item'>;
  readonly story_id: Id<'story'> | null;
  readonly group_id: Id<'reading-group'>;
  readonly first_appeared_at: string;
  readonly source_id: Id<'source'>;
  readonly title: string;
  readonly summary: string;
  readonly language: string | null;
  readonly category: Category;
  readonly score: number | null;
  readonly owners: number;
  readonly discovered_at: string;
}

interface CandidateRow extends ItemRow {
  readonly selected: boolean;
  readonly original_url: string;
  readonly source_title: string;
  readonly source_text: string;
  /** Null without a source of the newsroom. */
  readonly tier: Source['tier'] | null;
  readonly first_party: boolean | null;
  readonly participation: Source['participation'] | null;
  readonly category_hint: Source['categoryHint'];
}

const itemColumns = sql`
  item.id, item.story_id, item.group_id, appeared.first_appeared_at, item.source_id, item.title, item.summary,
  item.language, item.category, item.score, greatest(1, ${recordItems.independentSources(sql.ref('item.story_id'))}) AS owners, item.discovered_at`;

/** What the kind of a text is read from: only its beginning. */
const candidateColumns = sql`
  ${itemColumns}, item.original_url, coalesce(entry.title, item.title) AS source_title,
  coalesce(left(entry.text, 4000), item.summary) AS source_text, origin.tier, origin.first_party,
  origin.participation, origin.category_hint`;

const candidateJoins = sql`
  JOIN record.reading_group AS appeared ON appeared.id = item.group_id
  LEFT JOIN newsroom.entry ON entry.id = item.id
  LEFT JOIN newsroom.source AS origin ON origin.id = entry.source_id`;

/** In no daily of an earlier day, in no language. */
const isNew = (day: string) => sql`
  NOT EXISTS (
    SELECT FROM record.edition_citation AS cited
    WHERE cited.item_id = item.id AND cited.kind = 'daily' AND cited.period < ${day})
  AND NOT EXISTS (
    SELECT FROM record.edition_report AS cited
    WHERE cited.item_id = item.id AND cited.kind = 'daily' AND cited.period < ${day})`;

/** Not held for a review by an editor. */
const isReviewed = sql`
  NOT EXISTS (
    SELECT FROM newsroom.entry_review AS review
    WHERE review.entry_id = item.id AND review.decision IS DISTINCT FROM 'accepted')`;

const isWithin = ({ from, to }: Span) => sql`
  item.discovered_at >= ${toTimestamptz(from)}
  AND coalesce(item.published_at, item.discovered_at) >= ${toTimestamptz(from)}
  AND coalesce(item.published_at, item.discovered_at) < ${toTimestamptz(to)}`;

/** Selected, published (or found, if the time is unknown) within the span, and in no earlier daily. */
export async function readDailyCandidates(
  database: Database,
  day: string,
  span: Span,
): Promise<readonly EditionCandidate[]> {
  const { rows } = await sql<CandidateRow>`
    SELECT ${candidateColumns}, true AS selected FROM record.item ${candidateJoins}
    WHERE item.selected AND ${isWithin(span)} AND ${isNew(day)}`.execute(database);
  return rows.map((row) => judgedCandidate(row).candidate);
}

/** Items with the best scores that are read to fill up an edition. */
const fillersReadMax = 60;

/**
 * Items that were not selected but could fill up a daily: about the AI industry, of a kind that reports something
 * new, of a source whose items are selected, and with no open review.
 */
export async function readFillers(
  database: Database,
  day: string,
  span: Span,
): Promise<readonly EditionCandidate[]> {
  const { rows } = await sql<CandidateRow>`
    SELECT ${candidateColumns}, false AS selected FROM record.item ${candidateJoins}
    WHERE item.id IN (
        SELECT recent.id FROM newsroom.source AS editorial
        JOIN newsroom.entry AS recent ON recent.source_id = editorial.id
        WHERE editorial.participation = 'editorial' AND recent.discovered_at >= ${toTimestamptz(span.from)})
      AND ${isReviewed}
      AND NOT item.selected AND item.withdrawn_at IS NULL AND ${isWithin(span)} AND ${isNew(day)}
    ORDER BY item.score DESC NULLS LAST, item.id LIMIT ${fillersReadMax}`.execute(database);
  return rows
    .map(judgedCandidate)
    .filter(({ judged: { kind, relevance } }) => relevance.isRelevant && isSelectableKind(kind))
    .map(({ candidate }) => candidate);
}

/** Those of these items that an editor may include in a daily: published in its time, reviewed, and in no earlier one. */
export async function readIncludable(
  database: Database,
  day: string,
  span: Span,
  itemIds: readonly Id<'item'>[],
): Promise<readonly EditionCandidate[]> {
  if (itemIds.length === 0) return [];
  const { rows } = await sql<CandidateRow>`
    SELECT ${candidateColumns}, item.selected FROM record.item ${candidateJoins}
    WHERE item.id = ANY (${[...itemIds]}::uuid[]) AND item.withdrawn_at IS NULL AND ${isReviewed}
      AND ${isWithin(span)} AND ${isNew(day)}
    ORDER BY item.id`.execute(database);
  return rows.map((row) => judgedCandidate(row).candidate);
}

/** Items of a story in one language that are read: the best may be a roundup or a correction notice. */
const alternativesReadMax = 3;

/**
 * The best item of each entry's story in the languages that the entry is not in, published in the same time: selected
 * ones first, then by score. In a daily, none that an earlier one showed.
 */
export async function readAlternatives(
  database: Database,
  { kind, period }: editions.EditionKey,
  span: Span,
  entries: readonly EditionCandidate[],
): Promise<readonly AlternativeItem[]> {
  const storyIds = entries.flatMap(({ storyId }) => (storyId === null ? [] : [storyId]));
  const { rows } = await sql<CandidateRow>`
    SELECT ${candidateColumns}, item.selected
    FROM (
      SELECT *, row_number() OVER (
        PARTITION BY item.story_id, item.language
        ORDER BY item.selected DESC, item.score DESC NULLS LAST, item.timeline_at, item.id) AS place
      FROM record.item
      WHERE item.story_id = ANY (${storyIds}::uuid[]) AND item.withdrawn_at IS NULL AND ${isReviewed}
        AND ${isWithin(span)} AND ${kind === 'daily' ? isNew(period) : sql`true`}
    ) AS item ${candidateJoins}
    WHERE item.place <= ${alternativesReadMax}
    ORDER BY item.selected DESC, item.score DESC NULLS LAST, item.timeline_at, item.id`.execute(database);
  const byStory = Map.groupBy(
    rows.map((row) => judgedCandidate(row).candidate).filter(({ barred }) => barred === null),
    ({ storyId }) => storyId,
  );
  return entries.flatMap((entry) =>
    readerLanguages
      .filter((language) => language !== languageOf(entry))
      .flatMap((language) => {
        const item = byStory.get(entry.storyId)?.find((one) => languageOf(one) === language);
        return item === undefined ? [] : [{ language, entryId: entry.id, item }];
      }),
  );
}

function languageOf({ language, title }: EditionCandidate): ReaderLanguage | null {
  return readerLanguageOf(language, title);
}

/** Items of these stories that are not withdrawn and were in an earlier daily. */
export async function readCarriedItems(
  database: Database,
  day: string,
  storyIds: readonly Id<'story'>[],
): Promise<readonly CarriedItem[]> {
  const { rows } = await sql<ItemRow & { readonly text: string }>`
    SELECT DISTINCT ON (item.id) ${itemColumns}, coalesce(left(entry.text, 20000), '') AS text
    FROM record.item
    JOIN record.edition_citation AS cited
      ON cited.item_id = item.id AND cited.kind = 'daily' AND cited.period < ${day}
    JOIN record.reading_group AS appeared ON appeared.id = item.group_id
    LEFT JOIN newsroom.entry ON entry.id = item.id
    WHERE item.story_id = ANY(${[...storyIds]}::uuid[]) AND item.withdrawn_at IS NULL`.execute(database);
  return rows.map((row) => ({ ...itemOf(row), text: row.text }));
}

/** The current entries in the sections of the dailies dated in these days. */
export async function readEntriesOfDailies(
  database: Database,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly EditionCandidate[]> {
  const { rows } = await sql<CandidateRow>`
    SELECT DISTINCT ON (item.id) ${candidateColumns}, item.id <> ALL (revised.filled) AS selected
    FROM record.edition
    JOIN record.edition_revision AS revised USING (kind, period, revision)
    JOIN record.edition_citation AS cited USING (kind, period, revision)
    JOIN record.item ON item.id = cited.item_id AND item.withdrawn_at IS NULL
    ${candidateJoins}
    WHERE edition.kind = 'daily' AND edition.period_start BETWEEN ${first}::date AND ${last}::date
      AND cited.section IS NOT NULL`.execute(database);
  return rows.map((row) => judgedCandidate(row).candidate);
}

/** Items of an edition in their current state; `filled` are those that had not been selected. */
export async function readShownItems(
  database: Database,
  itemIds: readonly Id<'item'>[],
  filled: readonly Id<'item'>[],
): Promise<readonly EditionCandidate[]> {
  const { rows } = await sql<ItemRow>`
    SELECT ${itemColumns} FROM record.item
    JOIN record.reading_group AS appeared ON appeared.id = item.group_id
    WHERE item.id = ANY (${[...itemIds]}::uuid[]) AND item.withdrawn_at IS NULL`.execute(database);
  return rows.map((row) => ({ ...itemOf(row), selected: !filled.includes(row.id), barred: null }));
}

export async function readIssuedPeriods(
  database: Database,
  kind: editions.EditionKind,
  periods: readonly string[],
): Promise<ReadonlySet<string>> {
  if (periods.length === 0) return new Set();
  const rows = await database
    .selectFrom('record.edition')
    .select('period')
    .where('kind', '=', kind)
    .where('period', 'in', [...periods])
    .execute();
  return new Set(rows.map(({ period }) => period));
}

/** When the first selected item was found; null if none exists. */
export async function readFirstSelection(database: Database): Promise<EpochMicroseconds | null> {
  const row = await database
    .selectFrom('record.item')
    .select((select) => select.fn.min('discovered_at').as('first'))
    .where('selected', '=', true)
    .executeTakeFirst();
  const first = row?.first ?? null;
  return first === null ? null : fromTimestamptz(first);
}

/** The kind is read from the words of the source, as when the item was published. */
function judgedCandidate(row: CandidateRow): {
  readonly candidate: EditionCandidate;
  readonly judged: ReadJudgement;
} {
  const { source_title: title, source_text: text, tier, participation } = row;
  const judged = readForJudgement({
    title,
    text,
    url: row.original_url,
    source: {
      tier: tier ?? 4,
      firstParty: row.first_party ?? false,
      participation: participation ?? 'editorial',
      categoryHint: row.category_hint,
    },
  });
  const barred = isCorrectionNotice({ title, text })
    ? 'correction notice'
    : judged.kind === 'roundup' || isRoundup(title)
      ? 'roundup'
      : null;
  return { candidate: { ...itemOf(row), selected: row.selected, barred }, judged };
}

function itemOf(row: ItemRow): Omit<EditionCandidate, 'selected' | 'barred'> {
  return {
    id: row.id,
    storyId: row.story_id,
    groupId: row.group_id,
    groupAppearedAt: fromTimestamptz(row.first_appeared_at),
    sourceId: row.source_id,
    title: row.title,
    summary: row.summary,
    language: row.language,
    category: row.category,
    score: row.score ?? 0,
    owners: row.owners,
    discoveredAt: fromTimestamptz(row.discovered_at),
  };
}
