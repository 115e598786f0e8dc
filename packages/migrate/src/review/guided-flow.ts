import type { Dialog } from '../cli/dialog.ts';
import type { Migration } from '../cli/migration.ts';
import { commitFrom } from '../cli/migration.ts';
import { painter, percent, plural, printable } from '../cli/terminal.ts';
import { StoppedError } from '../commit/approval-question.ts';
import type { CommitOutcome } from '../commit/commit-chunks.ts';
import { emptyOutcome } from '../commit/commit-chunks.ts';
import { askedSingly, readGroups } from '../queue/chunk-group-store.ts';
import type { ChunkFilter } from '../queue/chunk-store.ts';
import { countChunks, readChunks } from '../queue/chunk-store.ts';
import { trustedFrom } from '../queue/queued-chunk.ts';
import { totalCommitted } from '../report/completion-summary.ts';
import type { RoutingSummary } from '../report/routing-summary.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import { routingTable } from '../report/routing-table.ts';
import type { Target } from '../targets/target.ts';
import { askGroups } from './group-questions.ts';
import { reviewAndCommit } from './review-and-commit.ts';

type Choice = 'groups' | 'singly' | 'trusted' | 'sixty' | 'doubtful' | 'category' | 'everything' | 'stop';

/** Without a decision yet: a review resumes where an earlier one stopped. */
const undecided = ['scanned', 'unclear'] as const;
const offeredFrom = 0.6;
const shownMax = 20;

/** Phases 3 to 5: shows where everything would go, and offers the ways to approve it until the person stops. */
export async function guidedFlow(migration: Migration, dialog: Dialog): Promise<CommitOutcome> {
  const { host, queue } = migration;
  let total = emptyOutcome(migration.stamp.run);
  try {
    while (!total.stopped) {
      const summary = readRoutingSummary(queue.database);
      host.stdout.write(`\n${routingTable(summary, painter(host.stdout))}\n\n`);
      if (summary.routing.length === 0) return total;
      const choice = await choose(migration, dialog, summary);
      if (choice === 'stop') return total;
      const outcome = await follow(migration, dialog, choice, summary);
      total = joined(total, outcome);
      const count = totalCommitted(outcome);
      if (count > 0 && !total.stopped) host.stdout.write(`\n${plural(count, 'chunk')} committed.\n`);
    }
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { ...total, stopped: true };
  }
  return total;
}

async function choose(migration: Migration, dialog: Dialog, summary: RoutingSummary): Promise<Choice> {
  const { trusted, routing } = summary;
  const sixty = countChunks(migration.queue.database, bulkFrom(offeredFrom));
  const doubtful = summary.lowConfidence + summary.unclear;
  const isOffered: Partial<Record<Choice, boolean>> = {
    trusted: trusted > 0,
    sixty: sixty > trusted,
    doubtful: doubtful > 0,
    category: routing.length > 1,
  };
  const choices: readonly { readonly value: Choice; readonly label: string }[] = [
    ...groupChoice(migration),
    ...singleChoice(summary),
    { value: 'trusted', label: `Approve trusted proposals (70 % or more): ${plural(trusted, 'chunk')}` },
    { value: 'sixty', label: `Approve all proposals of 60 % or more: ${plural(sixty, 'chunk')}` },
    { value: 'doubtful', label: `Review low confidence and UNCLEAR: ${plural(doubtful, 'chunk')}` },
    { value: 'category', label: 'Review one target' },
    { value: 'everything', label: 'Review everything, one by one' },
    { value: 'stop', label: 'Stop here' },
  ];
  return dialog.select<Choice>({
    message: 'What do you want to do next?',
    choices: choices.filter(({ value }) => isOffered[value] !== false),
  });
}

/** Answers of a stopped run that are not committed yet are committed with the next groups. */
function groupChoice({ queue }: Migration): readonly { readonly value: 'groups'; readonly label: string }[] {
  const groups = readGroups(queue.database).length;
  const approved = countChunks(queue.database, { states: ['approved', 'modified'] });
  if (groups > 0)
    return [{ value: 'groups', label: `Decide group by group, with examples: ${plural(groups, 'group')}` }];
  if (approved === 0) return [];
  return [{ value: 'groups', label: `Commit what you have approved: ${plural(approved, 'chunk')}` }];
}

