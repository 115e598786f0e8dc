import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

export interface EpochHead {
  readonly epoch: number;
  /** Null before the first checkpoint. */
  readonly origin: string | null;
  /** Leaves in the log. */
  readonly size: number;
  /** Whether a checkpoint of this epoch exists. */
  readonly hasCheckpoint: boolean;
}

/** Locks the head: no worker sequences or signs until the transaction ends. */
export async function readEpochHead(database: Database): Promise<EpochHead> {
  const { rows } = await sql<{ epoch: number; origin: string | null; size: string; signed: boolean }>`
    SELECT head.epoch, (SELECT origin FROM record.log_epoch WHERE log_epoch.epoch = head.epoch) AS origin,
      size::text, checkpoint IS NOT NULL AS signed
    FROM record.log_head AS head FOR UPDATE`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('the log has no head');
  return { epoch: row.epoch, origin: row.origin, size: Number(row.size), hasCheckpoint: row.signed };
}

/** The first checkpoint names the log. */
export async function nameLog(database: Database, epoch: number, origin: string): Promise<void> {
  await sql`
    INSERT INTO record.log_epoch (epoch, origin, first_size) VALUES (${epoch}, ${origin}, 0)`.execute(
    database,
  );
}

export async function endEpoch(
  database: Database,
  next: {
    readonly epoch: number;
    readonly origin: string;
    readonly size: number;
    readonly statement: string;
    readonly verifierKeys: string;
  },
): Promise<void> {
  await sql`
    UPDATE record.log_epoch SET last_checkpoint = head.checkpoint FROM record.log_head AS head
    WHERE log_epoch.epoch = head.epoch`.execute(database);
  await sql`
    INSERT INTO record.log_epoch (epoch, origin, first_size, statement)
    VALUES (${next.epoch}, ${next.origin}, ${next.size}, ${next.statement})`.execute(database);
  await sql`
    UPDATE record.log_head SET epoch = ${next.epoch}, checkpoint = NULL, checkpoint_size = 0, checkpoint_at = NULL,
      verifier_keys = ${next.verifierKeys}`.execute(database);
}
