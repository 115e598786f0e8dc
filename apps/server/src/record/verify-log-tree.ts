import { leafHash, TileTree } from '@daybook/client/log';
import { growTiles } from '@daybook/client/log/append';

import type { Database } from '../foundation/database/database.ts';
import { readTileHashes, tilesOf } from './log/tile-store.ts';
import { readLogHead, readLogLeaves } from './reading/log-reading-store.ts';

const bundleWidth = 256;
const bundlesAtOnce = 64;

/**
 * Computes every tile and the root of the checkpoint again from the entries. Returns the tiles that differ, and the
 * checkpoint if its root does.
 */
export async function verifyLogTree(snapshot: Database): Promise<readonly string[]> {
  const computed = new Map<string, Uint8Array>();
  const wrong: string[] = [];
  let size = 0;
  for (let complete = true; complete;) {
    const leaves = await readBundles(snapshot, size / bundleWidth);
    complete = leaves.length === bundlesAtOnce * bundleWidth;
    const hashes = await Promise.all(leaves.map(leafHash));
    const readTile: Parameters<typeof growTiles>[2] = async ({ level, index, width }) =>
      (computed.get(`${level} ${index}`) ?? new Uint8Array()).slice(0, width * 32);
    for (const { level, index, hashes: grown } of await growTiles(size, hashes, readTile)) {
      // A tile below may grow no more; those of higher levels are compared whenever they do.
      const stored = await readTileHashes(snapshot, { level, index, width: grown.length / 32 });
      if (stored === null || !stored.equals(grown)) wrong.push(`tile ${level} ${index}`);
      if (level > 0 || grown.length < bundleWidth * 32) computed.set(`${level} ${index}`, grown);
    }
    size += leaves.length;
  }
  return wrong.length > 0 ? [...new Set(wrong)] : checkRoot(snapshot, size);
}

async function readBundles(snapshot: Database, first: number): Promise<readonly Buffer[]> {
  const leaves: Buffer[] = [];
  for (let index = first; index < first + bundlesAtOnce; index += 1) {
    const bundle = await readLogLeaves(snapshot, { index, width: bundleWidth });
    leaves.push(...bundle);
    if (bundle.length < bundleWidth) break;
  }
  return leaves;
}

async function checkRoot(snapshot: Database, size: number): Promise<readonly string[]> {
  const { checkpoint, checkpointSize } = await readLogHead(snapshot);
  if (checkpoint === null) return [];
  const [, signedSize, root] = checkpoint.split('\n');
  if (Number(signedSize) !== checkpointSize || checkpointSize > size) return ['the size of the checkpoint'];
  const computed = await new TileTree(size, tilesOf(snapshot)).root(checkpointSize);
  return Buffer.from(computed).toString('base64') === root ? [] : ['the root of the checkpoint'];
}
