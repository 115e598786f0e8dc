import { sql } from 'kysely';
import pg from 'pg';

import { copyRowOut } from '../../foundation/database/copy-out.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

export interface LedgerHead {
  readonly epoch: string;
  readonly position: bigint;
  readonly setSize: bigint;
  /** Below 2^256. */
  readonly setHash: bigint;
}

export interface ChangesPage {
  readonly head: LedgerHead;
  readonly changes: readonly LedgerChangeRead[];
}

export interface LedgerChangeRead {
  readonly position: bigint;
  readonly itemId: Id<'item'>;
  readonly changedAt: EpochMicroseconds;
  /** Null if the item was removed: withdrawn text is never sent again. */
  readonly body: string | null;
}

export interface SnapshotPage {
  readonly epoch: string;
  readonly position: bigint;
  readonly changedAt: EpochMicroseconds;
  readonly count: number;
  /** Null if fewer rows were found than requested. */
  readonly lastId: string | null;
  readonly hasMore: boolean;
  /** As stored, in order of id, separated by commas; to be joined. */
  readonly bodies: readonly Buffer[];
}

interface SnapshotFacts {
  readonly epoch: string;
  /** A 64-bit integer. */
  readonly position: string;
  readonly changedAt: string;
  readonly count: number;
  readonly lastId: string | null;
  readonly hasMore: boolean;
}

/** The database joins the bodies: the driver spends more on a thousand rows than on their text. */
export async function readSnapshotPage(
  pool: pg.Pool,
  afterId: string | null,
  limit: number,
): Promise<SnapshotPage> {
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
  const facts = JSON.parse(Buffer.concat(about).toString()) as SnapshotFacts;
  return {
    ...facts,
    position: BigInt(facts.position),
    changedAt: fromTimestamptz(facts.changedAt),
    bodies: bodies ?? [],
  };
}

interface ChangeRow {
  readonly epoch: string;
  readonly head_position: bigint;
  readonly set_size: bigint;
  readonly set_hash: string;
  /** Null in the single row that represents an empty page. */
  readonly position: bigint | null;
  readonly item_id: Id<'item'>;
  readonly changed_at: string;
  readonly body: string | null;
}

/** Head and page in one statement, and so in one database snapshot. */
export async function readChangesPage(
  database: Database,
  afterPosition: bigint,
  rowsMax: number,
): Promise<ChangesPage> {
  const { rows } = await sql<ChangeRow>`
    SELECT head.epoch, head.position AS head_position, head.set_size, head.set_hash::text, page.*
    FROM record.ledger_head head
    LEFT JOIN LATERAL (
      SELECT entry.position, entry.item_id, entry.changed_at, CASE WHEN NOT entry.removed THEN item.body END AS body
      FROM (
        SELECT * FROM record.ledger_entry WHERE position > ${afterPosition.toString()}::bigint
        ORDER BY position LIMIT ${rowsMax}
      ) AS entry
      JOIN record.item item ON item.id = entry.item_id
    ) AS page ON true
    ORDER BY page.position`.execute(database);
  const [first] = rows;
  if (first === undefined) throw new Error('the ledger has no head');
  return {
    head: {
      epoch: first.epoch,
      position: first.head_position,
      setSize: first.set_size,
      setHash: BigInt(first.set_hash),
    },
    changes: rows.flatMap(({ position, item_id: itemId, changed_at, body }) =>
      position === null ? [] : [{ position, itemId, changedAt: fromTimestamptz(changed_at), body }],
    ),
  };
}

/**
 * The last position whose change is older than an instant, and 0 if none is. Times never decrease with positions, so
 * halving finds it in some forty look-ups by position. An item that has moved since is behind the result anyway.
 */
export async function readPositionBefore(
  database: Database,
  since: EpochMicroseconds,
): Promise<Pick<LedgerHead, 'epoch' | 'position'>> {
  const isOlder = sql`later.changed_at < ${toTimestamptz(since)}::timestamptz`;
  const { rows } = await sql<{ epoch: string; position: bigint }>`
    WITH RECURSIVE narrowed AS (
      SELECT 0::bigint AS low, position AS high FROM record.ledger_head
      UNION ALL
      SELECT CASE WHEN ${isOlder} THEN later.position ELSE low END,
        CASE WHEN ${isOlder} THEN high ELSE (low + high) / 2 END
      FROM narrowed LEFT JOIN LATERAL (
        SELECT position, changed_at FROM record.ledger_entry
        WHERE position > (low + high) / 2 ORDER BY position LIMIT 1
      ) AS later ON true
      WHERE low < high
    )
    SELECT epoch, (SELECT max(low) FROM narrowed) AS position FROM record.ledger_head`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('the ledger has no head');
  return row;
}
