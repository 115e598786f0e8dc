import type { Hash } from './merkle.ts';
import { emptyRoot, hashBytes, nodeHash } from './merkle.ts';

/** Hashes in a tile, and entries in a bundle (C2SP tlog-tiles). */
export const tileWidth = 256;
const tileHeight = 8;

/** A tile of hashes; `level` 0 has the hashes of leaves. `width` is its number of hashes, at most 256. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** The path below the address of a log: "tile/0/x001/234.p/17". */
export function tilePath({ level, index, width }: Tile): string {
  return `tile/${level}/${indexPath(index)}${partialPath(width)}`;
}

/** The path of a bundle of entries: "tile/entries/000". */
export function bundlePath({ index, width }: Omit<Tile, 'level'>): string {
  return `tile/entries/${indexPath(index)}${partialPath(width)}`;
}

function partialPath(width: number): string {
  return width < tileWidth ? `.p/${width}` : '';
}

/** 1234067 is x001/x234/067. */
function indexPath(index: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/gu) ?? [];
  return groups.map((group, at) => (at + 1 < groups.length ? `x${group}` : group)).join('/');
}

/** The tile of a tree with this many leaves. */
export function tileOf(level: number, index: number, size: number): Tile {
  const hashes = Math.floor(size / tileWidth ** level);
  return { level, index, width: Math.min(tileWidth, hashes - index * tileWidth) };
}

/** The entries of a bundle: each has its length in two bytes before it. Null if the bytes are not a bundle. */
export function readBundle(bytes: Uint8Array): readonly Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const end = at + 2 + view.getUint16(at);
    if (end > bytes.length) return null;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return at === bytes.length ? entries : null;
}

/** Reads the hashes of a tile: `width` times 32 bytes. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>;

/** A tile that a log serves has another length than its address says. */
export class TileError extends Error {}

/** A tree that is known by its tiles. Nothing it reads is trusted: compare the root with a checkpoint. */
export class TileTree {
  readonly size: number;
  readonly #readTile: ReadTile;
  readonly #tiles = new Map<string, Promise<Uint8Array>>();

  constructor(size: number, readTile: ReadTile) {
    this.size = size;
    this.#readTile = readTile;
  }

  /** The root of the first leaves; of all by default. */
  async root(size: number = this.size): Promise<Hash> {
    return size === 0 ? emptyRoot() : this.#rangeHash(0, size);
  }

  /** RFC 9162, section 2.1.3.1. */
  async inclusionProof(index: number, size: number = this.size): Promise<readonly Hash[]> {
    if (index < 0 || index >= size || size > this.size) throw new RangeError(`no leaf ${index} in ${size}`);
    const proof: Promise<Hash>[] = [];
    let [from, to] = [0, size];
    while (to - from > 1) {
      const middle = from + powerBelow(to - from);
      if (index < middle) {
        proof.push(this.#rangeHash(middle, to));
        to = middle;
      } else {
        proof.push(this.#rangeHash(from, middle));
        from = middle;
      }
    }
    return Promise.all(proof.reverse());
  }

  /** RFC 9162, section 2.1.4.1. */
  async consistencyProof(first: number, second: number = this.size): Promise<readonly Hash[]> {
    if (first < 0 || first > second || second > this.size) throw new RangeError(`no tree of ${first} leaves`);
    if (first === 0 || first === second) return [];
    const proof: Promise<Hash>[] = [];
    let [from, to] = [0, second];
    while (first < to) {
      const middle = from + powerBelow(to - from);
      if (first <= middle) {
        proof.push(this.#rangeHash(middle, to));
        to = middle;
      } else {
        proof.push(this.#rangeHash(from, middle));
        from = middle;
      }
    }
    if (from > 0) proof.push(this.#rangeHash(from, to));
    return Promise.all(proof.reverse());
  }

  /** The hash of the subtree of some leaves; `from` is where such a subtree can begin. */
  async #rangeHash(from: number, to: number): Promise<Hash> {
    const leaves = to - from;
    const power = powerBelow(leaves);
    if (power * 2 === leaves || leaves === 1) return this.#subtree(Math.log2(leaves), from / leaves);
    return nodeHash(await this.#rangeHash(from, from + power), await this.#rangeHash(from + power, to));
  }

  /** The root of a complete subtree, from the hashes of the tile that contains its level. */
  async #subtree(level: number, index: number): Promise<Hash> {
    const inside = 2 ** (level % tileHeight);
    const first = index * inside;
    const hashes = await this.#hashes(Math.floor(level / tileHeight), Math.floor(first / tileWidth));
    return rootOf(Array.from({ length: inside }, (_, at) => hashAt(hashes, (first % tileWidth) + at)));
  }

  #hashes(level: number, index: number): Promise<Uint8Array> {
    const tile = tileOf(level, index, this.size);
    const path = tilePath(tile);
    const known = this.#tiles.get(path) ?? this.#read(tile);
    this.#tiles.set(path, known);
    return known;
  }

  async #read(tile: Tile): Promise<Uint8Array> {
    const bytes = await this.#readTile(tile);
    if (bytes.length !== tile.width * hashBytes)
      throw new TileError(`${tilePath(tile)} has ${bytes.length} bytes instead of ${tile.width * hashBytes}`);
    return bytes;
  }
}

/** Of a full tile: its hash in the tile above. */
export function rootOfTile(hashes: Uint8Array): Promise<Hash> {
  return rootOf(Array.from({ length: tileWidth }, (_, at) => hashAt(hashes, at)));
}

/** Of a complete tree. */
async function rootOf(hashes: readonly Hash[]): Promise<Hash> {
  let row = hashes;
  while (row.length > 1) row = await Promise.all(pairsOf(row).map(([left, right]) => nodeHash(left, right)));
  return row[0] as Hash;
}

function hashAt(hashes: Uint8Array, at: number): Hash {
  return hashes.slice(at * hashBytes, (at + 1) * hashBytes);
}

function pairsOf(row: readonly Hash[]): readonly (readonly [Hash, Hash])[] {
  return Array.from({ length: row.length / 2 }, (_, at) => [row[2 * at] as Hash, row[2 * at + 1] as Hash]);
}

/** The largest power of two below a number of leaves; 1 for one leaf. */
function powerBelow(leaves: number): number {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
}
