import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';

import { copyRowOut } from '../../foundation/database/copy-out.ts';
import type { Database } from '../../foundation/database/database.ts';

export interface LedgerHeadRow {
  readonly epoch: string;
  readonly head_position: bigint;
  readonly head_changed_at: string;
  readonly set_size: bigint;
  /** A decimal number below 2^256. */
  readonly set_hash: string;
}

interface SnapshotFacts {
  readonly epoch: string;
  /** A 64-bit integer. */
  readonly position: string;
  readonly changedAt: string;
  readonly count: number;
  /** Null where fewer were found than were asked for. */
  readonly lastId: string | null;
  readonly hasMore: boolean;
}

export interface SnapshotRows extends SnapshotFacts {
  /** As they are sent, in order of id, with a comma between; to be joined. */
  readonly bodies: readonly Buffer[];
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
  pool: pg.Pool,
  afterId: string | null,
  limit: number,
): Promise<SnapshotRows> {
  const after = afterId === null ? 'true' : `id > ${pg.escapeLiteral(afterId)}::uuid`;
  const [about, bodies] = await copyRowOut(
    pool,
    `SELECT json_build_object(
        'epoch', head.epoch, 'position', head.position::text, 'changedAt', head.changed_at::text,
        'count', page.count, 'lastId', page.last_id,
        'hasMore', EXISTS (SELECT FROM record.item WHERE selected AND id > page.last_id)
      )::text, page.bodies
    FROM record.ledger_head head CROSS JOIN (
      SELECT count(*) AS count, (array_agg(id ORDER BY id))[${limit}] AS last_id,
        string_agg(body, ',' ORDER BY id) AS bodies
      FROM (SELECT id, body FROM record.item WHERE selected AND ${after} ORDER BY id LIMIT ${limit}) AS shown
    ) AS page`,
  );
  if (!about) throw new Error('the ledger has no head');
  return { ...(JSON.parse(Buffer.concat(about).toString()) as SnapshotFacts), bodies: bodies ?? [] };
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
