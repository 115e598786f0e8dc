import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { ReportState } from './journal.ts';
import type { QueueEntry, QueueQuery } from './queue-entry.ts';
import { isoOf } from './queue-entry.ts';

/** An error that a reader reported. */
export interface ReaderReport {
  readonly id: string;
  /** A path of this site, or empty. */
  readonly about: string;
  readonly message: string;
  readonly replyTo: string | null;
}

/** Reports hold text of readers, and some their address: a closed one is deleted after a month, any after half a year. */
const closedForMs = 30 * dayMs;
const storedForMs = 180 * dayMs;

export async function insertReaderReport(
  database: Database,
  { id, about, message, replyTo }: ReaderReport,
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    INSERT INTO newsroom.reader_report (id, about, message, reply_to, at)
    VALUES (${id}, ${about}, ${message}, ${replyTo}, ${toTimestamptz(now)})`.execute(database);
}

/** Newest first. */
export async function listReaderReports(
  database: Database,
  { after, countMax }: QueueQuery,
): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    SELECT 'report' AS kind, id, id AS cursor, true AS "isPublished", about AS title, NULL AS "sourceName",
      nullif(about, '') AS url, ${isoOf('at')} AS at,
      CASE WHEN reply_to IS NULL THEN ARRAY[message] ELSE ARRAY[message, reply_to] END AS evidence,
      NULL AS until, NULL AS grouping, NULL AS alert
    FROM newsroom.reader_report
    WHERE closed_at IS NULL AND (${after ?? null}::uuid IS NULL OR id < ${after ?? null}::uuid)
    ORDER BY id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/** Locks the report until the transaction ends; null if it does not exist. */
export async function lockReaderReport(
  transaction: Transaction<DB>,
  id: string,
): Promise<ReportState | null> {
  const { rows } = await sql<{ about: string; closed: boolean }>`
    SELECT about, closed_at IS NOT NULL AS closed FROM newsroom.reader_report WHERE id = ${id} FOR UPDATE`.execute(
    transaction,
  );
  const [row] = rows;
  return row === undefined ? null : { kind: 'report', title: row.about, isClosed: row.closed };
}

export async function closeReaderReport(
  transaction: Transaction<DB>,
  id: string,
  /** Null opens it again. */
  at: EpochMicroseconds | null,
): Promise<void> {
  await sql`
    UPDATE newsroom.reader_report SET closed_at = ${at === null ? null : toTimestamptz(at)}::timestamptz
    WHERE id = ${id}`.execute(transaction);
}

export async function deleteOldReports(database: Database, now: EpochMicroseconds): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM newsroom.reader_report
    WHERE closed_at < ${toTimestamptz(addMs(now, -closedForMs))}::timestamptz
      OR at < ${toTimestamptz(addMs(now, -storedForMs))}::timestamptz`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
