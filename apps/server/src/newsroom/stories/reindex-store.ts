import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Term } from './matching/entry-terms.ts';
import type { StoredItem } from './matching/stored-item.ts';

/** Whether the index may contain items with terms of an older version. */
export async function isIndexOutdated(database: Database, version: number): Promise<boolean> {
  const { rows } = await sql<{ outdated: boolean }>`
    SELECT terms_version < ${version} AS outdated FROM newsroom.story_corpus`.execute(database);
  return rows[0]?.outdated === true;
}

/** Items of the index that have not been read again yet; 0 if all have the current version. */
export async function countOutdatedItems(database: Database, version: number): Promise<number> {
  const { rows } = await sql<{ items: number }>`
    SELECT CASE WHEN corpus.terms_version < ${version} THEN (
      SELECT count(*)::integer FROM newsroom.story_report AS report
      WHERE corpus.reindexed_at IS NULL
        OR (report.reported_at, report.item_id) > (corpus.reindexed_at, corpus.reindexed_item)
    ) ELSE 0 END AS items
    FROM newsroom.story_corpus AS corpus`.execute(database);
  return rows[0]?.items ?? 0;
}

/** An item of the index with the texts that its terms are made of. */
export interface ItemToReindex {
  readonly itemId: Id<'item'>;
  /** As stored: microseconds are part of the key of its postings. */
  readonly reportedAt: string;
  readonly postedTerms: readonly string[];
  readonly stored: StoredItem;
  /** Null if the item is withdrawn: its texts are erased. */
  readonly texts: {
    readonly title: string;
    readonly originalTitle: string | null;
    readonly summary: string;
    readonly originalUrl: string;
    readonly text: string;
    readonly publishedAt: EpochMicroseconds | null;
    readonly discoveredAt: EpochMicroseconds;
  } | null;
}

interface ReindexRow {
  readonly item_id: Id<'item'>;
  readonly reported_at: string;
  readonly posted_terms: readonly string[];
  readonly content: StoredItem;
  readonly title: string | null;
  readonly original_title: string | null;
  readonly summary: string;
  readonly original_url: string;
  readonly text: string | null;
  readonly published_at: string | null;
  readonly discovered_at: string;
}

/** The next items after the last one that was read again. Requires the placement lock. */
export async function readItemsToReindex(
  transaction: Transaction<DB>,
  bounds: { readonly countMax: number; readonly textCharsMax: number },
): Promise<readonly ItemToReindex[]> {
  const { rows } = await sql<ReindexRow>`
    SELECT report.item_id, report.reported_at, report.posted_terms, report.content, item.title, item.original_title,
      item.summary, item.original_url, left(entry.text, ${bounds.textCharsMax}) AS text, item.published_at,
      item.discovered_at
    FROM (
      SELECT report.* FROM newsroom.story_corpus AS corpus, newsroom.story_report AS report
      WHERE corpus.reindexed_at IS NULL
        OR (report.reported_at, report.item_id) > (corpus.reindexed_at, corpus.reindexed_item)
      ORDER BY report.reported_at, report.item_id LIMIT ${bounds.countMax}
    ) AS report
    LEFT JOIN record.item ON item.id = report.item_id AND item.withdrawn_at IS NULL
    LEFT JOIN newsroom.entry ON entry.id = item.id
    ORDER BY report.reported_at, report.item_id`.execute(transaction);
  return rows.map((row) => ({
    itemId: row.item_id,
    reportedAt: row.reported_at,
    postedTerms: row.posted_terms,
    stored: row.content,
    texts:
      row.title === null
        ? null
        : {
            title: row.title,
            originalTitle: row.original_title,
            summary: row.summary,
            originalUrl: row.original_url,
            text: row.text ?? '',
            publishedAt: row.published_at === null ? null : fromTimestamptz(row.published_at),
            discoveredAt: fromTimestamptz(row.discovered_at),
          },
  }));
}

export interface ReindexedItem {
  readonly before: ItemToReindex;
  readonly postedTerms: readonly string[];
  readonly stored: StoredItem;
}

