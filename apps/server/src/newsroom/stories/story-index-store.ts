import type { RawBuilder, Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { items as recordItems } from '../../record/index.ts';
import { judgedMembersMax } from './matching/assign-item.ts';
import type { Term } from './matching/entry-terms.ts';
import type { StoredItem } from './matching/stored-item.ts';

// The story of an item, and whether it is withdrawn, is read from the record: merges, splits and withdrawals by an
// editor take effect here at once.

/** How long other processes wait for the process that published last. Longer than a batch takes. */
const leftToHolderMs = 5_000;

/**
 * One process at a time places items, so that of two first items at one instant the second finds the story of the
 * first. False if another process is placing; a caller never waits.
 */
export async function tryPlacementTurn(transaction: Transaction<DB>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('newsroom.placement', 0)) AS taken`.execute(
    transaction,
  );
  return rows[0]?.taken === true;
}

/** Announces to other processes that this one publishes. */
export async function notePublishing(transaction: Transaction<DB>, holder: string): Promise<void> {
  await sql`${preparedAs('note-publishing')}
    UPDATE newsroom.story_corpus SET placed_by = ${holder},
      placed_until = clock_timestamp() + make_interval(secs => ${leftToHolderMs / 1_000})`.execute(
    transaction,
  );
}

/** No entries remain: another process may begin at once with the next ones. */
export async function notePublished(transaction: Transaction<DB>, holder: string): Promise<void> {
  await sql`UPDATE newsroom.story_corpus SET placed_by = NULL WHERE placed_by = ${holder}`.execute(
    transaction,
  );
}

/** Whether preparation is worthwhile: false while another process publishes. */
export async function isPlacementFree(database: Database, holder: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    SELECT placed_by IS NULL OR placed_by = ${holder} OR placed_until < clock_timestamp() AS free
    FROM newsroom.story_corpus`.execute(database);
  return rows[0]?.free === true;
}

export interface CorpusCounts {
  readonly items: number;
  readonly itemsWith: ReadonlyMap<Term, number>;
}

/** The number of items in the index, and of items with each of these terms. */
export async function readCorpusCounts(database: Database, terms: readonly Term[]): Promise<CorpusCounts> {
  const { rows } = await sql<{ items: bigint; counts: string | null }>`${preparedAs('read-corpus-counts')}
    SELECT corpus.reports AS items, counted.counts
    FROM newsroom.story_corpus AS corpus, LATERAL (
      SELECT string_agg(coalesce(count.reports, 0)::text, ',' ORDER BY asked.place) AS counts
      FROM unnest(${[...terms]}::text[]) WITH ORDINALITY AS asked (term, place)
      LEFT JOIN newsroom.story_term_count AS count ON count.term = asked.term
    ) AS counted`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('newsroom.story_corpus has no row');
  const counts = row.counts?.split(',') ?? [];
  return {
    items: Number(row.items),
    itemsWith: new Map(terms.map((term, at) => [term, Number(counts[at] ?? 0)])),
  };
}

export interface Span {
  readonly from: EpochMicroseconds;
  readonly to: EpochMicroseconds;
}

export interface ReadingQuery extends Span {
  /** Of near-identical texts. */
  readonly keys: readonly string[];
}

export interface CandidateQuery extends Span {
  /** The gain of finding each term, rarest first; at most 32. */
  readonly gains: readonly (readonly [Term, number])[];
}

/** An item of the index with its current placement. */
export interface IndexedItem {
  readonly itemId: Id<'item'>;
  readonly groupId: Id<'reading-group'>;
  readonly storyId: Id<'story'>;
  readonly arrived: bigint;
  readonly owner: string;
  /** The owner that it counts for. */
  readonly voice: string;
}

interface IndexedRow {
  readonly query: number;
  readonly item_id: Id<'item'>;
  readonly group_id: Id<'reading-group'>;
  readonly story_id: Id<'story'>;
  readonly arrived: bigint;
  readonly owner: string;
  readonly voice: string;
}

