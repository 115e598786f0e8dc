import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';

import { nobody } from '../commit/approval-question.ts';
import type { CommitDeps, CommitOutcome } from '../commit/commit-chunks.ts';
import { commitChunks } from '../commit/commit-chunks.ts';
import { recoverJournal } from '../commit/journal-recovery.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { hasQueue, openQueue } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { unifiedDiff } from '../review/unified-diff.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import { readLayout } from '../targets/target-layout.ts';
import { UsageError } from './command-line.ts';
import type { Host } from './host.ts';
import { progressBar } from './progress-bar.ts';
import { terminalAsker } from './terminal-asker.ts';
import { isInteractive, painter, plural, printable } from './terminal.ts';

/** An open queue with what committing from it needs. */
export interface Migration {
  readonly host: Host;
  readonly queue: QueueHandle;
  readonly root: string;
  readonly layout: TargetLayout;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** A person can be asked. */
  readonly interactive: boolean;
}

export function openMigration(
  host: Host,
  options: { readonly root: string; readonly dryRun: boolean; readonly json: boolean },
): Migration {
  if (!hasQueue(options.root)) throw new UsageError(`nothing has been scanned into ${options.root} yet`);
  const queue = openQueue(options.root);
  const recovery = recoverJournal(queue);
  if (recovery.found + recovery.dropped > 0) {
    host.stderr.write(
      `An earlier run was cut short: ${plural(recovery.found, 'file')} had been written, ${recovery.dropped} had not.\n`,
    );
  }
  const root = realpathSync(options.root);
  const interactive = isInteractive(host) && !options.json;
  return {
    host,
    queue,
    root,
    layout: readLayout(root),
    dryRun: options.dryRun,
    json: options.json,
    interactive,
  };
}

/** Run ids sort by time and are told apart within a second. */
export function newStamp(host: Host): CommitDeps['stamp'] {
  const at = host.now();
  return {
    at,
    run: `${at.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(3).toString('hex')}`,
  };
}

export async function commitFrom(
  migration: Migration,
  command: string,
  chunks: Iterable<QueuedChunk>,
  total: number,
): Promise<CommitOutcome> {
  const { host, queue, root, layout, dryRun } = migration;
  const bar = progressBar(host, 'Committing', total);
  const preview = migration.json ? host.stderr : host.stdout;
  const paint = painter(preview);
  try {
    return await commitChunks(
      {
        queue,
        root,
        layout,
        dryRun,
        command,
        stamp: newStamp(host),
        ask: migration.interactive ? terminalAsker : nobody,
        onProgress: (done) =>
          bar.update(done, `${done.toLocaleString('en-US')} of ${plural(total, 'chunk')}`),
        onPreview: (change) => {
          for (const line of unifiedDiff(change, relative(root, change.path))) {
            const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'reset';
            preview.write(`${paint(style, printable(line))}\n`);
          }
        },
      },
      chunks,
    );
  } finally {
    bar.end();
  }
}
