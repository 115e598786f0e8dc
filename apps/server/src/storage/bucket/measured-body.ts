import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Bucket, Received } from './bucket.ts';

/** Counts and hashes the bytes of a stream. */
export function createMeter(): {
  readonly measure: (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  readonly received: () => Received;
} {
  const hash = createHash('sha256');
  let size = 0;
  return {
    measure: async function* measure(chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    received: () => ({ size, sha256: hash.digest() }),
  };
}

/** Reads stored content once, without buffering it. */
export async function measureStored(
  bucket: Pick<Bucket, 'open'>,
  key: string,
  signal: AbortSignal,
): Promise<Received> {
  const { measure, received } = createMeter();
  const body = await bucket.open(key, null, signal);
  await pipeline(body, measure, new Writable({ write: (_chunk, _encoding, done) => done() }), { signal });
  return received();
}
