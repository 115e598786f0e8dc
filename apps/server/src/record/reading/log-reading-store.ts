import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { entryBytes } from '../log/log-entry.ts';
import type { LogEntry, LoggedKind } from '../log/log-entry.ts';
import { entryOf } from '../log/log-store.ts';

export interface RecordedLogHead {
  readonly epoch: number;
  /** A signed note; null before the first. */
  readonly checkpoint: string | null;
  readonly checkpointSize: number;
  /** One per line. */
  readonly verifierKeys: string;
}

export async function readLogHead(database: Database): Promise<RecordedLogHead> {
  const { rows } = await sql<{ epoch: number; checkpoint: string | null; size: string; keys: string }>`
    SELECT epoch, checkpoint, checkpoint_size::text AS size, verifier_keys AS keys FROM record.log_head`.execute(
    database,
  );
  const [head] = rows;
  if (head === undefined) throw new Error('the log has no head');
  const { epoch, checkpoint, size, keys } = head;
  return { epoch, checkpoint, checkpointSize: Number(size), verifierKeys: keys };
}

export interface RecordedEpoch {
  readonly epoch: number;
  readonly origin: string;
  /** Null for the first. */
  readonly statement: string | null;
  /** The newest checkpoint; null if the epoch has none in the database. */
  readonly checkpoint: string | null;
  /** The leaves of the log when the epoch ended; null: it has not ended. */
  readonly endedAt: number | null;
}

/** In order; empty before the first checkpoint. */
export async function readLogEpochs(database: Database): Promise<readonly RecordedEpoch[]> {
  const { rows } = await sql<{
    epoch: number;
    origin: string;
    statement: string | null;
    checkpoint: string | null;
    ended: string | null;
  }>`
    SELECT log_epoch.epoch, origin, statement,
      CASE WHEN head.epoch = log_epoch.epoch THEN head.checkpoint ELSE last_checkpoint END AS checkpoint,
      (SELECT next.first_size::text FROM record.log_epoch AS next WHERE next.epoch = log_epoch.epoch + 1) AS ended
    FROM record.log_epoch CROSS JOIN record.log_head AS head ORDER BY log_epoch.epoch`.execute(database);
  return rows.map(({ ended, ...row }) => ({ ...row, endedAt: ended === null ? null : Number(ended) }));
}

interface EntryRow extends Omit<LogEntry, 'at' | 'bodyHash'> {
  readonly at: string;
  readonly body_hash: Buffer | null;
}

/** The leaves of a bundle; fewer than `width` if the log does not have all. */
export async function readLogLeaves(
  database: Database,
  { index, width }: { readonly index: number; readonly width: number },
): Promise<readonly Buffer[]> {
  const first = index * bundleWidth;
  const { rows } = await sql<EntryRow>`
    SELECT kind, action, subject, revision, at, body_hash FROM record.log_entry
    WHERE leaf_index >= ${first} AND leaf_index < ${first + width} ORDER BY leaf_index`.execute(database);
  return rows.map((row) => entryBytes(entryOf(row)));
}

const bundleWidth = 256;

export interface NewestEntry {
  readonly entry: LogEntry;
  /** Null until a worker has sequenced it. */
  readonly leafIndex: number | null;
  /** Null if it was withdrawn. */
  readonly salt: Buffer | null;
  /** Null if it was withdrawn, or is composed from other rows. */
  readonly body: string | null;
}

/** The newest entry of something public; null if the log has none. */
export async function readNewestEntry(
  database: Database,
  kind: LoggedKind,
  subject: string,
): Promise<NewestEntry | null> {
  const { rows } = await sql<
    EntryRow & { leaf_index: string | null; salt: Buffer | null; body: string | null }
  >`
    SELECT kind, action, subject, revision, at, body_hash, leaf_index::text, salt, body
    FROM record.log_entry LEFT JOIN record.log_body USING (kind, subject)
    WHERE kind = ${kind} AND subject = ${subject}
    ORDER BY revision DESC LIMIT 1`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { salt, body } = row;
  return {
    entry: entryOf(row),
    leafIndex: row.leaf_index === null ? null : Number(row.leaf_index),
    salt,
    body,
  };
}
