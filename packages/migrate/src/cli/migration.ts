import { randomBytes } from 'node:crypto';

import { nobody } from '../commit/approval-question.ts';
import type { CommitDeps, CommitOutcome } from '../commit/commit-chunks.ts';
import { commitChunks } from '../commit/commit-chunks.ts';
import { needsRecovery, recoverJournal } from '../commit/journal-recovery.ts';
import { unifiedDiff } from '../commit/unified-diff.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { countChunks } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import {
  hasQueue,
  openQueue,
  openQueueCopy,
  openQueueReader,
  QueueBusyError,
} from '../queue/queue-database.ts';
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
  readonly layout: TargetLayout;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** A person can answer questions. */
  readonly interactive: boolean;
  /** One command is one run, however often it commits. */
  readonly stamp: CommitDeps['stamp'];
}

export function openMigration(
  host: Host,
  options: { readonly root: string; readonly dryRun: boolean; readonly json: boolean },
): Migration {
  if (!hasQueue(options.root)) throw new UsageError(`nothing has been scanned into ${options.root} yet`);
  const queue = options.dryRun ? openQueueCopy(options.root) : openQueue(options.root);
  if (options.dryRun) sayUnsettled(host, queue);
  else recover(host, queue);
  return {
    host,
    queue,
    layout: readLayout(queue.root),
    dryRun: options.dryRun,
    json: options.json,
    interactive: isInteractive(host) && !options.json,
    stamp: newStamp(host),
  };
}

/** The same for reading only. It does not wait for a scan or a review that is running on the same queue. */
export function openMigrationReader(
  host: Host,
  options: { readonly root: string; readonly dryRun: boolean; readonly json: boolean },
): Migration {
  try {
    return openMigration(host, options);
  } catch (error) {
    if (!(error instanceof QueueBusyError)) throw error;
    host.stderr.write('Another migration is running. This is the state of its latest saved step.\n');
    const queue = openQueueReader(options.root);
    const { dryRun, json } = options;
    return {
      host,
      queue,
      layout: readLayout(queue.root),
      dryRun,
      json,
      interactive: false,
      stamp: newStamp(host),
    };
  }
}

function recover(host: Host, queue: QueueHandle): void {
  const { found, dropped } = recoverJournal(queue);
  if (found + dropped > 0) {
    host.stderr.write(
      `An earlier run was interrupted: ${plural(found, 'file')} had been written, ${dropped} had not.\n`,
    );
  }
}

function sayUnsettled(host: Host, queue: QueueHandle): void {
  if (needsRecovery(queue))
    host.stderr.write('An earlier run was interrupted. The next command without --dry-run recovers it.\n');
}

/** Run ids sort by time and are unique within a second. */
function newStamp(host: Host): CommitDeps['stamp'] {
  const at = host.now();
  return {
    at,
    run: `${at.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(3).toString('hex')}`,
  };
}

export async function commitFrom(
  migration: Migration,
  command: string,
  filter: ChunkFilter,
): Promise<CommitOutcome> {
  const { host, queue, layout, dryRun, stamp } = migration;
  const total = countChunks(queue.database, filter);
  const bar = progressBar(host, 'Committing', total);
  const preview = migration.json ? host.stderr : host.stdout;
  const paint = painter(preview);
  const interruption = host.watchInterrupt();
  try {
    return await commitChunks(
      {
        queue,
        layout,
        dryRun,
        command,
        stamp,
        ask: migration.interactive ? terminalAsker : nobody,
        isStopped: interruption.isRequested,
        onProgress: (done) =>
          bar.update(done, `${done.toLocaleString('en-US')} of ${plural(total, 'chunk')}`),
        onPreview: (change) => {
          for (const line of unifiedDiff(change, change.path)) {
            const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'reset';
            preview.write(`${paint(style, printable(line))}\n`);
          }
        },
      },
      filter,
    );
  } finally {
    bar.end();
    interruption.end();
  }
}
