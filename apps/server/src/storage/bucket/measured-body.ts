import { createHash } from 'node:crypto';

import type { Received } from './bucket.ts';

/** Counts and hashes what flows through. */
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
