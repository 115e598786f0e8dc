import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { StoredReport, Term } from './matching/index.ts';
import { judgedMembersMax } from './matching/index.ts';

// Which story an item is in, and whether it still stands, is read from the record: what an editor merges, splits or
// withdraws holds here at once.

/** A report of the index with where it is now. */
export interface IndexedReport {
  readonly itemId: Id<'item'>;
  readonly groupId: Id<'reading-group'>;
  readonly storyId: Id<'story'>;
  readonly arrived: bigint;
  readonly stored: StoredReport;
}

export interface CorpusCounts {
  readonly reports: number;
  readonly reportsWith: ReadonlyMap<Term, number>;
}

/**
 * Waits until nobody else assigns, then holds the place until the transaction ends. The counts may lack what was
 * assigned meanwhile: they only say what is rare.
 */
export async function lockStoryCorpus(
  transaction: Transaction<DB>,
  terms: readonly Term[] = [],
): Promise<CorpusCounts> {
  const { rows } = await sql<{ reports: bigint; terms: Term[] | null; counts: number[] | null }>`
    SELECT corpus.reports, counted.terms, counted.counts
    FROM newsroom.story_corpus AS corpus, LATERAL (
      SELECT array_agg(term) AS terms, array_agg(reports) AS counts
      FROM newsroom.story_term_count WHERE term = ANY(${[...terms]}::text[])
    ) AS counted
    FOR UPDATE OF corpus`.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new Error('the row of newsroom.story_corpus is gone');
  const counts = row.counts ?? [];
  return {
    reports: Number(row.reports),
    reportsWith: new Map((row.terms ?? []).map((term, at) => [term, counts[at] ?? 0])),
  };
}

export interface Span {
  readonly from: EpochMicroseconds;
  readonly to: EpochMicroseconds;
}

export interface ReadingQuery extends Span {
  /** Of near-identical texts. */
  readonly keys: readonly string[];
  readonly reportsMax: number;
}

export interface CandidateQuery extends Span {
  /** What finding a term counts, rarest first. */
  readonly gains: readonly (readonly [Term, number])[];
  /** Of a common term only the newest reports are looked at: what a query costs does not grow with the index. */
  readonly postingsPerTermMax: number;
  readonly storiesMax: number;
}

/** The stories that share the most, by the sum of what their terms count. */
export async function readCandidateStories(
  database: Database,
  query: CandidateQuery,
): Promise<readonly Id<'story'>[]> {
  const { rows } = await sql<{ story_id: Id<'story'> }>`${candidateStories(query)}`.execute(database);
  return rows.map(({ story_id }) => story_id);
}

export interface ComparableReports {
  /** Those that share a key of near-identical texts, in order of arrival. */
  readonly readings: readonly IndexedReport[];
  /** Those of the candidate stories: of each its founder and its newest, in order of arrival. Best stories first. */
  readonly members: readonly IndexedReport[];
}

/** Everything that a report is compared with, in one statement: whoever waits for the lock waits for every answer. */
export async function readComparableReports(
  database: Database,
  reading: ReadingQuery,
  query: CandidateQuery,
): Promise<ComparableReports> {
  const { rows } = await sql<IndexedRow & { readonly reads_alike: boolean }>`
    (${readingReports(reading)})
    UNION ALL
    (SELECT report.item_id, report.arrived, report.content, member.group_id, story.story_id, false, story.score
     FROM (${candidateStories(query)}) AS story
     CROSS JOIN LATERAL (
       (SELECT id, group_id FROM record.item
        WHERE story_id = story.story_id AND withdrawn_at IS NULL
        ORDER BY discovered_at DESC, id DESC LIMIT ${judgedMembersMax - 1})
       UNION
       (SELECT id, group_id FROM record.item
        WHERE story_id = story.story_id AND withdrawn_at IS NULL
        ORDER BY discovered_at, id LIMIT 1)
     ) AS member
     JOIN newsroom.story_report AS report ON report.item_id = member.id)
    ORDER BY reads_alike DESC, score DESC, story_id, arrived`.execute(database);
  const readings = indexedReports(rows.filter(({ reads_alike }) => reads_alike));
  return {
    readings: readings.toSorted((one, other) => (one.arrived < other.arrived ? -1 : 1)),
    members: indexedReports(rows.filter(({ reads_alike }) => !reads_alike)),
  };
}

