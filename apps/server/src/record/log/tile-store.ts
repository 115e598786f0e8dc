import type { ReadTile } from '@daybook/client/log';
import type { GrownTile } from '@daybook/client/log/append';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

const hashBytes = 32;

/** The first hashes of a tile; null if it has fewer. */
export async function readTileHashes(
  database: Database,
  { level, index, width }: Parameters<ReadTile>[0],
): Promise<Buffer | null> {
  const { rows } = await sql<{ hashes: Buffer }>`
    SELECT substring(hashes FROM 1 FOR ${width * hashBytes}::integer) AS hashes FROM record.log_tile
    WHERE level = ${level} AND index = ${index} AND octet_length(hashes) >= ${width * hashBytes}::integer`.execute(
    database,
  );
  return rows[0]?.hashes ?? null;
}

/** For a tree: every tile of it is stored. */
export function tilesOf(database: Database): ReadTile {
  return async (tile) => {
    const hashes = await readTileHashes(database, tile);
    if (hashes === null) throw new Error(`the log has no tile ${tile.level}/${tile.index} of ${tile.width}`);
    return hashes;
  };
}

/** A tile only grows: the earlier hashes are its prefix. */
export async function writeTiles(database: Database, tiles: readonly GrownTile[]): Promise<void> {
  await sql`
    INSERT INTO record.log_tile (level, index, hashes)
    SELECT * FROM unnest(
      ${tiles.map(({ level }) => level)}::smallint[],
      ${tiles.map(({ index }) => index)}::bigint[],
      ${tiles.map(({ hashes }) => Buffer.from(hashes))}::bytea[])
    ON CONFLICT (level, index) DO UPDATE SET hashes = excluded.hashes`.execute(database);
}
