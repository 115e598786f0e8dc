import { createHash } from 'node:crypto';

import type { Chunk } from './chunk.ts';
import { textPieces } from './text-pieces.ts';

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
    const key = contentDigest(place, chunk.text);
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return (ordinal === 0 ? key : digest(`${key} ${ordinal}`)).slice(0, idHexDigits);
  });
}

/** The id of a text that comes back after another version of it. */
export function versionId(id: string, before: string): string {
  return digest(`${id} after ${before}`).slice(0, idHexDigits);
}

/** Of `JSON.stringify([place, text])`, which of a long note would be a second copy. */
function contentDigest(place: readonly unknown[], text: string): string {
  const hash = createHash('sha256').update(`[${JSON.stringify(place)},"`);
  for (const piece of textPieces(text)) hash.update(JSON.stringify(piece).slice(1, -1));
  return hash.update('"]').digest('hex');
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
