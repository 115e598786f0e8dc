import type { Chunk } from '../chunks/chunk.ts';
import type { QueuedChunk } from './queued-chunk.ts';

/** A chunk as it is now, with the one it was at the scan before. */
export interface MatchedChunk {
  readonly chunk: Chunk;
  readonly before: QueuedChunk | null;
}

/** Shared lines, of all lines, from which on two texts are versions of one. */
const alikeFrom = 0.5;

/**
 * Finds for each chunk of an edited note the earlier version of it: first those that are unchanged, then those of the
 * same section, then those that share most of their lines.
 */
export function matchChunks(now: readonly Chunk[], before: readonly QueuedChunk[]): readonly MatchedChunk[] {
  const left = [...before];
  const found = new Map<Chunk, QueuedChunk>();
  const match = (isSame: (one: Chunk, other: QueuedChunk) => boolean): void => {
    for (const chunk of now) {
      if (found.has(chunk)) continue;
      const at = left.findIndex((other) => isSame(chunk, other));
      const [other] = at === -1 ? [] : left.splice(at, 1);
      if (other !== undefined) found.set(chunk, other);
    }
  };
  match((one, other) => one.text === other.text && isSameSection(one, other));
  match((one, other) => one.text === other.text);
  if (left.length > 0) match(isSameSection);
  if (left.length > 0) match((one, other) => likeness(one.text, other.text) >= alikeFrom);
  return now.map((chunk) => ({ chunk, before: found.get(chunk) ?? null }));
}

function isSameSection(one: Pick<Chunk, 'headings'>, other: Pick<Chunk, 'headings'>): boolean {
  return one.headings.join('\n') === other.headings.join('\n');
}

function likeness(one: string, other: string): number {
  const [lines, others] = [linesOf(one), linesOf(other)];
  const shared = [...lines].filter((line) => others.has(line)).length;
  return shared / Math.max(lines.size, others.size, 1);
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
}
