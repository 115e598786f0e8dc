import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Kept } from '../src/storage/bucket/bucket.ts';
import {
  ReplacedPart,
  TakenKey,
  appendedPartBytes,
  partsOfStaged,
  tailPieceBytes,
} from '../src/storage/bucket/bucket.ts';
import type { Bucket } from '../src/storage/wiring.ts';

/** The state of appended bytes in an upload's row. */
interface AppendedRow {
  size: number;
  tags: string[];
  tail: Buffer[];
}

async function refuseToKeep(): Promise<void> {
  throw new Error('too late');
}

function keepIn(row: AppendedRow, kept: Kept): void {
  row.size = kept.size;
  if (kept.kind === 'tail') row.tail.push(kept.bytes);
  else {
    row.tail.length = 0;
    if (kept.tag !== null) row.tags.push(kept.tag);
  }
}

/** The contract of every adapter, as tests. */
export function testBucketContract(
  start: () => Promise<{ readonly bucket: Bucket; readonly stop: () => Promise<void> }>,
  /** Rounds of the race; each sends some hundred requests to the bucket. */
  rounds: number,
): void {
  let bucket: Bucket;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ bucket, stop } = await start());
  });
  afterAll(() => stop());

  const newKey = (): string => randomBytes(16).toString('hex');
  const never = new AbortController().signal;
  const stage = (key: string, bytes: Buffer) =>
    bucket.stage(key, { body: Readable.from([bytes]), size: bytes.length }, never);
  const put = (key: string, bytes: Buffer) =>
    bucket.put(key, { body: Readable.from([bytes]), size: bytes.length }, never);
  const stored = async (bytes: Buffer): Promise<string> => {
    const key = newKey();
    await bucket.publish((await stage(key, bytes)).name);
    return key;
  };
  const read = async (key: string, range: { first: number; last: number } | null = null): Promise<Buffer> =>
    buffer(await bucket.open(key, range, never));

  test.each([0, 1, 5 * 1024 * 1024 - 1, 5 * 1024 * 1024 + 1])(
    'stores and returns %i bytes unchanged, with their size and hash',
    async (size) => {
      const bytes = randomBytes(size);
      const key = newKey();
      const { name, ...received } = await stage(key, bytes);
      expect(received).toEqual({ size, sha256: createHash('sha256').update(bytes).digest() });
      expect(await bucket.sizeOf(key)).toBe(null);
      await bucket.publish(name);
      expect((await read(key)).equals(bytes)).toBe(true);
      expect(await bucket.sizeOf(key)).toBe(size);
    },
  );

  test.each([0, 1, 5 * 1024 * 1024 - 1, 5 * 1024 * 1024 + 1])(
    'stores and returns %i bytes that are put at once unchanged, with their size and hash',
    async (size) => {
      const bytes = randomBytes(size);
      const key = newKey();
      const received = await put(key, bytes);
      expect(received).toEqual({ size, sha256: createHash('sha256').update(bytes).digest() });
      expect((await read(key)).equals(bytes)).toBe(true);
      expect(await Array.fromAsync(bucket.staged())).toEqual([]);
    },
  );

  test('put never replaces an existing object', async () => {
    const [published, whole] = [await stored(Buffer.from('one')), newKey()];
    await put(whole, Buffer.from('one'));
    for (const key of [published, whole]) {
      await expect(put(key, Buffer.from('two'))).rejects.toThrow(TakenKey);
      expect((await read(key)).toString()).toBe('one');
    }
    expect(await Array.fromAsync(bucket.staged())).toEqual([]);
  });

  test('reads the requested range', async () => {
    const key = await stored(Buffer.from('The quick brown fox'));
    expect((await read(key, { first: 4, last: 8 })).toString()).toBe('quick');
  });

  test('never replaces a published object, and publishing again changes nothing', async () => {
    const key = newKey();
    const [first, second] = [await stage(key, Buffer.from('one')), await stage(key, Buffer.from('two'))];
    await bucket.publish(first.name);
    await bucket.publish(first.name);
    await bucket.publish(second.name);
    expect((await read(key)).toString()).toBe('one');
    await bucket.discard(second.name);
    expect((await read(key)).toString()).toBe('one');
    expect(await Array.fromAsync(bucket.staged())).toEqual([]);
  });

  test('lets many callers publish the same object at the same time', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const key = newKey();
      const { name } = await stage(key, Buffer.from('one'));
      const late = async (turns: number): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        await bucket.publish(name);
      };
      await Promise.all(Array.from({ length: 40 }, (_, turns) => late(turns)));
      expect((await read(key)).toString()).toBe('one');
    }
    const discarded = await stage(newKey(), Buffer.from('one'));
    await bucket.discard(discarded.name);
    await expect(bucket.publish(discarded.name)).rejects.toThrow(/no such file|NoSuchUpload|UnknownError/);
    expect(await Array.fromAsync(bucket.staged())).toEqual([]);
  });

  test.each(['stage', 'put'] as const)('%s leaves nothing of a partial upload', async (method) => {
    const key = newKey();
    const failing = Readable.from(
      (function* fail() {
        yield Buffer.from('half');
        throw new Error('the line was cut');
      })(),
    );
    await expect(bucket[method](key, { body: failing, size: 8 }, never)).rejects.toThrow('the line was cut');
    const controller = new AbortController();
    const endless = Readable.from(
      (async function* wait() {
        yield Buffer.from('half');
        controller.abort();
        await new Promise(() => {});
      })(),
    );
    await expect(bucket[method](key, { body: endless, size: 8 }, controller.signal)).rejects.toThrow(
      'aborted',
    );
    expect([await bucket.sizeOf(key), await Array.fromAsync(bucket.staged())]).toEqual([null, []]);
  });

  test('deletes staged objects that are discarded', async () => {
    const { name: unwanted } = await stage(newKey(), Buffer.from('all'));
    expect(await Array.fromAsync(bucket.staged())).toEqual([unwanted]);
    await bucket.discard(unwanted);
    await bucket.discard(unwanted);
    expect(await Array.fromAsync(bucket.staged())).toEqual([]);
  });

  test('discards a published name without its object', async () => {
    const bytes = randomBytes(5 * 1024 * 1024 + 1);
    const { name } = await stage(newKey(), bytes);
    const { key } = partsOfStaged(name);
    await bucket.publish(name);
    await bucket.discardPublished(name);
    expect((await read(key)).equals(bytes)).toBe(true);
    await bucket.remove(key);
    await bucket.discardPublished(name);
    expect([await bucket.sizeOf(key), await Array.fromAsync(bucket.staged())]).toEqual([null, []]);
  });

  test('removes only the given object, also the second time', async () => {
    const [gone, kept] = [await stored(Buffer.from('a')), await stored(Buffer.from('b'))];
    await bucket.remove(gone);
    await bucket.remove(gone);
    expect([await bucket.sizeOf(gone), await bucket.sizeOf(kept)]).toEqual([null, 1]);
    await expect(read(gone)).rejects.toThrow(gone);
  });

  describe('appended bytes', () => {
    const part = appendedPartBytes;

    /** Sends the bytes in requests that end at these places, and stores the returned state like an upload's row. */
    async function appendAll(
      name: string,
      bytes: Buffer,
      ends: readonly number[],
      row: AppendedRow = { size: 0, tags: [], tail: [] },
    ): Promise<AppendedRow> {
      for (const to of ends) await bucket.appending.append(name, piece(bytes, row, to), never);
      return row;
    }

    function piece(bytes: Buffer, row: AppendedRow, to: number, body?: AsyncIterable<Buffer>) {
      return {
        body: body ?? Readable.from([bytes.subarray(row.size, to)]),
        from: row.size,
        to,
        total: bytes.length,
        tail: () => Readable.from(row.tail) as AsyncIterable<Buffer>,
        keep: async (kept: Kept) => keepIn(row, kept),
      };
    }

    test.each([
      [1, [1]],
      [5, [1, 2, 5]],
      [part, [1, part]],
      [part + 1, [part, part + 1]],
      [2 * part + 7, [part - 1, part + 1, 2 * part + 6, 2 * part + 7]],
      [3 * part, [3 * part]],
    ])('%i bytes in requests that end at %j are returned unchanged', async (size, ends) => {
      const bytes = randomBytes(size);
      const key = newKey();
      const name = await bucket.appending.begin(key);
      const { tags, tail } = await appendAll(name, bytes, ends);
      expect([tail, await bucket.sizeOf(key)]).toEqual([[], null]);
      await bucket.publish(name, tags);
      await bucket.publish(name, tags);
      expect((await read(key)).equals(bytes)).toBe(true);
      expect(await Array.fromAsync(bucket.staged())).toEqual([]);
    });

    test('resume where a request broke off, and never report more as durable than is', async () => {
      const bytes = randomBytes(part + 1_000_000);
      const name = await bucket.appending.begin(newKey());
      const row = await appendAll(name, bytes, [part + 100]);
      const cut = Readable.from(
        (function* fail() {
          yield bytes.subarray(row.size, row.size + 300_000);
          throw new Error('the line was cut');
        })(),
      );
      const broken = bucket.appending.append(name, piece(bytes, row, part + 900_000, cut), never);
      await expect(broken).rejects.toThrow('the line was cut');
      expect(row.size).toBe(part + 300_100);
      expect(row.tail.every(({ length }) => length <= tailPieceBytes)).toBe(true);
      await appendAll(name, bytes, [bytes.length], row);
      await bucket.publish(name, row.tags);
      expect((await read(partsOfStaged(name).key)).equals(bytes)).toBe(true);
    });

    test('never publish what a writer sends after it was taken over', async () => {
      const [bytes, others] = [randomBytes(part + 5), randomBytes(part + 5)];
      const key = newKey();
      const name = await bucket.appending.begin(key);
      const frozen = Promise.withResolvers<null>();
      const started = Promise.withResolvers<null>();
      const row: AppendedRow = { size: 0, tags: [], tail: [] };
      const late = Readable.from(
        (async function* freeze() {
          yield others.subarray(0, 1_000);
          started.resolve(null);
          await frozen.promise;
          yield others.subarray(1_000);
        })(),
      );
      const refused = { ...piece(others, { ...row }, others.length, late), keep: refuseToKeep };
      const waking = bucket.appending.append(name, refused, never);
      await started.promise;
      const own = await bucket.appending.takeOver(name, 0);
      const { tags } = await appendAll(own, bytes, [bytes.length], row);
      frozen.resolve(null);
      await expect(waking).rejects.toThrow('too late');
      const published = bucket.publish(own, tags).then(
        () => read(key),
        (error: unknown) => error,
      );
      // Both are correct: its bytes are absent, or everything it spoiled is refused.
      const outcome = await published;
      expect(outcome instanceof ReplacedPart || (outcome as Buffer).equals(bytes)).toBe(true);
      expect(await bucket.sizeOf(key)).toBe(outcome instanceof ReplacedPart ? null : bytes.length);
      await bucket.discard(name);
      await bucket.discard(own);
      expect(await Array.fromAsync(bucket.staged())).toEqual([]);
    });
  });

  test('lists objects in the order of their keys', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => stored(Buffer.from('x'))));
    const listed = (await Array.fromAsync(bucket.objects())).map(({ key }) => key);
    expect(listed).toEqual([...listed].sort());
    expect(listed).toEqual(expect.arrayContaining(keys));
  });

  test('stops reading when the reader disconnects', async () => {
    const key = await stored(randomBytes(4 * 1024 * 1024));
    const controller = new AbortController();
    const stream = await bucket.open(key, null, controller.signal);
    stream.once('data', () => controller.abort());
    await expect(buffer(stream)).rejects.toThrow('aborted');
  });

  test.each(['../../etc/passwd', 'A'.repeat(32), '', `${'a'.repeat(31)}/`])(
    'refuses a key in an unknown format (%j)',
    async (key) => {
      await expect(bucket.sizeOf(key)).rejects.toThrow(RangeError);
    },
  );
}
