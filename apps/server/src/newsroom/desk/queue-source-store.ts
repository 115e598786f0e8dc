import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { QueueEntry, QueueQuery } from './queue-entry.ts';
import { isDismissed, isoOf } from './queue-entry.ts';

/** A first import needs a person for so long. */
const firstImportMs = 14 * dayMs;

const since = (now: EpochMicroseconds) => sql`${toTimestamptz(addMs(now, -firstImportMs))}::timestamptz`;
const isNewSource = sql`
  source.state <> 'removed' AND source.succeeded_at IS NOT NULL
  AND EXISTS (SELECT FROM newsroom.entry WHERE entry.source_id = source.id AND entry.first_import)
  AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS seen
    WHERE seen.subject = source.id::text AND seen.detail ->> 'about' = 'first-import' AND ${isDismissed})`;

/** Sources that were added lately, with what their first import brought; newest first. */
export async function listFirstImports(
  database: Database,
  { now, after, countMax }: QueueQuery,
): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    SELECT 'first-import' AS kind, source.id, source.id AS cursor, true AS "isPublished", source.name AS title,
      source.name AS "sourceName", source.feed_url AS url, ${isoOf('source.created_at')} AS at,
      coalesce(imported.titles, ARRAY[]::text[]) AS evidence, NULL AS until, NULL AS grouping,
      jsonb_build_object('kind', 'first-import', 'entries', imported.entries, 'usual', NULL, 'held', imported.held,
        'selected', imported.selected) AS alert
    FROM newsroom.source CROSS JOIN LATERAL (
      SELECT count(*)::int AS entries, count(hold.entry_id)::int AS held,
        count(*) FILTER (WHERE item.selected)::int AS selected,
        (array_agg(entry.title ORDER BY entry.id DESC))[1:5] AS titles
      FROM newsroom.entry
      LEFT JOIN newsroom.entry_hold AS hold ON hold.entry_id = entry.id AND hold.state = 'held'
      LEFT JOIN record.item ON item.id = entry.id AND item.withdrawn_at IS NULL
      WHERE entry.source_id = source.id AND entry.first_import AND entry.withdrawn_at IS NULL) AS imported
    WHERE source.created_at >= ${since(now)} AND ${isNewSource}
      AND (${after ?? null}::uuid IS NULL OR source.id < ${after ?? null}::uuid)
    ORDER BY source.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

const isUnusual = sql`
  source.state <> 'removed' AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS seen
    WHERE seen.subject = source.id::text AND seen.detail ->> 'about' = alert.kind
      AND seen.detail ->> 'since' = ${isoOf('alert.since')} AND ${isDismissed})`;

/** Sources that are silent, broken or unusually busy. */
export async function listSourceAlerts(
  database: Database,
  { after, countMax }: QueueQuery,
): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    SELECT 'source' AS kind, source.id, source.id AS cursor, true AS "isPublished", source.name AS title,
      source.name AS "sourceName", source.feed_url AS url, ${isoOf('alert.since')} AS at,
      CASE WHEN alert.kind IN ('failing', 'suspended', 'stopped')
        THEN ARRAY[coalesce(source.state_reason, source.outcome, '')] ELSE ARRAY[]::text[] END AS evidence,
      NULL AS until, NULL AS grouping,
      jsonb_build_object('kind', alert.kind, 'entries', alert.entries, 'usual', alert.usual, 'held', NULL,
        'selected', NULL) AS alert
    FROM newsroom.source_alert AS alert JOIN newsroom.source ON source.id = alert.source_id
    WHERE ${isUnusual} AND (${after ?? null}::uuid IS NULL OR source.id < ${after ?? null}::uuid)
    ORDER BY source.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/** What a dismissal of the alert or the first import of a source is about; null if neither needs a person. */
export async function findSourceDoubt(
  transaction: Transaction<DB>,
  id: string,
  now: EpochMicroseconds,
): Promise<{ readonly about: string; readonly since?: string } | null> {
  const { rows } = await sql<{ about: string; since: string }>`
    SELECT alert.kind AS about, ${isoOf('alert.since')} AS since
    FROM newsroom.source_alert AS alert JOIN newsroom.source ON source.id = alert.source_id
    WHERE source.id = ${id} AND ${isUnusual}`.execute(transaction);
  if (rows[0] !== undefined) return rows[0];
  const imports = await sql`
    SELECT FROM newsroom.source WHERE source.id = ${id} AND source.created_at >= ${since(now)} AND ${isNewSource}`.execute(
    transaction,
  );
  return imports.rows.length === 0 ? null : { about: 'first-import' };
}
