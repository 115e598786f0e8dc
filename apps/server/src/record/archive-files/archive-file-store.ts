import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** The month of Asia/Shanghai in which an item was received. */
const monthOfItem = sql`to_char(item.discovered_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM')`;

/** The months whose items changed after the position of the files. Few entries: a worker reads them within seconds. */
const changedMonths = sql`
  SELECT ${monthOfItem} FROM record.archive_state AS state
  JOIN record.ledger_entry AS entry ON entry.position > state.position
  JOIN record.item ON item.id = entry.item_id`;

/** Locks the state of the files; false while another worker has it. */
export async function lockArchive(database: Database): Promise<boolean> {
  const { rows } = await sql`SELECT FROM record.archive_state FOR UPDATE SKIP LOCKED`.execute(database);
  return rows.length > 0;
}

/** Deletes the files whose items changed, with what they contain of withdrawn items. Under the lock. */
export async function deleteChangedFiles(database: Database): Promise<void> {
  // Entries that are committed after this are left for the next run.
  const { rows } = await sql<{ position: string }>`
    SELECT head.position::text AS position FROM record.ledger_head AS head, record.archive_state AS state
    WHERE head.position > state.position`.execute(database);
  const [head] = rows;
  if (head === undefined) return;
  await sql`
    DELETE FROM record.archive_file WHERE month IN (
      ${changedMonths} WHERE entry.position <= ${head.position}::bigint)`.execute(database);
  await sql`UPDATE record.archive_state SET position = ${head.position}::bigint`.execute(database);
}

export interface MonthToWrite {
  readonly month: string;
  readonly from: string;
  readonly until: string;
}

/** The newest completed month with selected items and without a file with these links. */
export async function findMonthToWrite(
  database: Database,
  baseUrl: string,
  now: EpochMicroseconds,
): Promise<MonthToWrite | null> {
  const { rows } = await sql<MonthToWrite>`
    WITH span AS (
      SELECT date_trunc('month', (SELECT discovered_at FROM record.item WHERE selected
          ORDER BY discovered_at LIMIT 1) AT TIME ZONE 'Asia/Shanghai') AS first,
        date_trunc('month', ${toTimestamptz(now)}::timestamptz AT TIME ZONE 'Asia/Shanghai') AS current
    ), month AS (
      SELECT to_char(begins, 'YYYY-MM') AS month, begins AT TIME ZONE 'Asia/Shanghai' AS from,
        (begins + interval '1 month') AT TIME ZONE 'Asia/Shanghai' AS until
      FROM span, generate_series(first, current - interval '1 month', interval '1 month') AS begins
    )
    SELECT month, month.from::text, month.until::text FROM month
    WHERE NOT EXISTS (SELECT FROM record.archive_file AS file
        WHERE file.month = month.month AND file.base_url = ${baseUrl})
      AND EXISTS (SELECT FROM record.item
        WHERE selected AND discovered_at >= month.from AND discovered_at < month.until)
    ORDER BY month DESC LIMIT 1`.execute(database);
  return rows[0] ?? null;
}

interface MonthRow {
  readonly id: string;
  readonly at: string;
}

export interface MonthPage {
  readonly items: number;
  /** The stored bodies, one per line. */
  readonly lines: string;
  /** Null after the last page. */
  readonly last: MonthRow | null;
}

/**
 * The selected items of a month after a row, in the order in which they were received. The database joins the bodies: the
 * driver spends more on a thousand rows than on their text.
 */
export async function readMonthPage(
  database: Database,
  { from, until }: MonthToWrite,
  after: MonthRow | null,
  rowsMax: number,
): Promise<MonthPage> {
  const { rows } = await sql<{ items: number; lines: string | null; at: string | null; id: string | null }>`
    SELECT count(*)::int AS items, string_agg(body || E'\n', '' ORDER BY discovered_at, id) AS lines,
      (array_agg(discovered_at::text ORDER BY discovered_at, id))[${rowsMax}::int] AS at,
      (array_agg(id ORDER BY discovered_at, id))[${rowsMax}::int] AS id
    FROM (
      SELECT id, discovered_at, body FROM record.item
      WHERE selected AND discovered_at >= ${after?.at ?? from}::timestamptz AND discovered_at < ${until}::timestamptz
        ${after === null ? sql`` : sql`AND (discovered_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
      ORDER BY discovered_at, id LIMIT ${rowsMax}) AS page`.execute(database);
  const [page] = rows;
  const { items = 0, lines = '', at = null, id = null } = page ?? {};
  return { items, lines: lines ?? '', last: at === null || id === null ? null : { at, id } };
}

export interface WrittenFile {
  readonly month: string;
  readonly baseUrl: string;
  readonly items: number;
  readonly sha256: Buffer;
  readonly content: Buffer;
  readonly writtenAt: EpochMicroseconds;
}

export async function upsertArchiveFile(database: Database, file: WrittenFile): Promise<void> {
  const { month, baseUrl, items, sha256, content, writtenAt } = file;
  await sql`
    INSERT INTO record.archive_file (month, base_url, item_count, sha256, content, written_at)
    VALUES (${month}, ${baseUrl}, ${items}, ${sha256}, ${content}, ${toTimestamptz(writtenAt)})
    ON CONFLICT (month) DO UPDATE SET base_url = excluded.base_url, item_count = excluded.item_count,
      sha256 = excluded.sha256, content = excluded.content, written_at = excluded.written_at`.execute(
    database,
  );
}

export interface ArchiveFileRow {
  readonly month: string;
  readonly items: number;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly writtenAt: string;
}

/** The valid files, newest month first. */
export async function readArchiveFiles(database: Database): Promise<readonly ArchiveFileRow[]> {
  const { rows } = await sql<ArchiveFileRow>`
    SELECT month, item_count AS items, octet_length(content) AS bytes, sha256, written_at AS "writtenAt"
    FROM record.archive_file WHERE month NOT IN (${changedMonths}) ORDER BY month DESC`.execute(database);
  return rows;
}

/** Null without a valid file. */
export async function readArchiveFile(database: Database, month: string): Promise<Buffer | null> {
  const { rows } = await sql<{ content: Buffer }>`
    SELECT content FROM record.archive_file
    WHERE month = ${month} AND month NOT IN (${changedMonths})`.execute(database);
  return rows[0]?.content ?? null;
}
