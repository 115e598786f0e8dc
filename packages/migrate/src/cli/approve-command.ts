import type { CommitOutcome } from '../commit/commit-chunks.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { decideChunk, restoreChunk } from '../queue/chunk-store.ts';
import { completionSummary, totalCommitted } from '../report/completion-summary.ts';
import { dataviewWarnings } from '../report/dataview-warning.ts';
import { interviewQuestions } from '../report/interview.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import { routingTable } from '../report/routing-table.ts';
import { guidedFlow } from '../review/guided-flow.ts';
import { reviewAndCommit } from '../review/review-and-commit.ts';
import type { Target } from '../targets/target.ts';
import type { ApproveMode, ApproveOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import type { Migration } from './migration.ts';
import { commitFrom, openMigration } from './migration.ts';
import { requireChunk } from './note-whereabouts.ts';
import { keepReport } from './report-file.ts';
import { painter, printable } from './terminal.ts';

/** Refused by the rules of the migration, not by the command line. */
export class RefusedError extends Error {}

const warningsShown = 5;

/** What is pending and has a target: those approved earlier but not yet committed too. */
const routable: ChunkFilter = { states: ['scanned', 'approved', 'modified', 'unclear'] };

export async function approveCommand(options: ApproveOptions, host: Host): Promise<number> {
  const { mode } = options;
  if (mode.kind === 'target' && mode.target === 'UNCLEAR') {
    throw new RefusedError('UNCLEAR chunks cannot be approved in bulk; place each with --review or --modify');
  }
  const asksOnLines = mode.kind === 'guided' || mode.kind === 'review';
  const migration = openMigration(host, { ...options, asksOnLines });
  try {
    if (mode.kind === 'restore') return restore(options, migration, mode.id);
    if (mode.kind === 'guided' && migration.dialog === null) return showOptions(options, migration);
    return report(options, migration, await follow(migration, mode));
  } finally {
    migration.queue.close();
  }
}

async function follow(
  migration: Migration,
  mode: Exclude<ApproveMode, { readonly kind: 'restore' }>,
): Promise<CommitOutcome> {
  if (mode.kind === 'all') return commitFrom(migration, 'approve --approve-all', routable);
  if (mode.kind === 'target') {
    const { target } = mode;
    return commitFrom(migration, `approve --approve-target ${target}`, { ...routable, target });
  }
  if (mode.kind === 'modify') return modify(migration, mode.id, mode.target);
  if (migration.dialog === null) throw new UsageError('--review asks questions; use it without --json');
  if (mode.kind === 'guided') return guidedFlow(migration, migration.dialog);
  return reviewAndCommit(migration, migration.dialog, { states: ['scanned', 'unclear'] });
}

async function modify(migration: Migration, id: string, target: Target): Promise<CommitOutcome> {
  const { database } = migration.queue;
  if (target === 'UNCLEAR') throw new UsageError('UNCLEAR is not a target; choose another target');
  const chunk = requireChunk(migration.queue, id);
  if (chunk.state === 'committed')
    throw new UsageError(`chunk ${id} is already committed; undo it first with undo --chunk ${id}`);
  const chosen = target === chunk.proposed ? null : target;
  // An approval of the newer version of a chunk replaces the earlier one.
  const consent = chunk.replaces === null ? {} : { replace: true as const };
  decideChunk(database, chunk.id, { state: chosen === null ? 'approved' : 'modified', chosen, consent });
  const kind = chosen === null ? 'approval' : 'correction';
  const { sentence } = migration.learner.learn([chunk.id], target, kind);
  if (sentence !== '' && !migration.json) migration.host.stdout.write(`${sentence}\n`);
  const command = `approve --modify ${chunk.id} --target ${target}`;
  return commitFrom(migration, command, { ...routable, id: chunk.id });
}

function restore(options: ApproveOptions, { host, queue }: Migration, id: string): number {
  const chunk = requireChunk(queue, id);
  if (chunk.state !== 'rejected')
    throw new UsageError(`chunk ${id} is not rejected; list rejected chunks with status --rejected`);
  restoreChunk(queue.database, chunk.id);
  if (options.json) host.stdout.write(`${JSON.stringify({ restored: chunk.id })}\n`);
  else host.stdout.write(`Restored: ${printable(chunk.source)}, pending again\n`);
  return exitCodes.done;
}

function showOptions(options: ApproveOptions, migration: Migration): number {
  const { stdout } = migration.host;
  const summary = readRoutingSummary(migration.queue.database);
  if (options.json) stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    stdout.write(`${routingTable(summary, painter(stdout))}\n\n`);
    stdout.write('Nothing was committed. Choose what to approve (see --help).\n');
  }
  return exitCodes.waiting;
}

function sayDataview({ host, queue }: Migration): void {
  const warnings = dataviewWarnings(queue.database);
  if (warnings.length === 0) return;
  const lines = warnings
    .slice(0, warningsShown)
    .map(({ path, folder, now }) => printable(`  ${path}: "${folder}" is now ${now}\n`));
  const more =
    warnings.length > warningsShown ? `  and ${warnings.length - warningsShown} more in the report\n` : '';
  host.stdout.write(`Dataview queries over moved folders:\n${lines.join('')}${more}`);
}

function report(options: ApproveOptions, migration: Migration, outcome: CommitOutcome): number {
  const { host, queue, dryRun } = migration;
  const summary = readRoutingSummary(queue.database);
  if (!dryRun) keepReport(host, queue, [outcome.run]);
  if (options.json) {
    const answer = {
      run: outcome.run,
      dryRun,
      total: totalCommitted(outcome),
      committed: Object.fromEntries(outcome.committed),
      waiting: outcome.waiting,
      failures: outcome.failures,
      rejected: outcome.rejected,
      stopped: outcome.stopped,
      remainingUnclear: summary.unclear,
      interview: interviewQuestions(summary),
    };
    host.stdout.write(`${JSON.stringify(answer)}\n`);
  } else {
    const columns = host.stdout.isTTY ? host.stdout.columns : undefined;
    host.stdout.write(
      `${completionSummary(outcome, summary, { dryRun, paint: painter(host.stdout), root: queue.root, columns })}\n`,
    );
    if (!dryRun) sayDataview(migration);
  }
  // Standard input that ends is no Ctrl-C: the rest waits for a next time.
  if (outcome.stopped) return migration.lines === null ? exitCodes.stopped : exitCodes.waiting;
  if (outcome.failures.length > 0) return exitCodes.failed;
  return outcome.waiting.length > 0 ? exitCodes.waiting : exitCodes.done;
}