/** For each query the items that share a key, in order of arrival, up to a limit. */
export async function readReadings(
  database: Database,
  queries: readonly ReadingQuery[],
  itemsMax: number,
): Promise<readonly (readonly IndexedItem[])[]> {
  const keys = queries.flatMap((query, at) => query.keys.map((key) => ({ at, key })));
  const { rows } = await sql<IndexedRow>`${preparedAs('read-readings')}
    SELECT query, item_id, group_id, story_id, arrived, owner, voice FROM (
      SELECT hit.query, report.item_id, item.group_id, item.story_id, report.arrived, source.owner,
        ${recordItems.voiceOf()} AS voice,
        row_number() OVER (PARTITION BY hit.query ORDER BY report.arrived) AS place
      FROM (
        SELECT DISTINCT wanted.query, posting.item_id
        FROM unnest(${keys.map(({ at }) => at)}::integer[], ${keys.map(({ key }) => key)}::text[])
          AS wanted (query, key)
        JOIN ${spansOf(queries)} ON span.query = wanted.query + 1
        JOIN newsroom.story_posting AS posting
          ON posting.term = wanted.key AND posting.reported_at BETWEEN span.from_at AND span.to_at
      ) AS hit
      JOIN newsroom.story_report AS report USING (item_id)
      JOIN record.item ON item.id = report.item_id AND item.withdrawn_at IS NULL AND item.story_id IS NOT NULL
      JOIN record.source ON source.id = item.source_id
    ) AS found
    WHERE place <= ${itemsMax} ORDER BY arrived`.execute(database);
  const found = Map.groupBy(rows, ({ query }) => query);
  return queries.map((_, at) => (found.get(at) ?? []).map(indexedItem));
}

/**
 * For each query the items that share the most keys, in order of arrival. Cost is bounded: of a key that many texts
 * share only the newest items are read.
 */
export async function readCopies(
  database: Database,
  queries: readonly ReadingQuery[],
  bounds: { readonly postingsPerKeyMax: number; readonly itemsMax: number },
): Promise<readonly (readonly IndexedItem[])[]> {
  const keys = queries.flatMap((query, at) => query.keys.map((key) => ({ at, key })));
  if (keys.length === 0) return queries.map(() => []);
  const { rows } = await sql<IndexedRow>`${preparedAs('read-copies')}
    SELECT best.query, report.item_id, item.group_id, item.story_id, report.arrived, source.owner,
      ${recordItems.voiceOf()} AS voice
    FROM (
      SELECT wanted.query, posting.item_id,
        row_number() OVER (PARTITION BY wanted.query ORDER BY count(*) DESC, posting.item_id) AS place
      FROM unnest(${keys.map(({ at }) => at)}::integer[], ${keys.map(({ key }) => key)}::text[])
        AS wanted (query, key)
      JOIN ${spansOf(queries)} ON span.query = wanted.query + 1
      CROSS JOIN LATERAL (
        SELECT item_id FROM newsroom.story_posting
        WHERE term = wanted.key AND reported_at BETWEEN span.from_at AND span.to_at
        ORDER BY reported_at DESC LIMIT ${bounds.postingsPerKeyMax}
      ) AS posting
      GROUP BY wanted.query, posting.item_id
    ) AS best
    JOIN newsroom.story_report AS report USING (item_id)
    JOIN record.item ON item.id = report.item_id AND item.withdrawn_at IS NULL AND item.story_id IS NOT NULL
    JOIN record.source ON source.id = item.source_id
    WHERE best.place <= ${bounds.itemsMax} ORDER BY report.arrived`.execute(database);
  const found = Map.groupBy(rows, ({ query }) => query);
  return queries.map((_, at) => (found.get(at) ?? []).map(indexedItem));
}

/** The span of each query, numbered from 1. */
function spansOf(queries: readonly Span[]): RawBuilder<unknown> {
  return sql`unnest(
    ${queries.map(({ from }) => toTimestamptz(from))}::timestamptz[],
    ${queries.map(({ to }) => toTimestamptz(to))}::timestamptz[])
    WITH ORDINALITY AS span (from_at, to_at, query)`;
}

/** A story that shares terms with a query, and their bits: bit n for the n-th of its gains. */
export interface TermHits {
  readonly storyId: Id<'story'>;
  readonly mask: number;
}

/**
 * For each query the stories of the most similar items. Cost is bounded: of a common term only the newest items
 * are read, and of all items found only the best are looked up in the record.
 */
