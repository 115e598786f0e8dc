import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { reopenChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { applyChanges } from './apply-changes.ts';
import type { FileChange } from './file-change.ts';
import type { Piece, PieceSelection } from './journal-store.ts';
import { createdFolders, forgetCreated, presentPieces } from './journal-store.ts';
import type { Removal } from './remove-pieces.ts';
import { planRemoval } from './remove-pieces.ts';

export type UndoOutcome =
  | { readonly ok: true; readonly files: number; readonly chunks: number }
  | { readonly ok: false; readonly refused: readonly { readonly path: string; readonly reason: string }[] };

/** Maximum number of files in memory at once. */
const filesPerGroup = 100;

/** Removes committed pieces. Changes nothing if any piece was edited since. */
export function undoPieces(
  queue: QueueHandle,
  selection: PieceSelection,
  options: { readonly dryRun: boolean; readonly run: string },
): UndoOutcome {
  const pieces = presentPieces(queue.database, selection);
  const files = [...Map.groupBy(pieces, ({ path }) => path)];
  const refused: { readonly path: string; readonly reason: string }[] = [];
  for (const [path, ofFile] of files) {
    const removal = planRemoval(queue, path, ofFile);
    if ('refused' in removal) refused.push({ path, reason: removal.refused });
  }
  if (refused.length > 0) return { ok: false, refused };
  const chunks = new Set(pieces.map(({ chunk }) => chunk)).size;
  if (options.dryRun) return { ok: true, files: files.length, chunks };
  for (let at = 0; at < files.length; at += filesPerGroup) {
    removeFromFiles(queue, options.run, files.slice(at, at + filesPerGroup));
  }
  return { ok: true, files: files.length, chunks };
}

/** Throws where a file was edited between the look and the change. */
export function removeFromFiles(
  queue: QueueHandle,
  run: string,
  files: readonly (readonly [string, readonly Piece[]])[],
): void {
  const changes = files.map(([path, pieces]) => requireChange(planRemoval(queue, path, pieces)));
  const failures = applyChanges(queue, run, changes, () => {
    const chunks = new Set(files.flatMap(([, pieces]) => pieces.map(({ chunk }) => chunk)));
    for (const chunk of chunks) {
      if (presentPieces(queue.database, { chunks: [chunk] }).length === 0) reopenChunk(queue.database, chunk);
    }
  });
  const [first] = failures;
  if (first !== undefined) throw new Error(`${first.path} could not be undone: ${first.reason}`);
}

function requireChange(removal: Removal): FileChange {
  if ('refused' in removal) throw new Error(`${removal.path} could not be undone: ${removal.refused}`);
  return removal;
}

/** Empty folders that a migration created, also those that a killed undo left. */
export function removeEmptyFolders(queue: QueueHandle): void {
  for (const folder of createdFolders(queue.database)) {
    const path = join(queue.root, folder);
    const isThere = existsSync(path);
    if (isThere && readdirSync(path).length > 0) continue;
    if (isThere) rmdirSync(path);
    forgetCreated(queue.database, `${folder}/`);
  }
}