/** They are in no group. */
function singleChoice({
  routing,
}: RoutingSummary): readonly { readonly value: 'singly'; readonly label: string }[] {
  const count = routing
    .filter(({ target }) => askedSingly.some((one) => one === target))
    .reduce((sum, row) => sum + row.count, 0);
  if (count === 0) return [];
  return [
    {
      value: 'singly',
      label: `Decide about your identity and rules for agents, one by one: ${plural(count, 'chunk')}`,
    },
  ];
}

async function decideSingly(migration: Migration): Promise<CommitOutcome> {
  let total = emptyOutcome(migration.stamp.run);
  for (const target of askedSingly) {
    const filter = { ...bulkFrom(0), target };
    if (!total.stopped) total = joined(total, await commitFrom(migration, 'approve (guided)', filter));
  }
  return withMoved(migration, total);
}

/** Commits the notes for which the user chose another target in a question about them. */
async function withMoved(migration: Migration, outcome: CommitOutcome): Promise<CommitOutcome> {
  const moved: ChunkFilter = { states: ['modified'] };
  if (outcome.stopped || countChunks(migration.queue.database, moved) === 0) return outcome;
  const others = { ...outcome, waiting: outcome.waiting.filter(({ reason }) => reason !== 'moved') };
  return joined(others, await commitFrom(migration, 'approve (guided)', moved));
}

async function follow(
  migration: Migration,
  dialog: Dialog,
  choice: Exclude<Choice, 'stop'>,
  summary: RoutingSummary,
): Promise<CommitOutcome> {
  if (choice === 'groups') {
    const isDone = await askGroups(migration, dialog);
    const outcome = await commitFrom(migration, 'approve (guided)', { states: ['approved', 'modified'] });
    return isDone ? outcome : { ...outcome, stopped: true };
  }
  if (choice === 'singly') return decideSingly(migration);
  if (choice === 'trusted')
    return withMoved(migration, await commitFrom(migration, 'approve (guided)', bulkFrom(trustedFrom)));
  if (choice === 'sixty') {
    const isWanted = await confirmMedium(migration, dialog);
    if (!isWanted) return emptyOutcome(migration.stamp.run);
    return withMoved(migration, await commitFrom(migration, 'approve (guided)', bulkFrom(offeredFrom)));
  }
  if (choice === 'doubtful') {
    return reviewAndCommit(migration, dialog, { states: undecided, doubtful: true });
  }
  if (choice === 'everything') return reviewAndCommit(migration, dialog, { states: undecided });
  return reviewAndCommit(migration, dialog, {
    states: undecided,
    target: await chooseTarget(dialog, summary),
  });
}

function bulkFrom(confidenceFrom: number): ChunkFilter {
  return { states: ['scanned', 'approved', 'modified'], confidenceFrom };
}

/** Chunks between 60 % and 70 % are not trusted: they are shown before the commit. */
async function confirmMedium(migration: Migration, dialog: Dialog): Promise<boolean> {
  const { host, queue } = migration;
  const filter = { ...bulkFrom(offeredFrom), confidenceBelow: trustedFrom };
  const count = countChunks(queue.database, filter);
  if (count === 0) return true;
  host.stdout.write(`\nBelow 70 %. Please check:\n`);
  let shown = 0;
  for (const chunk of readChunks(queue.database, filter)) {
    if ((shown += 1) > shownMax) break;
    const words = printable(chunk.text.trim().replace(/\s+/g, ' ')).slice(0, 60);
    host.stdout.write(`  ${chunk.proposed.padEnd(18)} ${percent(chunk.confidence)}  ${words}\n`);
  }
  if (count > shownMax) host.stdout.write(`  and ${count - shownMax} more\n`);
  const message = `Approve ${plural(count, 'chunk')} below 70 % too?`;
  return dialog.confirm(message, false);
}

function chooseTarget(dialog: Dialog, summary: RoutingSummary): Promise<Target> {
  return dialog.select<Target>({
    message: 'Which target?',
    choices: summary.routing.map(({ target: value, count, averageConfidence }) => ({
      value,
      label: `${value}: ${plural(count, 'chunk')}`,
      hint: percent(averageConfidence),
    })),
  });
}

function joined(one: CommitOutcome, other: CommitOutcome): CommitOutcome {
  const committed = new Map(one.committed);
  for (const [target, count] of other.committed) committed.set(target, (committed.get(target) ?? 0) + count);
  return {
    run: other.run,
    committed,
    waiting: [...one.waiting, ...other.waiting],
    failures: [...one.failures, ...other.failures],
    rejected: one.rejected + other.rejected,
    stopped: other.stopped,
  };
}
