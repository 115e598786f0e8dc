import type { Hash } from './merkle.ts';
import { hashBytes } from './merkle.ts';
import type { ReadTile } from './tiles.ts';
import { rootOfTile, TileError, tileOf, tilePath, tileWidth } from './tiles.ts';

// What a log needs to grow; a reader of a log does not.

/** A tile with all its hashes, earlier ones first. */
export interface GrownTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Uint8Array;
}

/** The tiles that change when leaves are added to a tree of this size: each full tile adds a hash to the level above. */
export async function growTiles(
  size: number,
  leaves: readonly Hash[],
  readTile: ReadTile,
): Promise<readonly GrownTile[]> {
  const grown: GrownTile[] = [];
  let [added, before] = [leaves, size];
  for (let level = 0; added.length > 0; level += 1) {
    const first = Math.floor(before / tileWidth);
    const earlier =
      before % tileWidth === 0 ? new Uint8Array() : await readPartial(level, first, size, readTile);
    const all = joined([earlier, ...added]);
    const full: Hash[] = [];
    for (let at = 0; at * tileWidth * hashBytes < all.length; at += 1) {
      const hashes = all.slice(at * tileWidth * hashBytes, (at + 1) * tileWidth * hashBytes);
      grown.push({ level, index: first + at, hashes });
      if (hashes.length === tileWidth * hashBytes) full.push(await rootOfTile(hashes));
    }
    [added, before] = [full, first];
  }
  return grown;
}

async function readPartial(
  level: number,
  index: number,
  size: number,
  readTile: ReadTile,
): Promise<Uint8Array> {
  const tile = tileOf(level, index, size);
  const bytes = await readTile(tile);
  if (bytes.length !== tile.width * hashBytes)
    throw new TileError(`${tilePath(tile)} has ${bytes.length} bytes instead of ${tile.width * hashBytes}`);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A bundle of entries: each has its length in two bytes before it. */
export function writeBundle(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined(
    entries.flatMap((entry) => {
      if (entry.length > 0xff_ff) throw new RangeError('an entry has at most 65535 bytes');
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}
