import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

export interface LedgerHeadRow {
  readonly epoch: string;
  readonly head_position: bigint;
  readonly head_changed_at: string;
  readonly set_size: bigint;
  /** A decimal number below 2^256. */
  readonly set_hash: string;
}

export interface SnapshotRow {
  readonly id: string;
  readonly body: string;
}

export interface ChangeRow {
  readonly position: bigint;
  readonly item_id: string;
  readonly removed: boolean;
  readonly changed_at: string;
  /** Null where the item was removed: withdrawn text is never sent again. */
  readonly body: string | null;
}

/** Head and page in one statement, and so in one snapshot of the database. */
async function readWithHead<Row>(
  database: Database,
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<{ readonly head: LedgerHeadRow; readonly rows: readonly Row[] }> {
  const { rows } = await sql<LedgerHeadRow & { page_present: boolean | null } & Row>`
    SELECT head.epoch, head.position AS head_position, head.changed_at AS head_changed_at,
      head.set_size, head.set_hash::text, page.*
    FROM record.ledger_head head
    LEFT JOIN LATERAL (SELECT true AS page_present, row.* FROM (${page}) AS row) AS page ON true
    ORDER BY ${order}`.execute(database);
  const [head] = rows;
  if (head === undefined) throw new Error('the ledger has no head');
  return { head, rows: rows.filter(({ page_present: present }) => present === true) };
}

export async function readSnapshotRows(
  database: Database,
  afterId: string | null,
  rowsMax: number,
): Promise<{ readonly head: LedgerHeadRow; readonly rows: readonly SnapshotRow[] }> {
  const after = afterId === null ? sql`true` : sql`id > ${afterId}::uuid`;
  return readWithHead(
    database,
    sql`SELECT id, body FROM record.item WHERE selected AND ${after} ORDER BY id LIMIT ${rowsMax}`,
    sql`page.id`,
  );
}

export async function readChangeRows(
  database: Database,
  afterPosition: bigint,
  rowsMax: number,
): Promise<{ readonly head: LedgerHeadRow; readonly rows: readonly ChangeRow[] }> {
  return readWithHead(
    database,
    sql`
      SELECT entry.position, entry.item_id, entry.removed, entry.changed_at,
        CASE WHEN NOT entry.removed THEN item.body END AS body
      FROM (
        SELECT * FROM record.ledger_entry WHERE position > ${afterPosition.toString()}::bigint
        ORDER BY position LIMIT ${rowsMax}
      ) AS entry
      JOIN record.item item ON item.id = entry.item_id`,
    sql`page.position`,
  );
}
