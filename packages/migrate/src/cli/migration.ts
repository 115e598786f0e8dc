import { randomBytes } from 'node:crypto';

import type { Asker } from '../commit/approval-question.ts';
import { unattended } from '../commit/approval-question.ts';
import type { CommitDeps, CommitOutcome } from '../commit/commit-chunks.ts';
import { commitChunks } from '../commit/commit-chunks.ts';
import { needsRecovery, recoverJournal } from '../commit/journal-recovery.ts';
import { unifiedDiff } from '../commit/unified-diff.ts';
import { Learner } from '../learn/learner.ts';
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
import { DialogAsker, secretLine } from './dialog-asker.ts';
import type { Dialog } from './dialog.ts';
import { terminalDialog } from './dialog.ts';
import type { Host } from './host.ts';
import type { LineInput } from './line-dialog.ts';
import { lineDialog, openLines } from './line-dialog.ts';
import { progressBar } from './progress-bar.ts';
import { isInteractive, painter, plural, printable } from './terminal.ts';

/** An open queue with what committing from it needs. */
export interface Migration {
  readonly host: Host;
  readonly queue: QueueHandle;
  readonly layout: TargetLayout;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** Null if no user can answer. */
  readonly dialog: Dialog | null;
  /** Where answers come from if standard input is no terminal; null at a terminal. */
  readonly lines: LineInput | null;
  readonly learner: Learner;
  readonly allowedDimensions: CommitDeps['allowedDimensions'];
  /** One command is one run, however often it commits. */
  readonly stamp: CommitDeps['stamp'];
}

interface OpenOptions {
  readonly root: string;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** Without a terminal, the questions are answered on lines of standard input. */
  readonly asksOnLines?: boolean;
}

export function openMigration(host: Host, options: OpenOptions): Migration {
  if (!hasQueue(options.root)) throw new UsageError(`nothing has been scanned into ${options.root} yet`);
  const queue = options.dryRun ? openQueueCopy(options.root) : openQueue(options.root);
  if (options.dryRun) sayUnsettled(host, queue);
  else recover(host, queue);
  const isTerminal = isInteractive(host);
  const lines = options.asksOnLines === true && !isTerminal && !options.json ? openLines(host) : null;
  const dialog =
    lines === null ? (isTerminal && !options.json ? terminalDialog : null) : lineDialog(host, lines);
  return {
    host,
    queue,
    layout: readLayout(queue.root),
    dryRun: options.dryRun,
    json: options.json,
    dialog,
    lines,
    learner: new Learner(queue.database),
    allowedDimensions: new Set(),
    stamp: newStamp(host),
  };
}

/** The same for reading only. It does not wait for a scan or a review that is running on the same queue. */
export function openMigrationReader(host: Host, options: OpenOptions): Migration {
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
      dialog: null,
      lines: null,
      learner: new Learner(queue.database),
      allowedDimensions: new Set(),
      stamp: newStamp(host),
    };
  }
}

function recover(host: Host, queue: QueueHandle): void {
  const { found, dropped } = recoverJournal(queue);
  if (found + dropped > 0) {
    host.stderr.write(
      `An earlier run was interrupted: ${plural(found, 'file')} had been written, and ${dropped} had not.\n`,
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

/** Without a user, notes with secrets are listed and then committed: the command requested all of them. */
function askerOf({ dialog, host }: Migration): Asker {
  if (dialog !== null) return new DialogAsker(dialog);
  return {
    ...unattended,
    secrets: (found) => {
      const lines = found.map((one) => `  ${secretLine(one)}\n`);
      host.stderr.write(
        `Check the copies of ${plural(found.length, 'note')} with secrets:\n${lines.join('')}`,
      );
      return Promise.resolve('yes');
    },
  };
}

export async function commitFrom(
  migration: Migration,
  command: string,
  filter: ChunkFilter,
): Promise<CommitOutcome> {
  const { host, queue, layout, dryRun, stamp } = migration;
  const total = countChunks(queue.database, filter);
  const bar = progressBar(host, { label: 'Committing', unit: 'chunks', total });
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
        ask: askerOf(migration),
        allowedDimensions: migration.allowedDimensions,
        isStopped: interruption.isRequested,
        onProgress: bar.update,
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
