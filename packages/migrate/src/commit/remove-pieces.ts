import { join } from 'node:path';

import type { QueueHandle } from '../queue/queue-database.ts';
import type { FileChange, NewPiece } from './file-change.ts';
import { absent, hashFile, readIfThere } from './file-change.ts';
import type { Piece } from './journal-store.ts';
import { createdHeading, presentPieces, replacedPiece } from './journal-store.ts';
import { CommitRefusedError, refuseReadOnly, safeFilePath } from './safe-path.ts';
import { removePermission } from './settings-permission.ts';

/** What taking pieces out of one file would do, or why it must not be done. */
export type Removal = FileChange | { readonly path: string; readonly refused: string };

/** All pieces are of one file, the newest first. */
export function planRemoval(queue: QueueHandle, path: string, pieces: readonly Piece[]): Removal {
  try {
    if (safeFilePath(queue.root, path) !== path) return { path, refused: 'it is now a symbolic link' };
    refuseReadOnly(join(queue.root, path));
  } catch (error) {
    if (error instanceof CommitRefusedError) return { path, refused: error.message };
    throw error;
  }
  if (pieces[0]?.kind === 'copy') return withoutCopy(queue, path, pieces);
  const before = readIfThere(join(queue.root, path));
  if (before === null) return { path, refused: 'it was deleted after the commit' };
  const left =
    pieces[0]?.kind === 'settings' ? withoutSettings(before, pieces) : withoutTexts(before, pieces);
  if (left === null) return { path, refused: 'it was edited after the commit' };
  const heading = createdHeading(queue.database, path);
  const isEmptied = heading !== null && left.equals(Buffer.from(heading));
  const remove = pieces.map(({ ordinal }) => ordinal);
  const add = pieces.flatMap((piece) => earlierPiece(queue, piece));
  return { path, before, after: isEmptied ? null : left, add, remove, heading: '' };
}

/** Removing a newer version restores the version that it replaced. */
function earlierPiece({ database }: QueueHandle, piece: Piece): readonly NewPiece[] {
  const earlier = piece.kind === 'text' && piece.before !== null ? replacedPiece(database, piece) : null;
  if (earlier === null) return [];
  const { chunk, kind, text, before, run } = earlier;
  return [{ chunk, kind, text, before, run }];
}

/** A copy is deleted with the last chunk that refers to it. A copy that the user has changed since stays. */
function withoutCopy(queue: QueueHandle, path: string, pieces: readonly Piece[]): FileChange {
  const remove = pieces.map(({ ordinal }) => ordinal);
  const hash = hashFile(join(queue.root, path));
  const isNeeded = presentPieces(queue.database, { path }).some(({ ordinal }) => !remove.includes(ordinal));
  const now = hash === absent ? null : { from: null, hash };
  const isOurs = hash === pieces[0]?.text;
  return { path, before: now, after: isNeeded || !isOurs ? now : null, add: [], remove, heading: '' };
}

/**
 * Pieces were appended one after another, so each is looked for just before the one that followed it: the work grows
 * with the file, not with the file times its pieces. Elsewhere only if the person has moved it.
 */
function withoutTexts(bytes: Buffer, pieces: readonly Piece[]): Buffer | null {
  const cuts: { readonly start: number; readonly end: number; readonly before: string | null }[] = [];
  let limit = bytes.length;
  for (const piece of pieces) {
    const text = Buffer.from(piece.text);
    const start = lastFreeIndex(bytes, text, limit, cuts);
    if (start === -1) return null;
    cuts.push({ start, end: start + text.length, before: piece.before });
    limit = start;
  }
  cuts.sort((one, other) => one.start - other.start);
  const kept: Buffer[] = [];
  let at = 0;
  for (const { start, end, before } of cuts) {
    kept.push(bytes.subarray(at, start), Buffer.from(before ?? ''));
    at = end;
  }
  return Buffer.concat([...kept, bytes.subarray(at)]);
}

function lastFreeIndex(
  bytes: Buffer,
  text: Buffer,
  limit: number,
  cuts: readonly { readonly start: number; readonly end: number }[],
): number {
  const before = limit - text.length < 0 ? -1 : bytes.lastIndexOf(text, limit - text.length);
  if (before !== -1) return before;
  let from = bytes.length;
  for (;;) {
    const start = from < 0 ? -1 : bytes.lastIndexOf(text, from);
    if (start === -1) return -1;
    const end = start + text.length;
    if (!cuts.some((cut) => cut.start < end && start < cut.end)) return start;
    from = start - 1;
  }
}

/** Restores the bytes of an unchanged file; otherwise removes only the permissions themselves. */
function withoutSettings(bytes: Buffer, pieces: readonly Piece[]): Buffer | null {
  let text = bytes.toString('utf8');
  for (const piece of pieces) {
    if (text === piece.text) text = piece.before ?? '';
    else {
      const without = removePermission(text, piece.before, piece.text);
      if (without === null) return null;
      text = without;
    }
  }
  return Buffer.from(text);
}