/** Replaces terms, postings and counts of items. Requires the placement lock. */
export async function replaceIndexedItems(
  transaction: Transaction<DB>,
  items: readonly ReindexedItem[],
): Promise<void> {
  if (items.length === 0) return;
  await sql`
    UPDATE newsroom.story_report AS report
    SET content = fresh.content::json, posted_terms = ARRAY(SELECT json_array_elements_text(fresh.posted::json))
    FROM unnest(
      ${items.map(({ before }) => before.itemId)}::uuid[],
      ${items.map(({ stored }) => JSON.stringify(stored))}::text[],
      ${items.map(({ postedTerms }) => JSON.stringify(postedTerms))}::text[]) AS fresh (item_id, content, posted)
    WHERE report.item_id = fresh.item_id`.execute(transaction);
  const postings = (of: (item: ReindexedItem) => readonly string[]) => {
    const rows = items.flatMap((item) => of(item).map((term) => ({ ...item.before, term })));
    return sql`unnest(
      ${rows.map(({ term }) => term)}::text[],
      ${rows.map(({ reportedAt }) => reportedAt)}::timestamptz[],
      ${rows.map(({ itemId }) => itemId)}::uuid[]) AS listed (term, reported_at, item_id)`;
  };
  await sql`
    DELETE FROM newsroom.story_posting AS posting USING ${postings(({ before }) => before.postedTerms)}
    WHERE posting.term = listed.term AND posting.reported_at = listed.reported_at
      AND posting.item_id = listed.item_id`.execute(transaction);
  await sql`
    INSERT INTO newsroom.story_posting (term, reported_at, item_id)
    SELECT DISTINCT term, reported_at, item_id FROM ${postings((item) => item.postedTerms)}
    ON CONFLICT DO NOTHING`.execute(transaction);
  await changeCounts(transaction, items);
}

async function changeCounts(transaction: Transaction<DB>, items: readonly ReindexedItem[]): Promise<void> {
  const changes = new Map<Term, number>();
  const count = (term: Term, by: number): unknown => changes.set(term, (changes.get(term) ?? 0) + by);
  for (const { before, stored } of items) {
    for (const term of before.stored.terms) count(term, -1);
    for (const term of stored.terms) count(term, 1);
  }
  const added = [...changes].filter(([, by]) => by > 0);
  const removed = [...changes].filter(([, by]) => by < 0);
  await sql`
    INSERT INTO newsroom.story_term_count (term, reports)
    SELECT * FROM unnest(${added.map(([term]) => term)}::text[], ${added.map(([, by]) => by)}::integer[])
    ON CONFLICT (term) DO UPDATE SET reports = story_term_count.reports + excluded.reports`.execute(
    transaction,
  );
  await sql`
    WITH gone AS (
      SELECT * FROM unnest(${removed.map(([term]) => term)}::text[], ${removed.map(([, by]) => -by)}::integer[])
        AS gone (term, reports)
    ), uncounted AS (
      UPDATE newsroom.story_term_count SET reports = story_term_count.reports - gone.reports
      FROM gone WHERE story_term_count.term = gone.term AND story_term_count.reports > gone.reports
    )
    DELETE FROM newsroom.story_term_count USING gone
    WHERE story_term_count.term = gone.term AND story_term_count.reports <= gone.reports`.execute(
    transaction,
  );
}

/** Continues after this item next time; null: all items have the version. */
export async function noteReindexed(
  transaction: Transaction<DB>,
  last: ItemToReindex | null,
  version: number,
): Promise<void> {
  if (last === null)
    await sql`
      UPDATE newsroom.story_corpus SET terms_version = ${version}, reindexed_at = NULL, reindexed_item = NULL`.execute(
      transaction,
    );
  else
    await sql`
      UPDATE newsroom.story_corpus
      SET reindexed_at = ${last.reportedAt}::timestamptz, reindexed_item = ${last.itemId}`.execute(
      transaction,
    );
}
