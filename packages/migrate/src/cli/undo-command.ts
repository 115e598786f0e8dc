import { relative, resolve, sep } from 'node:path';

import type { PieceSelection } from '../commit/journal-store.ts';
import { listRuns, presentPieces } from '../commit/journal-store.ts';
import { relink } from '../commit/relink.ts';
import { removeEmptyFolders, undoPieces } from '../commit/undo-pieces.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { chunkIdsOf, filesNamed } from '../queue/source-store.ts';
import { RefusedError } from './approve-command.ts';
import type { UndoOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import type { Migration } from './migration.ts';
import { openMigration } from './migration.ts';
import { requireChunk } from './note-whereabouts.ts';
import { keepReport } from './report-file.ts';
import { plural, printable } from './terminal.ts';

interface Undone {
  readonly what: string;
  readonly files: number;
  readonly chunks: number;
}

export function undoCommand(options: UndoOptions, host: Host): number {
  const migration = openMigration(host, options);
  try {
    const undone: Undone[] = [];
    for (const { what, selection } of selectionsOf(options, migration)) {
      const one = undo(migration, what, selection);
      undone.push(one);
      const verb = options.dryRun ? 'Would undo' : 'Undone';
      if (!options.json)
        host.stdout.write(
          `${verb}: ${what}, ${plural(one.chunks, 'chunk')} out of ${plural(one.files, 'file')}\n`,
        );
    }
    if (!options.dryRun) {
      migration.learner.refresh();
      relink(migration.queue, migration.layout);
      keepReport(host, migration.queue, 'all');
    }
    if (options.json) host.stdout.write(`${JSON.stringify({ dryRun: options.dryRun, undone })}\n`);
    else if (undone.length === 0) host.stdout.write('Nothing to undo.\n');
    return exitCodes.done;
  } finally {
    if (!options.dryRun) removeEmptyFolders(migration.queue);
    migration.queue.close();
  }
}

interface UndoStep {
  readonly what: string;
  readonly selection: PieceSelection;
}

/** What is to be undone, the newest first. */
function* selectionsOf({ choice, dryRun }: UndoOptions, { queue }: Migration): Generator<UndoStep> {
  const next = (): UndoStep | null => stepOf(choice, queue);
  let step = next();
  if (step === null && 'value' in choice)
    throw new UsageError(`no committed chunks in ${choice.kind} ${choice.value}`);
  while (step !== null) {
    yield step;
    // Taking a newer version out puts the earlier one back: with --all and --file that goes too.
    step = !dryRun && (choice.kind === 'all' || choice.kind === 'file') ? next() : null;
  }
}

function stepOf(choice: UndoOptions['choice'], queue: QueueHandle): UndoStep | null {
  if (choice.kind === 'chunk') return ofChunks(queue, [requireChunk(queue, choice.value).id]);
  if (choice.kind === 'file') return ofFile(queue, choice.value);
  const open = listRuns(queue.database).filter(({ state }) => state !== 'undone');
  const run = choice.kind === 'run' ? open.find(({ id }) => id === choice.value) : open[0];
  return run === undefined ? null : { what: `run ${run.id}`, selection: { run: run.id } };
}

/** A file of the knowledge base, or a note that was scanned. */
function ofFile(queue: QueueHandle, given: string): UndoStep | null {
  const path = relative(queue.root, resolve(queue.root, given)).split(sep).join('/');
  if (presentPieces(queue.database, { path }).length > 0) return { what: path, selection: { path } };
  return ofChunks(
    queue,
    filesNamed(queue.database, given).flatMap(({ id }) => chunkIdsOf(queue.database, id)),
  );
}

/** The committed pieces of these chunks, or of their earlier versions. */
function ofChunks(queue: QueueHandle, ids: readonly string[]): UndoStep | null {
  const isThere = (id: string): boolean => presentPieces(queue.database, { chunks: [id] }).length > 0;
  const chunks = ids
    .map((id) => (isThere(id) ? id : (requireChunk(queue, id).replaces ?? id)))
    .filter(isThere);
  const what = chunks.length === 1 ? `chunk ${chunks[0]}` : plural(chunks.length, 'chunk');
  return chunks.length === 0 ? null : { what, selection: { chunks } };
}

function undo({ queue, dryRun, stamp }: Migration, what: string, selection: PieceSelection): Undone {
  const outcome = undoPieces(queue, selection, { dryRun, run: stamp.run });
  if (!outcome.ok) {
    const files = outcome.refused.map(({ path, reason }) => `  ${printable(path)}: ${reason}`);
    throw new RefusedError(`${what} is not undone, and nothing was changed:\n${files.join('\n')}`);
  }
  return { what, files: outcome.files, chunks: outcome.chunks };
}
