import type { Checkpoint } from './checkpoint.ts';
import { equalBytes, hashBytes, leafHash } from './merkle.ts';
import type { ReadTile, Tile } from './tiles.ts';
import {
  bundlePath,
  readBundle,
  rootOfTile,
  TileError,
  tileOf,
  tilePath,
  TileTree,
  tileWidth,
} from './tiles.ts';

/** A tree whose tiles are compared with the root of a checkpoint: what it returns is what the log signed. */
export class VerifiedTree extends TileTree {
  readonly #read: ReadTile;

  private constructor(size: number, read: ReadTile) {
    super(size, read);
    this.#read = read;
  }

  /** Throws a TileError if the tiles are not those of the checkpoint. */
  static async open(
    { size, root }: Pick<Checkpoint, 'size' | 'root'>,
    readTile: ReadTile,
  ): Promise<VerifiedTree> {
    const verified = new Map<string, Promise<Uint8Array>>();
    // The root depends on every hash of the incomplete tiles, so one comparison verifies all of them.
    const readEdge: ReadTile = (tile) => {
      const path = tilePath(tile);
      const read = verified.get(path) ?? readTile(tile);
      verified.set(path, read);
      return read;
    };
    if (!equalBytes(await new TileTree(size, readEdge).root(), root))
      throw new TileError('the tiles of the log are not those of its checkpoint');
    const read: ReadTile = (tile) => {
      const path = tilePath(tile);
      const known = verified.get(path) ?? readVerified(tile);
      verified.set(path, known);
      return known;
    };
    const readVerified: ReadTile = async (tile) => {
      const bytes = await readTile(tile);
      if (!equalBytes(await rootOfTile(bytes), await hashAbove(tile, size, read)))
        throw new TileError(`${tilePath(tile)} is not that of the checkpoint`);
      return bytes;
    };
    return new VerifiedTree(size, read);
  }

  /** The entries of a bundle, each compared with its hash in the tree. */
  async entries(
    index: number,
    readEntries: (path: string) => Promise<Uint8Array>,
  ): Promise<readonly Uint8Array[]> {
    const tile = tileOf(0, index, this.size);
    const path = bundlePath(tile);
    const entries = readBundle(await readEntries(path));
    if (entries === null || entries.length !== tile.width) throw new TileError(`${path} is not a bundle`);
    const hashes = await this.#read(tile);
    for (const [at, entry] of entries.entries())
      if (!equalBytes(await leafHash(entry), hashes.subarray(at * hashBytes, (at + 1) * hashBytes)))
        throw new TileError(`an entry in ${path} is not that of the checkpoint`);
    return entries;
  }
}

/** The hash of a full tile in the tile above it. */
async function hashAbove({ level, index }: Tile, size: number, read: ReadTile): Promise<Uint8Array> {
  const above = tileOf(level + 1, Math.floor(index / tileWidth), size);
  const at = index % tileWidth;
  return (await read(above)).subarray(at * hashBytes, (at + 1) * hashBytes);
}