export async function readCandidates(
  database: Database,
  queries: readonly CandidateQuery[],
  bounds: { readonly postingsPerTermMax: number; readonly itemsMax: number },
): Promise<readonly (readonly TermHits[])[]> {
  const wanted = queries.flatMap(({ gains }, at) =>
    gains.map(([term, gain], bit) => ({ at, term, gain, bit })),
  );
  // As text, which is parsed much faster than arrays.
  const { rows } = await sql<{ query: number; hits: string }>`${preparedAs('read-candidates')}
    SELECT query, string_agg(story_id::text || ' ' || mask, ',') AS hits
    FROM (
      SELECT best.query, item.story_id, bit_or(best.mask) AS mask
      FROM (
        SELECT query, item_id, mask, row_number() OVER (PARTITION BY query ORDER BY score DESC, item_id) AS place
        FROM (
          SELECT wanted.query, posting.item_id, sum(wanted.gain) AS score, bit_or(1 << wanted.bit) AS mask
          FROM unnest(
            ${wanted.map(({ at }) => at)}::integer[],
            ${wanted.map(({ term }) => term)}::text[],
            ${wanted.map(({ gain }) => gain)}::real[],
            ${wanted.map(({ bit }) => bit)}::integer[]) AS wanted (query, term, gain, bit)
          JOIN ${spansOf(queries)} ON span.query = wanted.query + 1
          CROSS JOIN LATERAL (
            SELECT item_id FROM newsroom.story_posting
            WHERE term = wanted.term AND reported_at BETWEEN span.from_at AND span.to_at
            ORDER BY reported_at DESC LIMIT ${bounds.postingsPerTermMax}
          ) AS posting
          GROUP BY wanted.query, posting.item_id
        ) AS hit
      ) AS best
      JOIN record.item ON item.id = best.item_id AND item.withdrawn_at IS NULL AND item.story_id IS NOT NULL
      WHERE best.place <= ${bounds.itemsMax}
      GROUP BY best.query, item.story_id
    ) AS candidate
    GROUP BY query`.execute(database);
  const found = new Map(rows.map(({ query, hits }) => [query, hits]));
  return queries.map((_, at) => {
    const hits = found.get(at);
    if (hits === undefined) return [];
    return hits.split(',').map((hit) => {
      const [storyId = '', mask] = hit.split(' ');
      return { storyId: storyId as Id<'story'>, mask: Number(mask) };
    });
  });
}

/** The founder and the newest items of each story, in order of arrival. */
export async function readMembers(
  database: Database,
  storyIds: readonly Id<'story'>[],
): Promise<ReadonlyMap<Id<'story'>, readonly IndexedItem[]>> {
  if (storyIds.length === 0) return new Map();
  const { rows } = await sql<IndexedRow>`${preparedAs('read-members')}
    SELECT report.item_id, report.arrived, member.group_id, story.id AS story_id, source.owner,
      ${recordItems.voiceOf('member')} AS voice
    FROM unnest(${[...storyIds]}::uuid[]) AS story (id)
    CROSS JOIN LATERAL (
      (SELECT id, group_id, source_id, voice FROM record.item
       WHERE story_id = story.id AND withdrawn_at IS NULL
       ORDER BY discovered_at DESC, id DESC LIMIT ${judgedMembersMax - 1})
      UNION
      (SELECT id, group_id, source_id, voice FROM record.item
       WHERE story_id = story.id AND withdrawn_at IS NULL
       ORDER BY discovered_at, id LIMIT 1)
    ) AS member
    JOIN newsroom.story_report AS report ON report.item_id = member.id
    JOIN record.source ON source.id = member.source_id
    ORDER BY report.arrived`.execute(database);
  return Map.groupBy(rows.map(indexedItem), ({ storyId }) => storyId);
}

export async function readContents(
  database: Database,
  itemIds: readonly Id<'item'>[],
): Promise<ReadonlyMap<Id<'item'>, StoredItem>> {
  if (itemIds.length === 0) return new Map();
  const { rows } = await sql<{ item_id: Id<'item'>; content: StoredItem }>`${preparedAs('read-contents')}
    SELECT item_id, content FROM newsroom.story_report WHERE item_id = ANY(${[...itemIds]}::uuid[])`.execute(
    database,
  );
  return new Map(rows.map(({ item_id, content }) => [item_id, content]));
}

