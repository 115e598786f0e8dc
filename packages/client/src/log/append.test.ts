import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { growTiles, writeBundle } from './append.ts';
import type { Hash } from './merkle.ts';
import { leafHash } from './merkle.ts';
import { toHex } from './signed-note.ts';
import { readBundle, TileTree } from './tiles.ts';

const sha256 = (...parts: readonly Uint8Array[]): Hash => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};

/** The definition of RFC 9162, section 2.1.1, as it is written. */
function rootOf(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0] as Hash;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

test('a log that grows in batches of any size has the root of all its leaves, and earlier tiles stay prefixes', async () => {
  const stored = new Map<string, Uint8Array>();
  const read = async ({ level, index, width }: { level: number; index: number; width: number }) =>
    (stored.get(`${level}/${index}`) ?? new Uint8Array()).slice(0, width * 32);
  const leaves: Hash[] = [];
  for (const count of [1, 3, 251, 1, 1, 255, 700, 30, 1_024, 65_000, 7]) {
    const added = await Promise.all(
      Array.from({ length: count }, (_, at) => leafHash(new TextEncoder().encode(`${leaves.length + at}`))),
    );
    for (const { level, index, hashes } of await growTiles(leaves.length, added, read)) {
      const before = stored.get(`${level}/${index}`) ?? new Uint8Array();
      expect(toHex(hashes.slice(0, before.length))).toBe(toHex(before));
      stored.set(`${level}/${index}`, hashes);
    }
    leaves.push(...added);
    expect(toHex(await new TileTree(leaves.length, read).root())).toBe(toHex(rootOf(leaves)));
  }
});

test('a log whose last tile is cut does not grow', async () => {
  const hash = await leafHash(new Uint8Array());
  await expect(growTiles(3, [hash], async () => new Uint8Array(32))).rejects.toThrow(
    'tile/0/000.p/3 has 32 bytes instead of 96',
  );
});

test('a written bundle is read again, and an entry that is too long is refused', () => {
  const entries = [Uint8Array.of(1, 2, 3), new Uint8Array(), new Uint8Array(300)];
  expect(readBundle(writeBundle(entries))).toEqual(entries);
  expect(() => writeBundle([new Uint8Array(65_536)])).toThrow('65535');
});