function readingReports({ keys, from, to, reportsMax }: ReadingQuery) {
  return sql`
    SELECT report.item_id, report.arrived, report.content, item.group_id, item.story_id,
      true AS reads_alike, 0::real AS score
    FROM (
      SELECT DISTINCT item_id FROM newsroom.story_posting
      WHERE term = ANY(${[...keys]}::text[])
        AND reported_at BETWEEN ${toTimestamptz(from)} AND ${toTimestamptz(to)}
    ) AS hit
    JOIN newsroom.story_report AS report USING (item_id)
    JOIN record.item ON item.id = report.item_id AND item.withdrawn_at IS NULL AND item.story_id IS NOT NULL
    ORDER BY report.arrived LIMIT ${reportsMax}`;
}

function candidateStories({ gains, from, to, postingsPerTermMax, storiesMax }: CandidateQuery) {
  return sql`
    SELECT story_id, sum(gain) AS score FROM (
      SELECT DISTINCT item.story_id, wanted.term, wanted.gain
      FROM unnest(${gains.map(([term]) => term)}::text[], ${gains.map(([, gain]) => gain)}::real[])
        AS wanted (term, gain)
      CROSS JOIN LATERAL (
        SELECT item_id FROM newsroom.story_posting
        WHERE term = wanted.term AND reported_at BETWEEN ${toTimestamptz(from)} AND ${toTimestamptz(to)}
        ORDER BY reported_at DESC LIMIT ${postingsPerTermMax}
      ) AS posting
      JOIN record.item ON item.id = posting.item_id AND item.withdrawn_at IS NULL AND item.story_id IS NOT NULL
    ) AS hit
    GROUP BY story_id ORDER BY score DESC, story_id LIMIT ${storiesMax}`;
}

export interface ReportToIndex {
  readonly itemId: Id<'item'>;
  readonly reportedAt: EpochMicroseconds;
  readonly postedTerms: readonly string[];
  readonly stored: StoredReport;
}

export async function insertStoryReport(database: Database, report: ReportToIndex): Promise<void> {
  const { itemId, postedTerms, stored } = report;
  const reportedAt = toTimestamptz(report.reportedAt);
  await sql`
    WITH kept AS (
      INSERT INTO newsroom.story_report (item_id, reported_at, posted_terms, content)
      VALUES (${itemId}, ${reportedAt}, ${[...postedTerms]}::text[], ${JSON.stringify(stored)})
    ), posted AS (
      INSERT INTO newsroom.story_posting (term, reported_at, item_id)
      SELECT term, ${reportedAt}, ${itemId}::uuid FROM unnest(${[...postedTerms]}::text[]) AS term
    ), counted AS (
      INSERT INTO newsroom.story_term_count (term, reports)
      SELECT term, 1 FROM unnest(${[...stored.terms]}::text[]) AS term
      ON CONFLICT (term) DO UPDATE SET reports = story_term_count.reports + 1
    )
    UPDATE newsroom.story_corpus SET reports = reports + 1`.execute(database);
}

/** Reports before this instant leave the index, at most so many; answers how many did. Under the lock of the corpus. */
export async function removeOldReports(
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

interface IndexedRow {
  readonly item_id: Id<'item'>;
  readonly group_id: Id<'reading-group'>;
  readonly story_id: Id<'story'>;
  readonly arrived: bigint;
  readonly content: StoredReport;
}

function indexedReports(rows: readonly IndexedRow[]): readonly IndexedReport[] {
  return rows.map(({ item_id, group_id, story_id, arrived, content }) => ({
    itemId: item_id,
    groupId: group_id,
    storyId: story_id,
    arrived,
    stored: content,
  }));
}