export interface ItemToIndex {
  readonly itemId: Id<'item'>;
  readonly reportedAt: EpochMicroseconds;
  readonly postedTerms: readonly string[];
  readonly stored: StoredItem;
}

/** Inserts in their order: the first item of a story is its founder. */
export async function insertStoryItems(database: Database, items: readonly ItemToIndex[]): Promise<void> {
  if (items.length === 0) return;
  const postings = items.flatMap(({ itemId, reportedAt, postedTerms }) =>
    postedTerms.map((term) => ({ itemId, term, at: toTimestamptz(reportedAt) })),
  );
  const counts = new Map<Term, number>();
  for (const { stored } of items)
    for (const term of stored.terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  await sql`${preparedAs('insert-story-reports')}
    WITH reported AS (
      INSERT INTO newsroom.story_report (item_id, reported_at, posted_terms, content)
      SELECT item_id, reported_at, posted_terms::text[], content::json
      FROM unnest(
        ${items.map(({ itemId }) => itemId)}::uuid[],
        ${items.map(({ reportedAt }) => toTimestamptz(reportedAt))}::timestamptz[],
        ${items.map(({ postedTerms }) => arrayLiteral(postedTerms))}::text[],
        ${items.map(({ stored }) => JSON.stringify(stored))}::text[])
        WITH ORDINALITY AS report (item_id, reported_at, posted_terms, content, place)
      ORDER BY place
    ), posted AS (
      INSERT INTO newsroom.story_posting (term, reported_at, item_id)
      SELECT term, reported_at, item_id FROM unnest(
        ${postings.map(({ term }) => term)}::text[],
        ${postings.map(({ at }) => at)}::timestamptz[],
        ${postings.map(({ itemId }) => itemId)}::uuid[]) AS posting (term, reported_at, item_id)
    ), counted AS (
      INSERT INTO newsroom.story_term_count (term, reports)
      SELECT * FROM unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::integer[])
      ON CONFLICT (term) DO UPDATE SET reports = story_term_count.reports + excluded.reports
    )
    UPDATE newsroom.story_corpus SET reports = reports + ${items.length}`.execute(database);
}

/** A PostgreSQL text array literal. */
function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;
}

/** Removes items before this instant, up to a limit; returns the count. Requires the placement lock. */
export async function removeOldItems(
  transaction: Transaction<DB>,
  before: EpochMicroseconds,
  countMax: number,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    WITH old AS (
      DELETE FROM newsroom.story_report WHERE item_id IN (
        SELECT item_id FROM newsroom.story_report
        WHERE reported_at < ${toTimestamptz(before)} ORDER BY reported_at LIMIT ${countMax})
      RETURNING item_id, reported_at, posted_terms, content
    ), posted AS (
      DELETE FROM newsroom.story_posting USING old CROSS JOIN unnest(old.posted_terms) AS gone (term)
      WHERE story_posting.term = gone.term AND story_posting.reported_at = old.reported_at
        AND story_posting.item_id = old.item_id
    ), gone AS (
      SELECT term, count(*)::integer AS reports
      FROM old CROSS JOIN json_array_elements_text(old.content -> 'terms') AS held (term) GROUP BY term
    ), uncounted AS (
      UPDATE newsroom.story_term_count SET reports = story_term_count.reports - gone.reports
      FROM gone WHERE story_term_count.term = gone.term AND story_term_count.reports > gone.reports
    ), forgotten AS (
      DELETE FROM newsroom.story_term_count USING gone
      WHERE story_term_count.term = gone.term AND story_term_count.reports <= gone.reports
    ), corpus AS (
      UPDATE newsroom.story_corpus SET reports = reports - (SELECT count(*) FROM old)
    )
    SELECT count(*)::integer AS removed FROM old`.execute(transaction);
  return rows[0]?.removed ?? 0;
}

function indexedItem({ item_id, group_id, story_id, arrived, owner, voice }: IndexedRow): IndexedItem {
  return { itemId: item_id, groupId: group_id, storyId: story_id, arrived, owner, voice };
}
