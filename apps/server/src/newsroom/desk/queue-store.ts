import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { isHeldByEditor } from '../publication/entry-hold-store.ts';
import type { QueueEntry, QueueQuery } from './queue-entry.ts';
import { isoOf } from './queue-entry.ts';

const conditions = {
  instruction: sql`NOT ${isHeldByEditor} AND review.decision IS NULL
    AND (review.entry_id IS NOT NULL OR entry.outcome = 'held')`,
  failed: sql`entry.outcome = 'failed' AND NOT ${isHeldByEditor}`,
  held: sql`hold.state = 'held'`,
  waiting: sql`entry.shown_revision IS NULL AND entry.shown_revision IS DISTINCT FROM entry.revision
    AND entry.outcome IS NULL AND entry.page_domain IS NULL AND NOT ${isHeldByEditor}`,
};
const evidence = {
  instruction: sql`coalesce(review.removed, ARRAY[btrim(entry.title)])`,
  failed: sql`ARRAY[coalesce(entry.outcome_reason, '')]`,
  held: sql`ARRAY[coalesce(entry.outcome_reason, '')]`,
  waiting: sql`ARRAY[]::text[]`,
};
/** Each is read along the index of its own table. */
const tables = {
  instruction: sql`(
    SELECT entry_id AS id FROM newsroom.entry_review WHERE decision IS NULL
    UNION SELECT id FROM newsroom.entry WHERE outcome = 'held') AS listed
    JOIN newsroom.entry ON entry.id = listed.id`,
  failed: sql`newsroom.entry`,
  held: sql`newsroom.entry_hold AS listed JOIN newsroom.entry ON entry.id = listed.entry_id`,
  waiting: sql`newsroom.entry`,
};

/** Entries of publishers, newest first. */
export async function listEntries(
  database: Database,
  kind: keyof typeof conditions,
  { after, sourceId, countMax }: QueueQuery,
): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    SELECT ${kind}::text AS kind, entry.id, entry.id AS cursor,
      EXISTS (SELECT FROM record.item WHERE item.id = entry.id) AS "isPublished", entry.title,
      source.name AS "sourceName", entry.url, ${isoOf('entry.discovered_at')} AS at, ${evidence[kind]} AS evidence,
      ${isoOf('hold.until')} AS until, NULL AS grouping, NULL AS alert
    FROM ${tables[kind]} JOIN newsroom.source ON source.id = entry.source_id
    LEFT JOIN newsroom.entry_review AS review ON review.entry_id = entry.id
    LEFT JOIN newsroom.entry_hold AS hold ON hold.entry_id = entry.id
    WHERE entry.withdrawn_at IS NULL AND ${conditions[kind]}
      AND (${after ?? null}::uuid IS NULL OR entry.id < ${after ?? null}::uuid)
      AND (${sourceId ?? null}::uuid IS NULL OR entry.source_id = ${sourceId ?? null}::uuid)
    ORDER BY entry.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}
