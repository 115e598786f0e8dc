import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { LogEntry, LoggedAction, LoggedKind, LogEntryToWrite } from './log-entry.ts';

/**
 * Runs in the transaction of the decisions, whose locks on the subjects make revisions consecutive. No lock is shared with
 * decisions about other subjects.
 */
export async function insertLogEntries(
  database: Database,
  entries: readonly LogEntryToWrite[],
): Promise<void> {
  if (entries.length === 0) return;
  const each = <Value>(of: (entry: LogEntryToWrite) => Value): Value[] => entries.map(of);
  await sql`${preparedAs('insert-log-entries')}
    WITH given AS (
      SELECT *, row_number() OVER (PARTITION BY kind, subject ORDER BY place)::integer AS nth,
        lead(was) OVER (PARTITION BY kind, subject ORDER BY place) AS next_was
      FROM unnest(
        ${each(({ kind }) => kind)}::text[],
        ${each(({ action }) => action)}::text[],
        ${each(({ subject }) => subject)}::text[],
        ${each(({ at }) => toTimestamptz(at))}::timestamptz[],
        ${each(({ bodyHash }) => bodyHash)}::bytea[],
        ${each(({ salt }) => salt)}::bytea[],
        ${each(({ was }) => (was === undefined ? null : JSON.stringify(was)))}::jsonb[])
        WITH ORDINALITY AS one (kind, action, subject, at, body_hash, salt, was, place)
    ), numbered AS (
      SELECT given.*, nth + coalesce((
          SELECT max(revision) FROM record.log_entry AS earlier
          WHERE (earlier.kind, earlier.subject) = (given.kind, given.subject)), 0) AS revision
      FROM given
    ), entered AS (
      INSERT INTO record.log_entry (kind, action, subject, revision, at, body_hash)
      SELECT kind, action, subject, revision, at, body_hash FROM numbered ORDER BY place
    )
    INSERT INTO record.log_content (kind, subject, revision, salt, was)
    SELECT kind, subject, revision, salt, next_was FROM numbered WHERE salt IS NOT NULL
    UNION ALL
    SELECT kind, subject, revision - 1, NULL, was FROM numbered WHERE nth = 1 AND was IS NOT NULL
    ON CONFLICT (kind, subject, revision) DO UPDATE SET was = excluded.was`.execute(database);
}

/**
 * The salted hash in the newest entry of a subject: a reader who saved its proof can recognize it, and no other reader can
 * test a guess with it. Null if the log has none.
 */
export async function readNewestBodyHash(
  database: Database,
  kind: LoggedKind,
  subject: string,
): Promise<Buffer | null> {
  const { rows } = await sql<{ body_hash: Buffer | null }>`
    SELECT body_hash FROM record.log_entry WHERE kind = ${kind} AND subject = ${subject}
    ORDER BY revision DESC LIMIT 1`.execute(database);
  return rows[0]?.body_hash ?? null;
}

export interface LogHead {
  readonly size: number;
  readonly checkpointSize: number;
  /** Whether the newest checkpoint is old enough for another one. */
  readonly mayCheckpoint: boolean;
}

/** Null while another worker has the lock: one worker at a time sequences and signs. */
export async function lockLogHead(database: Database, checkpointEverySeconds = 0): Promise<LogHead | null> {
  const { rows } = await sql<{ size: string; checkpoint_size: string; may_checkpoint: boolean }>`
    SELECT size::text, checkpoint_size::text,
      checkpoint_at IS NULL OR checkpoint_at <= clock_timestamp() - make_interval(secs => ${checkpointEverySeconds})
        OR checkpoint_at > clock_timestamp() AS may_checkpoint
    FROM record.log_head FOR UPDATE SKIP LOCKED`.execute(database);
  const [head] = rows;
  if (head === undefined) return null;
  return {
    size: Number(head.size),
    checkpointSize: Number(head.checkpoint_size),
    mayCheckpoint: head.may_checkpoint,
  };
}

