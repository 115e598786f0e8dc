import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';

export interface ErrorReport {
  readonly id: Id<'error report'>;
  /** A path of this site, or empty. */
  readonly about: string;
  readonly message: string;
  readonly replyTo: string | null;
}

export async function insertErrorReport(
  database: Database,
  { id, about, message, replyTo }: ErrorReport,
  now: EpochMicroseconds,
): Promise<void> {
  const at = toTimestamptz(now);
  await sql`
    INSERT INTO mailing.error_report (id, about, message, reply_to, created_at, due_at)
    VALUES (${id}, ${about}, ${message}, ${replyTo}, ${at}, ${at})`.execute(database);
}

/** Leases the next one; if it is not deleted during the lease, another process retries it. */
export async function leaseErrorReport(
  database: Database,
  now: EpochMicroseconds,
  leaseMs: number,
): Promise<(ErrorReport & { readonly attempts: number }) | null> {
  const { rows } = await sql<ErrorReport & { attempts: number }>`
    UPDATE mailing.error_report SET due_at = ${toTimestamptz(addMs(now, leaseMs))}, attempts = attempts + 1
    WHERE id = (
      SELECT id FROM mailing.error_report WHERE due_at <= ${toTimestamptz(now)}
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, about, message, reply_to AS "replyTo", attempts`.execute(database);
  return rows[0] ?? null;
}

export async function removeErrorReport(database: Database, { id }: ErrorReport): Promise<void> {
  await sql`DELETE FROM mailing.error_report WHERE id = ${id}`.execute(database);
}
