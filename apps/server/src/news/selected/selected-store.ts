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

export interface SnapshotRows {
  readonly head: LedgerHeadRow;
  readonly count: number;
  /** As they are sent, in order of id, with a comma between. */
  readonly bodies: string;
  /** Null where there are none. */
  readonly lastId: string | null;
  readonly hasMore: boolean;
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

/** The database joins the bodies: a thousand rows of a page cost the driver more than their text. */
export async function readSnapshotRows(
  database: Database,
  afterId: string | null,
  limit: number,
): Promise<SnapshotRows> {
  const after = afterId === null ? sql`true` : sql`id > ${afterId}::uuid`;
  const shown = sql`FILTER (WHERE nth <= ${limit})`;
  const { head, rows } = await readWithHead<{
    found: number;
    bodies: string | null;
    last_id: string | null;
  }>(
    database,
    sql`
      SELECT count(*)::integer AS found, string_agg(body, ',' ORDER BY id) ${shown} AS bodies,
        max(id::text COLLATE "C") ${shown} AS last_id
      FROM (
        SELECT id, body, row_number() OVER (ORDER BY id) AS nth
        FROM record.item WHERE selected AND ${after} ORDER BY id LIMIT ${limit + 1}
      ) AS numbered`,
    sql`page.last_id`,
  );
  const { found = 0, bodies = null, last_id: lastId = null } = rows[0] ?? {};
  return { head, count: Math.min(found, limit), bodies: bodies ?? '', lastId, hasMore: found > limit };
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
