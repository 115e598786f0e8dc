import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import type { World } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';

import { dayMs, hourMs } from '../../../apps/server/src/foundation/clock.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { addMs, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { dueEditions } from '../editions/due-editions.ts';
import { countRepeats, readEditions, replayOutcomes } from '../editions/edition-evidence.ts';
import type { DenseStretch } from '../editions/ranked-time.ts';
import { RankedTime, replayRankings } from '../editions/ranked-time.ts';
import type { YearStage } from '../editions/year-stage.ts';
import { setYearStage, shanghai } from '../editions/year-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { countBrokenPromises } from '../news/record-promises.ts';

interface YearPlan {
  readonly from: EpochMicroseconds;
  readonly to: EpochMicroseconds;
  /** No worker runs for 30 hours; editions that fall due then are late. */
  readonly outageAt: EpochMicroseconds;
  /** Rankings are hourly, and in this stretch every five minutes. */
  readonly dense: DenseStretch;
  /** The share of editions during which a worker is killed. */
  readonly killShare: number;
  readonly restarts: readonly string[];
}

const full: YearPlan = {
  from: shanghai('2026-02-01T09:00'),
  to: shanghai('2027-02-01T12:00'),
  outageAt: shanghai('2026-06-29T07:00'),
  dense: { from: shanghai('2026-12-28T00:00'), to: shanghai('2027-01-04T00:00') },
  killShare: 0.2,
  restarts: ['daily 2026-05-01', 'weekly 2026-W40'],
};
const quick: YearPlan = {
  from: shanghai('2026-12-20T09:00'),
  to: shanghai('2027-01-05T12:00'),
  outageAt: shanghai('2026-12-31T07:00'),
  dense: { from: shanghai('2026-12-28T00:00'), to: shanghai('2026-12-28T03:00') },
  killShare: 0.2,
  restarts: [],
};
const outageMs = 30 * hourMs;
const madeWithinMs = 60_000;

