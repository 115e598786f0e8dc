import type { DatabaseSync } from 'node:sqlite';

import { findChunk } from '../queue/chunk-store.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { Piece } from './journal-store.ts';
import { presentPieces } from './journal-store.ts';
import { CommitRefusedError } from './safe-path.ts';
import { unifiedDiff } from './unified-diff.ts';

/** The committed text of the earlier version of a chunk; null without one. */
export function standingEarlierPiece(
  database: DatabaseSync,
  { replaces }: Pick<QueuedChunk, 'replaces'>,
): Piece | null {
  if (replaces === null) return null;
  const [piece, ...others] = presentPieces(database, { chunks: [replaces] }).filter(
    ({ kind }) => kind !== 'copy',
  );
  if (piece === undefined) return null;
  if (piece.kind !== 'text' || others.length > 0)
    throw new CommitRefusedError(`its earlier version is a permission; first run undo --chunk ${replaces}`);
  return piece;
}

/** True where committing the chunk would change what was committed before. */
export function replacesCommitted(
  database: DatabaseSync,
  { replaces }: Pick<QueuedChunk, 'replaces'>,
): boolean {
  return replaces !== null && presentPieces(database, { chunks: [replaces] }).length > 0;
}

/** What was edited in the note since its earlier version was committed. */
export function changeSinceCommit(database: DatabaseSync, chunk: QueuedChunk): readonly string[] {
  const earlier = chunk.replaces === null ? null : findChunk(database, chunk.replaces);
  if (earlier === null || earlier === 'ambiguous') return [];
  const change = { before: Buffer.from(earlier.text), after: Buffer.from(chunk.text) };
  return unifiedDiff(change, chunk.source);
}
