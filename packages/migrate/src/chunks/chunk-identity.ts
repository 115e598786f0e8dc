import { createHash } from 'node:crypto';

import type { Chunk } from './chunk.ts';

export const idHexDigits = 24;

/** Where a chunk was found, as its identity knows it: null for pasted text, which has no place. */
type Origin = string | null;

/**
 * Derives ids from the content and place of the chunks, so that a second scan gets the same ids. Equal chunks of
 * one section differ by their order.
 */
export function identifyChunks(origin: Origin, chunks: readonly Chunk[]): readonly string[] {
  const seen = new Map<string, number>();
  return chunks.map((chunk) => {
    const place = origin === null ? [] : [origin, chunk.headings];
    const key = digest(JSON.stringify([place, chunk.text]));
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return (ordinal === 0 ? key : digest(`${key} ${ordinal}`)).slice(0, idHexDigits);
  });
}

/** The id of a text that comes back after another version of it. */
export function versionId(id: string, before: string): string {
  return digest(`${id} after ${before}`).slice(0, idHexDigits);
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
