import { sql } from 'kysely';

import { dayMs } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../database/timestamptz.ts';
import type { EpochMicroseconds } from '../instant.ts';
import { addMs } from '../instant.ts';

/** Of the database, of the files of members, or a restore that was tried. */
export type BackupKind = 'database' | 'files' | 'drill';

export interface Backup {
  readonly kind: BackupKind;
  /** The name that the tool gave it. */
  readonly label: string;
  readonly finishedAt: EpochMicroseconds;
  readonly seconds: number;
  /** In the repository; of a drill, of the restored database. */
  readonly bytes: number;
  /** What went wrong; null if nothing did. */
  readonly fault: string | null;
}

const keepMs = 400 * dayMs;

/** Stores backups that are not stored yet, and deletes those that are too old. Returns how many were added. */
export async function recordBackups(
  database: Database,
  backups: readonly Backup[],
  now: EpochMicroseconds,
): Promise<number> {
  const recent = backups.filter(({ finishedAt }) => finishedAt > addMs(now, -keepMs));
  let added = 0;
  for (const { kind, label, finishedAt, seconds, bytes, fault } of recent) {
    const { numAffectedRows = 0n } = await sql`
      INSERT INTO foundation.backup (kind, label, finished_at, seconds, bytes, fault)
      VALUES (${kind}, ${label}, ${toTimestamptz(finishedAt)}, ${seconds}, ${bytes}, ${fault})
      ON CONFLICT DO NOTHING`.execute(database);
    added += Number(numAffectedRows);
  }
  await sql`DELETE FROM foundation.backup WHERE finished_at < ${toTimestamptz(addMs(now, -keepMs))}`.execute(
    database,
  );
  return added;
}

/** Newest first. */
export async function readBackups(database: Database, rowsMax: number): Promise<readonly Backup[]> {
  const { rows } = await sql<Omit<Backup, 'finishedAt' | 'bytes'> & { finished_at: string; bytes: bigint }>`
    SELECT kind, label, finished_at, seconds, bytes, fault FROM foundation.backup
    ORDER BY finished_at DESC, kind LIMIT ${rowsMax}`.execute(database);
  return rows.map(({ finished_at: finishedAt, bytes, ...backup }) => ({
    ...backup,
    finishedAt: fromTimestamptz(finishedAt),
    bytes: Number(bytes),
  }));
}

/** The newest backup of each kind without a fault. */
export async function readNewestBackups(database: Database): Promise<ReadonlyMap<BackupKind, Backup>> {
  const newest = new Map<BackupKind, Backup>();
  for (const kind of ['database', 'files', 'drill'] as const) {
    const { rows } = await sql<{ label: string; finished_at: string; seconds: number; bytes: bigint }>`
      SELECT label, finished_at, seconds, bytes FROM foundation.backup
      WHERE kind = ${kind} AND fault IS NULL ORDER BY finished_at DESC LIMIT 1`.execute(database);
    const [row] = rows;
    if (row === undefined) continue;
    const { label, seconds } = row;
    const finishedAt = fromTimestamptz(row.finished_at);
    newest.set(kind, { kind, label, finishedAt, seconds, bytes: Number(row.bytes), fault: null });
  }
  return newest;
}

/** How PostgreSQL archives its write-ahead log. */
export interface Archiving {
  readonly isOn: boolean;
  /** The last attempt failed. */
  readonly isFailing: boolean;
  /** Since the last segment was archived; null if none was since the start of the statistics. */
  readonly ageSeconds: number | null;
}

export async function readArchiving(database: Database): Promise<Archiving> {
  const { rows } = await sql<Archiving>`
    SELECT current_setting('archive_mode') <> 'off' AS "isOn",
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS "isFailing",
      extract(epoch FROM now() - last_archived_time)::double precision AS "ageSeconds"
    FROM pg_stat_archiver`.execute(database);
  return rows[0] ?? { isOn: false, isFailing: false, ageSeconds: null };
}