export interface UnsequencedEntry extends LogEntry {
  readonly entry: string;
}

interface EntryRow {
  readonly kind: LoggedKind;
  readonly action: LoggedAction;
  readonly subject: string;
  readonly revision: number;
  readonly at: string;
  readonly body_hash: Buffer | null;
}

export function entryOf(row: EntryRow): LogEntry {
  const { kind, action, subject, revision } = row;
  return { kind, action, subject, revision, at: fromTimestamptz(row.at), bodyHash: row.body_hash };
}

/**
 * Committed entries without a place in the log. A decision numbers its entries when it has all its locks: it is
 * numbered after every decision that it could see, and a statement that reads it reads those too.
 */
export async function readUnsequenced(
  database: Database,
  rowsMax: number,
): Promise<readonly UnsequencedEntry[]> {
  const { rows } = await sql<EntryRow & { entry: string }>`
    SELECT entry::text, kind, action, subject, revision, at, body_hash FROM record.log_entry
    WHERE leaf_index IS NULL ORDER BY log_entry.entry LIMIT ${rowsMax}`.execute(database);
  return rows.map((row) => ({ ...entryOf(row), entry: row.entry }));
}

export async function writeLeafIndices(
  database: Database,
  first: number,
  entries: readonly UnsequencedEntry[],
): Promise<void> {
  await sql`
    UPDATE record.log_entry SET leaf_index = ${first} + place - 1
    FROM unnest(${entries.map(({ entry }) => entry)}::bigint[]) WITH ORDINALITY AS one (number, place)
    WHERE leaf_index IS NULL AND entry = number`.execute(database);
  await sql`UPDATE record.log_head SET size = ${first + entries.length}`.execute(database);
}

export async function writeCheckpointNote(
  database: Database,
  {
    note,
    size,
    verifierKeys,
  }: { readonly note: string; readonly size: number; readonly verifierKeys: string },
): Promise<void> {
  await sql`
    UPDATE record.log_head SET checkpoint = ${note}, checkpoint_size = ${size}, checkpoint_at = clock_timestamp(),
      verifier_keys = ${verifierKeys}`.execute(database);
}

export interface SignedHead {
  /** The newest checkpoint. */
  readonly note: string;
  readonly size: number;
  /** One per line. */
  readonly verifierKeys: string;
}

/** Null before the first checkpoint. */
export async function readSignedHead(database: Database): Promise<SignedHead | null> {
  const { rows } = await sql<{ note: string; size: string; keys: string }>`
    SELECT checkpoint AS note, checkpoint_size::text AS size, verifier_keys AS keys FROM record.log_head
    WHERE checkpoint IS NOT NULL`.execute(database);
  const [row] = rows;
  return row === undefined ? null : { note: row.note, size: Number(row.size), verifierKeys: row.keys };
}

/** Only to this checkpoint, and only one signature of a key. */
export async function addCosignature(
  database: Database,
  { note, line }: { readonly note: string; readonly line: string },
): Promise<void> {
  const [signer = ''] = line.split(/(?<=^\S+ \S+ )/u);
  await sql`
    UPDATE record.log_head SET checkpoint = checkpoint || ${line}
    WHERE starts_with(checkpoint, ${note}) AND strpos(checkpoint, ${`\n${signer}`}) = 0`.execute(database);
}

export interface LogBacklog {
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly unsigned: number;
}

export async function countLogBacklog(database: Database): Promise<LogBacklog> {
  const { rows } = await sql<{ waiting: number; oldest: number; unsigned: number }>`
    SELECT count(*)::integer AS waiting,
      coalesce(extract(epoch FROM clock_timestamp() - min(decided_at)), 0)::float8 AS oldest,
      (SELECT size - checkpoint_size FROM record.log_head)::float8 AS unsigned
    FROM record.log_entry WHERE leaf_index IS NULL`.execute(database);
  const [row] = rows;
  return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest ?? 0, unsigned: row?.unsigned ?? 0 };
}
