import { removeIndexPages, saveList, writeIndexPages } from '../report/index-pages.ts';
import type { IndexOptions } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import { openMigration } from './migration.ts';
import { plural, printable } from './terminal.ts';

/** Writes the index pages of the knowledge base, or deletes them. Later runs update them. */
export function indexCommand(options: IndexOptions, host: Host): number {
  const { queue } = openMigration(host, options);
  try {
    const earlier = options.dryRun ? [] : removeIndexPages(queue);
    const outcome = options.remove
      ? { written: [], removed: earlier, refused: [] }
      : writeIndexPages(queue, { backlinks: options.backlinks, dryRun: options.dryRun });
    if (queue.folder !== null && outcome.written.length > 0) saveList(queue.folder, outcome.written);
    if (options.json) host.stdout.write(`${JSON.stringify(outcome)}\n`);
    else {
      const verb = options.dryRun ? 'Would write' : 'Wrote';
      host.stdout.write(
        options.remove
          ? `Deleted ${plural(outcome.removed.length, 'index page')}.\n`
          : `${verb} ${plural(outcome.written.length, 'index page')}.\n`,
      );
      for (const path of outcome.written) host.stdout.write(`  ${printable(path)}\n`);
      for (const path of outcome.refused)
        host.stderr.write(`${printable(path)} is your own file and was not changed.\n`);
    }
    return outcome.refused.length > 0 ? exitCodes.failed : exitCodes.done;
  } finally {
    queue.close();
  }
}
