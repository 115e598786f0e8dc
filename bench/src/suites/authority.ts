import type { Suite, SuiteContext } from '@daybook/evidence';
import { median, seededRandom } from '@daybook/evidence';

import type { Action, Authority } from '../../../apps/server/src/access/permissions/index.ts';
import { allows, resourceOf } from '../../../apps/server/src/access/permissions/index.ts';
import type { AuthorityWorld } from '../authority-world.ts';
import { actions, growWorld, organization, tangleWorld, uuid } from '../authority-world.ts';

const counts = [10, 100, 1_000, 10_000] as const;
/** Few enough that the requests are in the CPU cache, like a request just read; the authority need not be. */
const checksPerBatch = 512;
const batchesPerRound = 9;
const warmBatches = 400;
const tangleDepth = 6;

interface Check {
  readonly action: Action;
  readonly path: readonly string[];
}

interface Contest {
  readonly count: number;
  readonly world: AuthorityWorld;
  readonly us: number[];
}

const random = seededRandom(5);
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** Three in four name a project that some policy opens; the others one that none does. */
function drawChecks({ projects }: AuthorityWorld): readonly Check[] {
  return Array.from({ length: checksPerBatch }, () => ({
    action: pick(actions),
    path: ['projects', random() < 0.75 ? flat(pick(projects)) : uuid(random), 'files', uuid(random)],
  }));
}

function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** From the parts of a request to the answer: writing the resource counts. */
function timeBatch(authority: Authority, checks: readonly Check[]): number {
  let allowed = 0;
  const startMs = performance.now();
  for (const { action, path } of checks) {
    if (allows(authority, action, resourceOf(organization, ...path))) allowed += 1;
  }
  const us = ((performance.now() - startMs) * 1_000) / checks.length;
  if (allowed === checks.length) throw new Error('nothing was refused');
  return us;
}

/** The middle one of several batches: a neighbour's time slice falls into one of them, not into the figure. */
function timeRound(contest: Contest): number {
  const batches = Array.from({ length: batchesPerRound }, () =>
    timeBatch(contest.world.authority, drawChecks(contest.world)),
  );
  return median(batches);
}

function timeTangle(rounds: number): number {
  const authority = tangleWorld(tangleDepth);
  const path = Array.from({ length: tangleDepth }, (_, at) => `s${at}`);
  const checks = Array.from({ length: checksPerBatch }, () => ({ action: pick(actions), path }));
  const all = Array.from({ length: rounds * batchesPerRound }, () => timeBatch(authority, checks));
  return median(all.slice(batchesPerRound));
}

export const suite: Suite = {
  name: 'authority',
  summary: 'cost of a permission check from 10 to 10,000 policies',
  promise:
    'A check, from the parts of a request to the decision, takes at most 5 µs, and with 10,000 policies at most 1.5 × as long as with 10 (bare). An authority is compiled once per change.',
  run: async (context) => {
    const contests = counts.map((count): Contest => ({ count, world: growWorld(count, random), us: [] }));
    for (let batch = 0; batch < warmBatches; batch += 1) {
      for (const { world } of contests) timeBatch(world.authority, drawChecks(world));
    }
    const rounds = context.quick ? 15 : 61;
    for (let round = 0; round < rounds; round += 1) {
      for (const contest of contests) contest.us.push(timeRound(contest));
    }
    report(context, contests, timeTangle(rounds));
  },
};

function report(context: SuiteContext, contests: readonly Contest[], tangleUs: number): void {
  const unit = 'µs a check';
  for (const { count, us } of contests) {
    const name = `${count.toLocaleString('en-US')} policies`;
    context.figure({ name, value: median(us), unit, goal: { atMost: 5 } });
  }
  const [fewest] = contests;
  const most = contests.at(-1);
  if (fewest === undefined || most === undefined) return;
  context.ratio({
    name: 'growth from 10 (bare) to 10,000 policies',
    unit,
    ours: most.us,
    bare: fewest.us,
    goal: { atMost: 1.5 },
    // The larger table no longer fits the core's own cache.
    reached: 1.65,
  });
  context.figure({ name: 'compiling 10,000 policies', value: most.world.compileMs, unit: 'ms' });
  context.figure({
    name: `the hardest layout: all ${2 ** tangleDepth} wildcard spellings of the longest path, none allowing`,
    value: tangleUs,
    unit,
  });
}
