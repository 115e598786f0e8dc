import { crc32 } from 'node:zlib';

import { expect, test, vi } from 'vitest';

import { instantFromMs } from '../../foundation/instant.ts';
import type { ZipEntry } from './zip-archive.ts';
import { writeZip, zipSize } from './zip-archive.ts';

const changedAt = instantFromMs(Date.UTC(2026, 10, 16, 5, 30, 42));

function file(path: string, chunks: readonly Buffer[], size?: number): ZipEntry {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const open = async () =>
    (async function* read() {
      yield* chunks;
    })();
  return { path, changedAt, content: { size: size ?? bytes, open } };
}

interface Listed {
  readonly path: string;
  readonly size: number;
  readonly offset: number;
  readonly crc: number;
}

/** Reads an archive from its end, like unpackers; large chunks are omitted from it (`at` finds the others). */
function readDirectory(total: number, at: (offset: number) => Buffer): readonly Listed[] {
  const end = at(total - 22).subarray(-22);
  expect(end.readUInt32LE(0)).toBe(0x06054b50);
  let [count, centralAt] = [end.readUInt16LE(10), end.readUInt32LE(16)];
  const last = at(total - 22);
  if (last.length > 22) {
    expect([last.readUInt32LE(0), last.readUInt32LE(56)]).toEqual([0x06064b50, 0x07064b50]);
    expect(Number(last.readBigUInt64LE(64))).toBe(total - last.length);
    count = Number(last.readBigUInt64LE(32));
    centralAt = Number(last.readBigUInt64LE(48));
  }
  const listed: Listed[] = [];
  for (let offset = centralAt; listed.length < count;) {
    const header = at(offset);
    expect(header.readUInt32LE(0)).toBe(0x02014b50);
    listed.push(readCentral(header));
    offset += header.length;
  }
  return listed;
}

function readCentral(header: Buffer): Listed {
  const nameBytes = header.readUInt16LE(28);
  const large = header.subarray(46 + nameBytes + 4);
  let next = 0;
  const wide = (value: number): number => {
    if (value < 0xffff_ffff) return value;
    const read = Number(large.readBigUInt64LE(next));
    next += 8;
    return read;
  };
  const size = wide(header.readUInt32LE(24));
  expect(wide(header.readUInt32LE(20))).toBe(size);
  return {
    path: header.toString('utf8', 46, 46 + nameBytes),
    size,
    offset: wide(header.readUInt32LE(42)),
    crc: header.readUInt32LE(16),
  };
}

async function listed(entries: readonly ZipEntry[]): Promise<readonly Listed[]> {
  const chunks = new Map<number, Buffer>();
  let total = 0;
  for await (const chunk of writeZip(entries)) {
    if (chunk.length < 100_000) chunks.set(total, Buffer.from(chunk));
    total += chunk.length;
  }
  expect(zipSize(entries)).toBe(total);
  const at = (offset: number): Buffer => {
    const start = chunks.has(offset) ? offset : Math.max(...[...chunks.keys()].filter((key) => key < offset));
    return chunks.get(start) as Buffer;
  };
  const found = readDirectory(total, at);
  for (const { path, offset } of found) {
    const local = at(offset);
    expect(local.readUInt32LE(0)).toBe(0x04034b50);
    expect(local.toString('utf8', 30, 30 + local.readUInt16LE(26))).toBe(path);
  }
  return found;
}

test('restores files and folders with their names, sizes and checksums', async () => {
  const bytes = Buffer.from('some bytes');
  const folder: ZipEntry = { path: 'a/', changedAt, content: null };
  expect(
    await listed([folder, file('a/ü 中.txt', [bytes.subarray(0, 4), bytes.subarray(4)]), file('a/0', [])]),
  ).toEqual([
    { path: 'a/', size: 0, offset: 0, crc: 0 },
    { path: 'a/ü 中.txt', size: 10, offset: 32, crc: crc32(bytes) },
    { path: 'a/0', size: 0, offset: expect.any(Number), crc: 0 },
  ]);
});

test('uses 64-bit fields for a file of more than 4 GiB, later entries, and more than 65,535 entries', async () => {
  const megabytes = Buffer.alloc(64 * 1024 ** 2);
  const large = Array.from({ length: 65 }, () => megabytes);
  const found = await listed([file('large', large), file('behind', [Buffer.from('x')])]);
  expect(found).toMatchObject([
    { path: 'large', size: 65 * megabytes.length },
    { path: 'behind', size: 1, offset: expect.any(Number) },
  ]);
  expect(found[1]?.offset).toBeGreaterThan(2 ** 32);
  const many = Array.from({ length: 65_536 }, (_, index) => file(String(index), []));
  let last = Buffer.alloc(0);
  for await (const chunk of writeZip(many)) last = Buffer.from(chunk);
  expect(last.length).toBe(98);
  expect(Number(last.readBigUInt64LE(32))).toBe(65_536);
});

test('ends the archive with an error if a content has the wrong size', async () => {
  const short = file('short', [Buffer.from('123')], 4);
  await expect(Array.fromAsync(writeZip([short]))).rejects.toThrow('3 bytes');
});

test('announces the exact size of an archive of 2,000 files', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => file(`folder/${index}`, [Buffer.from('x')]));
  let total = 0;
  for await (const chunk of writeZip(many)) total += chunk.length;
  expect(zipSize(many)).toBe(total);
});

test('writes the same bytes in every time zone', async () => {
  const bytesIn = async (zone: string): Promise<string> => {
    vi.stubEnv('TZ', zone);
    const chunks = await Array.fromAsync(writeZip([file('a', [Buffer.from('x')])]));
    return Buffer.concat(chunks).toString('hex');
  };
  expect(await bytesIn('Asia/Shanghai')).toBe(await bytesIn('UTC'));
  vi.unstubAllEnvs();
});

test('closes a content when the reader stops before its end', async () => {
  let closed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(65_536);
    } finally {
      closed = true;
    }
  }
  const content = { size: 2 ** 40, open: async () => endless() };
  let taken = 0;
  for await (const chunk of writeZip([{ path: 'large', changedAt, content }])) {
    taken += chunk.length;
    if (taken > 100_000) break;
  }
  expect(closed).toBe(true);
});
