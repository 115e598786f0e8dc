import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { LoggedCorrection } from '../corrections/correction-store.ts';
import type { CorrectionAction } from '../corrections/correction.ts';
import type { EditionKey } from '../editions/edition.ts';
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

/** Which entry of a subject: the newest by default. */
export interface WantedEntry {
  readonly revision?: number;
  /** The newest at this time. */
  readonly at?: EpochMicroseconds;
}

export interface RecordedEntry {
  readonly entry: LogEntry;
  /** Null until a worker has sequenced it. */
  readonly leafIndex: number | null;
  /** Null if its words were erased, or if it is from before contents were stored. */
  readonly salt: Buffer | null;
  readonly erasedAt: EpochMicroseconds | null;
}

interface RecordedEntryRow extends EntryRow {
  readonly leaf_index: string | null;
  readonly salt: Buffer | null;
  readonly erased_at: string | null;
}

/** Null if the log has no such entry. */
export async function readEntry(
  database: Database,
  kind: LoggedKind,
  subject: string,
  { revision, at }: WantedEntry = {},
): Promise<RecordedEntry | null> {
  const wanted = [
    sql`kind = ${kind} AND subject = ${subject}`,
    ...(revision === undefined ? [] : [sql`revision = ${revision}`]),
    ...(at === undefined ? [] : [sql`at <= ${toTimestamptz(at)}::timestamptz`]),
  ];
  const { rows } = await sql<RecordedEntryRow>`
    SELECT kind, action, subject, revision, at, body_hash, leaf_index::text, salt, erased_at
    FROM record.log_entry LEFT JOIN record.log_content USING (kind, subject, revision)
    WHERE ${sql.join(wanted, sql` AND `)}
    ORDER BY revision DESC LIMIT 1`.execute(database);
  const [row] = rows;
  return row === undefined ? null : recordedEntry(row);
}

/** All entries of a subject, newest first. */
export async function readEntries(
  database: Database,
  kind: LoggedKind,
  subject: string,
  entriesMax: number,
): Promise<readonly RecordedEntry[]> {
  const { rows } = await sql<RecordedEntryRow>`
    SELECT kind, action, subject, revision, at, body_hash, leaf_index::text, salt, erased_at
    FROM record.log_entry LEFT JOIN record.log_content USING (kind, subject, revision)
    WHERE kind = ${kind} AND subject = ${subject}
    ORDER BY revision DESC LIMIT ${entriesMax}`.execute(database);
  return rows.map(recordedEntry);
}

function recordedEntry(row: RecordedEntryRow): RecordedEntry {
  return {
    entry: entryOf(row),
    leafIndex: row.leaf_index === null ? null : Number(row.leaf_index),
    salt: row.salt,
    erasedAt: row.erased_at === null ? null : fromTimestamptz(row.erased_at),
  };
}

/** The revision of an edition that an entry is of: an edition from before the log has more revisions than entries. */
export async function readEditionRevisionOf(
  database: Database,
  { kind, period }: EditionKey,
  entryRevision: number,
): Promise<number | null> {
  const { rows } = await sql<{ revision: number }>`
    SELECT edition.revision + ${entryRevision}::integer - max(log_entry.revision) AS revision
    FROM record.edition JOIN record.log_entry ON log_entry.kind = edition.kind AND log_entry.subject = edition.period
    WHERE edition.kind = ${kind} AND edition.period = ${period}
    GROUP BY edition.revision`.execute(database);
  return rows[0]?.revision ?? null;
}

export async function readCorrectionToLog(database: Database, id: string): Promise<LoggedCorrection | null> {
  const row = await database
    .selectFrom('record.correction')
    .select(['id', 'at', 'action', 'subject_kind', 'subject', 'other_story_id', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id as Id<'correction'>,
    at: fromTimestamptz(row.at),
    action: row.action as LoggedCorrection['action'],
    subject: { kind: row.subject_kind, id: row.subject } as LoggedCorrection['subject'],
    otherStoryId: row.other_story_id as Id<'story'> | null,
    reason: row.reason,
  };
}

export interface CorrectionReason {
  readonly action: CorrectionAction;
  readonly reason: string;
}

/** The corrections of something, by their time, which is that of the entry that they caused. */
export async function readReasons(
  database: Database,
  kind: LoggedKind,
  subject: string,
): Promise<ReadonlyMap<EpochMicroseconds, CorrectionReason>> {
  const { rows } = await sql<CorrectionReason & { at: string }>`
    SELECT at::text, action, reason FROM record.correction WHERE subject_kind = ${kind} AND subject = ${subject}
    UNION ALL
    SELECT caused.at::text, correction.action, note FROM record.edition_correction AS caused
    JOIN record.correction ON correction.id = caused.correction_id
    WHERE caused.kind = ${kind} AND caused.period = ${subject}`.execute(database);
  return new Map(rows.map(({ at, action, reason }) => [fromTimestamptz(at), { action, reason }]));
}
