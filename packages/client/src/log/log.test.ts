import { describe, expect, test } from 'vitest';

import { parseCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import type { Hash } from './merkle.ts';
import { emptyRoot, isConsistent, isIncluded, leafHash, nodeHash } from './merkle.ts';
import { parseNote, parseVerifierKey, toHex, verifyNote } from './signed-note.ts';
import { signNote, writeCheckpoint, writeNote, writeVerifierKey } from './signing.ts';
import { bundlePath, readBundle, tilePath, TileTree } from './tiles.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16));

/** The definition of RFC 9162, section 2.1.1, as it is written. */
async function rootOf(leaves: readonly Hash[]): Promise<Hash> {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leaves[0] as Hash;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(await rootOf(leaves.slice(0, split)), await rootOf(leaves.slice(split)));
}

/** A tree whose tiles are made from all hashes at every read. */
async function treeOf(leaves: readonly Uint8Array[], size = leaves.length): Promise<TileTree> {
  const levels: Hash[][] = [await Promise.all(leaves.slice(0, size).map(leafHash))];
  for (let level = 0; (levels[level]?.length ?? 0) >= 256; level += 1) {
    const row = levels[level] as Hash[];
    const complete = Math.floor(row.length / 256);
    levels.push(
      await Promise.all(
        Array.from({ length: complete }, (_, at) => rootOf(row.slice(at * 256, (at + 1) * 256))),
      ),
    );
  }
  return new TileTree(size, async ({ level, index, width }) => {
    const row = levels[level]?.slice(index * 256, index * 256 + width) ?? [];
    return Uint8Array.from(row.flatMap((hash) => [...hash]));
  });
}

const leavesOf = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => bytesOf(`leaf ${at}`));

describe('a tree of leaves', () => {
  // The leaves and roots of the test data that implementations of RFC 6962 share.
  const knownLeaves = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map(fromHex);
  const knownRoots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  test.each(knownRoots.map((root, size) => [size, root] as const))(
    'has the published root with %i leaves',
    async (size, root) => {
      const tree = await treeOf(knownLeaves, size);
      expect(toHex(await tree.root())).toBe(root);
    },
  );

  test('has the root of its definition for every size around full tiles', async () => {
    const leaves = leavesOf(65_540);
    const hashes = await Promise.all(leaves.map(leafHash));
    for (const size of [1, 255, 256, 257, 511, 512, 513, 65_537]) {
      const tree = await treeOf(leaves, size);
      expect(toHex(await tree.root()), `${size} leaves`).toBe(toHex(await rootOf(hashes.slice(0, size))));
    }
  });
});

describe('a proof of inclusion', () => {
  test('is valid for every leaf of every small tree, and for no other leaf, position or size', async () => {
    const leaves = leavesOf(20);
    for (let size = 1; size <= leaves.length; size += 1) {
      const tree = await treeOf(leaves, size);
      const root = await tree.root();
      for (let index = 0; index < size; index += 1) {
        const proof = await tree.inclusionProof(index);
        const claim = { index, size, leaf: leaves[index] as Uint8Array, proof };
        expect(await isIncluded(claim, root)).toBe(true);
        expect(await isIncluded({ ...claim, leaf: bytesOf('another') }, root)).toBe(false);
        expect(await isIncluded({ ...claim, index: (index + 1) % (size + 1) }, root)).toBe(false);
        expect(await isIncluded({ ...claim, proof: [...proof, root] }, root)).toBe(false);
        expect(await isIncluded({ ...claim, proof: proof.slice(1) }, root)).toBe(proof.length === 0);
      }
    }
  });

  test('is valid across tiles', async () => {
    const leaves = leavesOf(1_000);
    const tree = await treeOf(leaves);
    const root = await tree.root();
    for (const index of [0, 255, 256, 767, 768, 999]) {
      const proof = await tree.inclusionProof(index);
      expect(await isIncluded({ index, size: 1_000, leaf: leaves[index] as Uint8Array, proof }, root)).toBe(
        true,
      );
    }
  });
});

describe('a proof of consistency', () => {
  test('is valid between all sizes of a tree, and for no tree with another leaf', async () => {
    const leaves = leavesOf(20);
    const tree = await treeOf(leaves);
    const other = await treeOf([bytesOf('another'), ...leaves.slice(1)]);
    for (let second = 1; second <= leaves.length; second += 1)
      for (let first = 1; first <= second; first += 1) {
        const proof = await tree.consistencyProof(first, second);
        const [before, after] = [await tree.root(first), await tree.root(second)];
        expect(await isConsistent({ size: first, root: before }, { size: second, root: after }, proof)).toBe(
          true,
        );
        const rewritten = await other.root(first);
        expect(
          await isConsistent({ size: first, root: rewritten }, { size: second, root: after }, proof),
        ).toBe(false);
      }
  });

  test('of a smaller second tree is refused', async () => {
    const tree = await treeOf(leavesOf(8));
    const [four, eight] = [await tree.root(4), await tree.root(8)];
    expect(await isConsistent({ size: 8, root: eight }, { size: 4, root: four }, [])).toBe(false);
  });
});

