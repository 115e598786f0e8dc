import { relative } from 'node:path';

import { listRuns } from '../commit/commit-journal.ts';
import { undoRun } from '../commit/undo-run.ts';
import { RefusedError } from './approve-command.ts';
import type { UndoOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import { openMigration } from './migration.ts';
import { keepReport } from './report-file.ts';
import { plural, printable } from './terminal.ts';

export function undoCommand(options: UndoOptions, host: Host): number {
  const migration = openMigration(host, options);
  const { queue, root } = migration;
  try {
    const open = listRuns(queue.database).filter(({ state }) => state !== 'undone');
    const chosen =
      options.run === null
        ? options.all
          ? open
          : open.slice(0, 1)
        : open.filter(({ id }) => id === options.run);
    if (options.run !== null && chosen.length === 0)
      throw new UsageError(`there is no run ${options.run} to undo`);
    const undone: { run: string; files: number; chunks: number }[] = [];
    for (const { id } of chosen) {
      const outcome = undoRun(queue, id, { dryRun: options.dryRun });
      if (!outcome.ok) {
        const files = outcome.edited.map((path) => printable(relative(root, path))).join(', ');
        throw new RefusedError(`run ${id} is not undone: edited or removed since: ${files}`);
      }
      undone.push({ run: id, files: outcome.files, chunks: outcome.chunks });
      if (!options.json) {
        const verb = options.dryRun ? 'Would undo' : 'Undone';
        host.stdout.write(
          `${verb}: run ${id}, ${plural(outcome.chunks, 'chunk')} out of ${plural(outcome.files, 'file')}\n`,
        );
      }
    }
    if (!options.dryRun) keepReport(host, queue);
    if (options.json) host.stdout.write(`${JSON.stringify({ dryRun: options.dryRun, undone })}\n`);
    else if (undone.length === 0) host.stdout.write('There is nothing to undo.\n');
    return exitCodes.done;
  } finally {
    queue.close();
  }
}
