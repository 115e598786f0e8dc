import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Category, editions } from '../../record/index.ts';
import { items as recordItems } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
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

const itemColumns = sql`
  item.id, item.story_id, item.group_id, appeared.first_appeared_at, item.source_id, item.title, item.summary,
  item.language, item.category, item.score, greatest(1, ${recordItems.independentSources(sql.ref('item.story_id'))}) AS owners, item.discovered_at`;

/** Selected, published (or found, if the time is unknown) within the span, and in no earlier daily. */
export async function readDailyCandidates(
  database: Database,
  day: string,
  { from, to }: Span,
): Promise<readonly EditionCandidate[]> {
  const { rows } = await sql<ItemRow>`
    SELECT ${itemColumns}
    FROM record.item
    JOIN record.reading_group AS appeared ON appeared.id = item.group_id
    WHERE item.selected AND item.discovered_at >= ${toTimestamptz(from)}
      AND coalesce(item.published_at, item.discovered_at) >= ${toTimestamptz(from)}
      AND coalesce(item.published_at, item.discovered_at) < ${toTimestamptz(to)}
      AND NOT EXISTS (
        SELECT FROM record.edition_citation AS cited
        WHERE cited.item_id = item.id AND cited.kind = 'daily' AND cited.period < ${day})`.execute(database);
  return rows.map(candidateOf);
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
  return rows.map((row) => ({ ...candidateOf(row), text: row.text }));
}

/** The current entries in the sections of the dailies dated in these days. */
export async function readEntriesOfDailies(
  database: Database,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly EditionCandidate[]> {
  const { rows } = await sql<ItemRow>`
    SELECT DISTINCT ON (item.id) ${itemColumns}
    FROM record.edition
    JOIN record.edition_citation AS cited USING (kind, period, revision)
    JOIN record.item ON item.id = cited.item_id AND item.withdrawn_at IS NULL
    JOIN record.reading_group AS appeared ON appeared.id = item.group_id
    WHERE edition.kind = 'daily' AND edition.period_start BETWEEN ${first}::date AND ${last}::date
      AND cited.section IS NOT NULL`.execute(database);
  return rows.map(candidateOf);
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

function candidateOf(row: ItemRow): EditionCandidate {
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
