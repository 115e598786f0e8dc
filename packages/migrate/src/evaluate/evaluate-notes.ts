import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readGroups } from '../queue/chunk-group-store.ts';
import { findChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { openQueueCopy } from '../queue/queue-database.ts';
import type { Classify } from '../queue/scan-deps.ts';
import { scanSource } from '../queue/scan-source.ts';
import { chunkIdsOf, findFile, listRoots, rootId } from '../queue/source-store.ts';
import type { LabelledNote } from './labelled-note.ts';
import { LabelError } from './labelled-note.ts';
import type { NoteScore, VaultSize } from './note-score.ts';
import { scoreNote } from './note-score.ts';

/** Scans each vault that the labels name into a temporary queue, as `scan` does, and compares the proposals. */
export async function evaluateNotes(
  labels: readonly LabelledNote[],
  vaults: string,
  deps: { readonly classify: Classify; readonly onVault: (name: string) => void },
): Promise<readonly NoteScore[]> {
  const scores: NoteScore[] = [];
  for (const [name, notes] of Map.groupBy(labels, ({ vault }) => vault)) {
    deps.onVault(name);
    const folder = join(vaults, name);
    if (!existsSync(folder)) throw new LabelError(`folder not found: ${folder}`);
    const queue = openQueueCopy(join(vaults, '.no-knowledge-base'));
    try {
      const { files } = await scanSource(folder, false, {
        queue,
        classify: deps.classify,
        onFile: () => undefined,
      });
      const size = { vaultNotes: files, vaultTargets: readGroups(queue.database).length };
      scores.push(...notes.map((label) => scoreOf(queue, label, size)));
    } finally {
      queue.close();
    }
  }
  return scores;
}

function scoreOf(queue: QueueHandle, label: LabelledNote, size: VaultSize): NoteScore {
  const { database } = queue;
  const [root = ''] = listRoots(database);
  const file = findFile(database, rootId(database, root), label.path);
  if (file === null) throw new LabelError(`${label.vault} has no note ${label.path}`);
  const chunks = chunkIdsOf(database, file.id).flatMap((id) => {
    const chunk = findChunk(database, id);
    return chunk === null || chunk === 'ambiguous' ? [] : [chunk];
  });
  return scoreNote(label, chunks, size);
}
