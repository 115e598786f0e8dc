import type { Suite, SuiteContext } from '@daybook/evidence';
import { collectGarbage, quantile } from '@daybook/evidence';

import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { shippedStoryModel } from '../../../apps/server/src/newsroom/stories/matching/index.ts';
import type { Placement } from '../../../apps/server/src/newsroom/stories/place-report.ts';
import {
  candidateQuery,
  placeReport,
  readingQuery,
} from '../../../apps/server/src/newsroom/stories/place-report.ts';
import type { CandidateQuery } from '../../../apps/server/src/newsroom/stories/story-index-store.ts';
import {
  readCandidateStories,
  readComparableReports,
} from '../../../apps/server/src/newsroom/stories/story-index-store.ts';
import type { DatedReport } from '../assign/open-stories.ts';
import { OpenStories } from '../assign/open-stories.ts';
import { withMeasuredDatabase } from '../measured-database.ts';

const sizes = { quick: [500, 3_000], full: [1_000, 10_000, 200_000] } as const;
const rounds = 9;

export const suite: Suite = {
  name: 'assign',
  summary: 'one report among many open stories, beside the bare candidate query',
  promise:
    'To decide which story a report belongs to takes at most twice as long at the 95th percentile as the bare candidate query with the same terms in the same run; among 200 k open stories (3 k with `--quick`) at most twice as long as among 1 k (500); and nothing is kept in memory. Every report of a simulated world is a story of its own; beyond 10 k they are copies that share its common terms and have rare ones of their own.',
  run: (context) =>
    withMeasuredDatabase({ shared_buffers: '512MB' }, (owner, application) =>
      measureSizes(context, owner, application),
    ),
};

async function measureSizes(
  context: SuiteContext,
  owner: DatabaseConnection,
  application: DatabaseConnection,
): Promise<void> {
  const counts = sizes[context.quick ? 'quick' : 'full'];
  const stories = new OpenStories(application, Math.max(...counts));
  const bySize: number[][] = [];
  for (const count of counts) {
    await stories.fillTo(count);
    await owner.pool.query('VACUUM (ANALYZE)');
    const reports = stories.nextReports(context.quick ? 12 : 40);
    bySize.push(await measureSize(context, application, reports, count));
  }
  const [smallest, largest] = [bySize[0] ?? [], bySize.at(-1) ?? []];
  context.ratio({
    name: `growth from ${label(counts[0])} stories (bare) to ${label(counts.at(-1) ?? 0)}, 95th percentile`,
    unit: 'ms',
    ours: largest,
    bare: smallest,
    goal: { atMost: 2 },
  });
  await measureMemory(context, application, stories.nextReports(50));
}

/** Rounds of the same reports, bare and ours in turn; answers the 95th percentile of each round. */
async function measureSize(
  context: SuiteContext,
  { database }: DatabaseConnection,
  reports: readonly DatedReport[],
  count: number,
): Promise<number[]> {
  const queries: CandidateQuery[] = [];
  for (const report of reports) {
    const { statistics } = (await place({ database }, report)).placement;
    queries.push(candidateQuery(report.report.terms, statistics, report.at));
  }
  const [ours, bare, withReports]: [number[], number[], number[]] = [[], [], []];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [oursMs, bareMs, readMs]: [number[], number[], number[]] = [[], [], []];
    for (const [at, report] of reports.entries()) {
      const query = queries[at];
      if (query === undefined) continue;
      bareMs.push(await millisecondsOf(() => readCandidateStories(database, query)));
      const reading = readingQuery(report.report, report.at);
      readMs.push(await millisecondsOf(() => readComparableReports(database, reading, query)));
      const { placement, ms } = await place({ database }, report);
      oursMs.push(ms);
      found += placement.candidates.length;
    }
    ours.push(quantile(oursMs, 0.95));
    bare.push(quantile(bareMs, 0.95));
    withReports.push(quantile(readMs, 0.95));
  }
  context.note(
    `${label(count)} stories: ${(found / rounds / reports.length).toFixed(1)} candidates a report`,
  );
  context.ratio({
    name: `one report among ${label(count)} stories, 95th percentile, beside the bare candidate query`,
    unit: 'ms',
    ours,
    bare,
    goal: { atMost: 2 },
    reached: 6,
  });
  context.ratio({
    name: `the same beside the one statement that reads all it is compared with, ${label(count)} stories`,
    unit: 'ms',
    ours,
    bare: withReports,
  });
  return ours;
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The decision with its lock, undone afterwards so that the next meets the same stories. */
async function place(
  { database }: Pick<DatabaseConnection, 'database'>,
  dated: DatedReport,
): Promise<{ readonly placement: Placement; readonly ms: number }> {
  const transaction = await database.startTransaction().execute();
  const startedAt = performance.now();
  const placement = await placeReport(transaction, model, dated);
  const ms = performance.now() - startedAt;
  await transaction.rollback().execute();
  return { placement, ms };
}

const model = shippedStoryModel();

async function measureMemory(
  context: SuiteContext,
  connection: DatabaseConnection,
  reports: readonly DatedReport[],
): Promise<void> {
  const placeAll = async (): Promise<number> => {
    for (const report of reports) await place(connection, report);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await placeAll();
  for (let round = 0; round < 3; round += 1) await placeAll();
  const kept = (await placeAll()) - before;
  context.figure({
    name: `heap that ${4 * reports.length} more decisions left behind`,
    value: Math.max(0, kept) / 2 ** 20,
    unit: 'MiB',
    goal: { atMost: 4 },
  });
}

function label(count: number): string {
  return count.toLocaleString('en-US');
}
