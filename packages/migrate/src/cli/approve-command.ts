import type { CommitOutcome } from '../commit/commit-chunks.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { countChunks, findChunk, readChunks } from '../queue/chunk-store.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { completionSummary, totalCommitted } from '../report/completion-summary.ts';
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
import { keepReport } from './report-file.ts';
import { painter } from './terminal.ts';

/** Refused by the rules of the migration, not by the command line. */
export class RefusedError extends Error {}

/** What is pending and has a target: those approved earlier but not yet committed too. */
const routable: ChunkFilter = { states: ['scanned', 'approved', 'modified', 'unclear'] };

export async function approveCommand(options: ApproveOptions, host: Host): Promise<number> {
  const { mode } = options;
  if (mode.kind === 'target' && mode.target === 'UNCLEAR') {
    throw new RefusedError('UNCLEAR chunks cannot be approved in bulk; place each with --review or --modify');
  }
  const migration = openMigration(host, options);
  try {
    if (mode.kind === 'guided' && !migration.interactive) return showOptions(options, migration);
    return report(options, migration, await follow(migration, mode));
  } finally {
    migration.queue.close();
  }
}

async function follow(migration: Migration, mode: ApproveMode): Promise<CommitOutcome> {
  if (mode.kind === 'all') return bulk(migration, 'approve --approve-all', {});
  if (mode.kind === 'target') {
    return bulk(migration, `approve --approve-target ${mode.target}`, { target: mode.target });
  }
  if (mode.kind === 'modify') return modify(migration, mode.id, mode.target);
  if (mode.kind === 'guided') return guidedFlow(migration);
  if (!migration.interactive) throw new UsageError('--review needs a terminal');
  return reviewAndCommit(migration, { states: ['scanned', 'unclear'] });
}

async function bulk(
  migration: Migration,
  command: string,
  only: { target?: Target },
): Promise<CommitOutcome> {
  const { database } = migration.queue;
  const filter = { ...routable, ...only };
  return commitFrom(migration, command, readChunks(database, filter), countChunks(database, filter));
}

async function modify(migration: Migration, id: string, target: Target): Promise<CommitOutcome> {
  if (target === 'UNCLEAR') throw new UsageError('UNCLEAR is no place to commit to; choose another target');
  const chunk = findChunk(migration.queue.database, id);
  if (chunk === null) throw new UsageError(`there is no chunk ${id}; status --list shows them`);
  if (chunk === 'ambiguous') throw new UsageError(`several chunks begin with ${id}; give more of the id`);
  if (chunk.state === 'committed')
    throw new UsageError(`chunk ${id} is committed already; undo its run first`);
  const moved: QueuedChunk = { ...chunk, chosen: target === chunk.proposed ? null : target, consent: {} };
  return commitFrom(migration, `approve --modify ${chunk.id} --target ${target}`, [moved], 1);
}

function showOptions(options: ApproveOptions, migration: Migration): number {
  const { stdout } = migration.host;
  const summary = readRoutingSummary(migration.queue.database);
  if (options.json) stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    stdout.write(`${routingTable(summary, painter(stdout))}\n\n`);
    stdout.write('Nothing was committed: without a terminal, say what to approve (see --help).\n');
  }
  return exitCodes.waiting;
}

function report(options: ApproveOptions, migration: Migration, outcome: CommitOutcome): number {
  const { host, queue, dryRun } = migration;
  const summary = readRoutingSummary(queue.database);
  if (!dryRun) keepReport(host, queue);
  if (options.json) {
    const answer = {
      run: outcome.run,
      dryRun,
      total: totalCommitted(outcome),
      committed: Object.fromEntries(outcome.committed),
      waiting: outcome.waiting.map(({ chunk, reason }) => ({ id: chunk.id, source: chunk.source, reason })),
      failures: outcome.failures,
      rejected: outcome.rejected,
      remainingUnclear: summary.unclear,
      interview: interviewQuestions(summary),
    };
    host.stdout.write(`${JSON.stringify(answer)}\n`);
  } else {
    host.stdout.write(`${completionSummary(outcome, summary, { dryRun, paint: painter(host.stdout) })}\n`);
  }
  if (outcome.failures.length > 0) return exitCodes.failed;
  return outcome.waiting.length > 0 ? exitCodes.waiting : exitCodes.done;
}