export const suite: Suite = {
  name: 'year',
  nightly: true,
  summary:
    'In a simulated year every due report and ranking is made exactly once and on time, while workers are killed and through an outage.',
  headline: 'editions due',
  promise:
    'Two workers, killed at random, compile the reports of a year (with `--quick` of 20 December to 5 January) from a simulated world, through 30 hours without any worker and two restarts of the database (not with `--quick`). Every due daily, weekly and monthly exists exactly once, none before its hour and none empty; late ones have the time of their compilation. No daily repeats a story without a new fact, by the labels of the world. The workers rank stories at each edition, and the suite ranks them with the same code every hour, and every five minutes of one week (three hours with `--quick`). Every edition and every ranking replays byte for byte.',
  measuresNoTime: true,
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const folder = await mkdtemp(join(tmpdir(), 'daybook-year-'));
    const days = Math.ceil((instantToMs(plan.to) - instantToMs(plan.from)) / dayMs);
    const world = createWorld({ seed: 16, startsAt: instantToMs(plan.from), days, itemsPerDay: 50 });
    const stage = await setYearStage(world, folder);
    try {
      stage.setTime(plan.from);
      const late = await passYear(context, stage, plan);
      await countOutcome(context, { stage, world, plan, late });
    } finally {
      await stage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Goes from one due instant to the next; returns the editions that fell due while no worker ran. */
async function passYear(
  context: SuiteContext,
  stage: YearStage,
  plan: YearPlan,
): Promise<ReadonlySet<string>> {
  const random = seededRandom(53);
  const late = new Set<string>();
  const outageEnds = addMs(plan.outageAt, outageMs);
  const rankedTime = new RankedTime(stage, plan.from, plan.dense);
  let workers = stage.startWorkers();
  let working = true;
  let kills = 0;
  try {
    for (const { key, dueAt } of dueEditions(plan)) {
      if (working && dueAt > plan.outageAt && dueAt < outageEnds) {
        await workers.stop();
        working = false;
      }
      await (working ? rankedTime.passUntil(dueAt) : rankedTime.skipUntil(dueAt));
      // None may be early: every worker has looked when it was nearly time.
      if (working) {
        stage.setTime(addMs(dueAt, -1));
        await delay(50);
      } else if (dueAt >= outageEnds) {
        stage.setTime(outageEnds);
        workers = stage.startWorkers();
        working = true;
        await untilMade(stage, late.size, late);
      } else {
        late.add(key);
        continue;
      }
      stage.setTime(addMs(dueAt, Math.floor(random() * 30_000)));
      if (random() < plan.killShare) {
        kills += 1;
        await killOne(workers, random);
      }
      if (plan.restarts.includes(key)) await stage.engine.cluster.restart('fast');
      await untilMade(stage, 1, new Set([key]));
    }
  } finally {
    await workers.stop();
  }
  context.figure({ name: 'workers killed', value: kills, unit: 'workers' });
  return late;
}

async function killOne(workers: WorkerSupervisor, random: () => number): Promise<void> {
  await delay(Math.floor(random() * 400));
  workers.signal(random() < 0.5 ? 0 : 1, 'SIGKILL');
}

async function untilMade(stage: YearStage, count: number, keys: ReadonlySet<string>): Promise<void> {
  const givenUpAt = performance.now() + madeWithinMs;
  for (;;) {
    const [row] = await stage.engine.query<{ made: number }>(
      `SELECT count(*)::int AS made FROM record.edition WHERE kind || ' ' || period = ANY($1)`,
      [[...keys]],
    );
    if (row?.made === count) return;
    if (performance.now() > givenUpAt) throw new Error(`not made within a minute: ${[...keys].join(', ')}`);
    await delay(25);
  }
}

async function countOutcome(
  context: SuiteContext,
  {
    stage,
    world,
    plan,
    late,
  }: {
    readonly stage: YearStage;
    readonly world: World;
    readonly plan: YearPlan;
    readonly late: ReadonlySet<string>;
  },
): Promise<void> {
  const due = new Map(dueEditions(plan).map(({ key, dueAt }) => [key, dueAt]));
  const made = await readEditions(stage.engine.query);
  const zero = (name: string, value: number): void =>
    context.figure({ name, value, unit: 'editions', goal: { exactly: 0 } });
  context.figure({ name: 'editions due', value: due.size, unit: 'editions' });
  context.figure({ name: 'editions due during the outage', value: late.size, unit: 'editions' });
  const known = new Set(made.map(({ key }) => key));
  zero('missing', [...due.keys()].filter((key) => !known.has(key)).length);
  zero('published but not due', [...known].filter((key) => !due.has(key)).length);
  zero('published twice', made.filter(({ revisions }) => revisions !== 1).length);
  zero('published before their hour', made.filter(({ key, at }) => at < (due.get(key) ?? at)).length);
  zero('empty', made.filter(({ itemIds }) => itemIds.length === 0).length);
  const outageEnds = addMs(plan.outageAt, outageMs);
  zero(
    'due during the outage and not dated after it',
    made.filter(({ key, at }) => late.has(key) && at < outageEnds).length,
  );
  zero('without week 53', known.has('weekly 2026-W53') ? 0 : 1);
  const { returns, repeats } = countRepeats(made, stage.dispatches, world);
  context.figure({ name: 'entries that return to a story', value: returns, unit: 'entries' });
  context.figure({
    name: 'entries that repeat a story without a new fact',
    value: repeats,
    unit: 'entries',
    goal: { exactly: 0 },
  });
  const replays = await replayOutcomes(stage.database, { language: 'en', aliases: [] }, dueEditions(plan));
  zero('that do not replay byte for byte', replays.filter((outcome) => outcome !== 'same').length);
  const rankings = await replayRankings(stage.database);
  context.figure({ name: 'rankings computed', value: rankings.made, unit: 'rankings' });
  context.figure({ name: 'of these with topics', value: rankings.withTopics, unit: 'rankings' });
  context.figure({
    name: 'rankings that do not replay byte for byte',
    value: rankings.notSame,
    unit: 'rankings',
    goal: { exactly: 0 },
  });
  await rollWindow(stage.database, plan.to);
  await countBrokenPromises(context, stage.database, plan.to);
}