test('a tile of another length than its address says is refused', async () => {
  const tree = new TileTree(3, async () => new Uint8Array(64));
  await expect(tree.root()).rejects.toThrow('tile/0/000.p/3 has 64 bytes instead of 96');
});

test('paths of tiles and bundles have groups of three digits', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
  expect(tilePath({ level: 2, index: 5, width: 17 })).toBe('tile/2/005.p/17');
  expect(bundlePath({ index: 1_000, width: 256 })).toBe('tile/entries/x001/000');
});

test('a bundle has its entries, and a cut one none', () => {
  const bundle = Uint8Array.of(0, 2, 65, 66, 0, 0, 0, 1, 67);
  expect(readBundle(bundle)?.map((entry) => new TextDecoder().decode(entry))).toEqual(['AB', '', 'C']);
  expect(readBundle(bundle.subarray(0, 3))).toBeNull();
  expect(readBundle(Uint8Array.of(0))).toBeNull();
});

describe('a signed note', () => {
  // The example of the documentation of golang.org/x/mod/sumdb/note.
  const publishedKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  const publishedNote =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

  test('of another implementation is verified, and not with one letter changed', async () => {
    const key = await parseVerifierKey(publishedKey);
    const note = parseNote(publishedNote);
    const changed = parseNote(publishedNote.replace('your problem', 'our problem'));
    expect(key).not.toBeNull();
    expect(await verifyNote(note as never, key as never)).toBe(0);
    expect(await verifyNote(changed as never, key as never)).toBeNull();
    expect(writeNote(note as never)).toBe(publishedNote);
  });

  test('is not read without its end, with other base64, or with a key whose id is of another name', async () => {
    expect(parseNote(publishedNote.slice(0, -1))).toBeNull();
    expect(parseNote(publishedNote.replace('nAM=', 'nAN='))).toBeNull();
    expect(await parseVerifierKey(publishedKey.replace('PeterNeumann', 'Mallory'))).toBeNull();
  });
});

describe('a checkpoint', () => {
  async function signer(name: string, kind: 'log' | 'witness') {
    const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    if (!('privateKey' in pair)) throw new Error('Ed25519 has two keys');
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
    const key = await parseVerifierKey(await writeVerifierKey(name, kind, publicKey));
    return {
      key: key as NonNullable<typeof key>,
      sign: (text: string, seconds: number) =>
        signNote(text, {
          name,
          kind,
          publicKey,
          seconds,
          sign: async (message) =>
            new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message)),
        }),
    };
  }

  test('is accepted with the signature of its log, and names the witnesses that signed it', async () => {
    const log = await signer('news.example/log', 'log');
    const [one, other] = [await signer('one.example', 'witness'), await signer('other.example', 'witness')];
    const text = writeCheckpoint({ origin: 'news.example/log', size: 7, root: await emptyRoot() });
    const note = writeNote({ text, signatures: [await log.sign(text, 0), await other.sign(text, 1_234)] });
    const keys = { logKeys: [log.key], witnessKeys: [one.key, other.key] };
    const verified = await verifyCheckpoint(note, keys);
    expect(verified?.checkpoint.size).toBe(7);
    expect(verified?.witnesses).toEqual([{ name: 'other.example', seconds: 1_234 }]);
    expect(await verifyCheckpoint(note.replace('\n7\n', '\n8\n'), keys)).toBeNull();
    expect(await verifyCheckpoint(note, { logKeys: [one.key] })).toBeNull();
  });

  test('of another log is refused, also with a valid signature', async () => {
    const log = await signer('news.example/log', 'log');
    const text = writeCheckpoint({ origin: 'other.example/log', size: 1, root: await emptyRoot() });
    const note = writeNote({ text, signatures: [await log.sign(text, 0)] });
    expect(await verifyCheckpoint(note, { logKeys: [log.key] })).toBeNull();
  });

  test.each(['log\n01\nAA==\n', 'log\n-1\n', 'log\n9007199254740993\n', '\n1\n'])(
    'is not read from %j',
    (text) => {
      expect(parseCheckpoint(text)).toBeNull();
    },
  );
});
