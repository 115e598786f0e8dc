import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import type { Fault, World } from '@daybook/newswire';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { WireEvidence } from '../wire/wire-evidence.ts';
import { compareWithWorld } from '../wire/wire-evidence.ts';
import type { WireSize, WireStage } from '../wire/wire-stage.ts';
import { setWireStage } from '../wire/wire-stage.ts';

interface WirePlan extends WireSize {
  readonly runMs: number;
  readonly killEveryMs: number;
  readonly restartAtMs: number | null;
  readonly publishWithinMs: number;
}

const full: WirePlan = {
  outlets: 2_000,
  domains: 200,
  itemsPerDay: 400_000,
  worldBeganMs: 20 * 60_000,
  intervalMs: 60_000,
  leaseMs: 20_000,
  runMs: 20 * 60_000,
  killEveryMs: 45_000,
  restartAtMs: 8 * 60_000,
  publishWithinMs: 120_000,
};
const quick: WirePlan = {
  outlets: 200,
  domains: 100,
  itemsPerDay: 40_000,
  worldBeganMs: 3 * 60_000,
  intervalMs: 8_000,
  leaseMs: 6_000,
  runMs: 26_000,
  killEveryMs: 9_000,
  restartAtMs: null,
  publishWithinMs: 0,
};

/** The faults of some publishers, permanent or for the first requests. */
const spoiledLists: readonly Fault[] = [
  { kind: 'guids', style: 'changing' },
  { kind: 'guids', style: 'duplicate' },
  { kind: 'rotating-titles' },
  { kind: 'repeated-entries' },
  { kind: 'relative-links' },
  { kind: 'dates', style: 'same' },
];
const refusals: readonly Fault[] = [
  { kind: 'status', status: 503, retryAfter: { seconds: 5 } },
  { kind: 'dead' },
  { kind: 'challenge' },
  { kind: 'cut' },
  { kind: 'empty' },
];

export const suite: Suite = {
  name: 'wire',
  summary:
    'Two polling processes that are killed lose and duplicate no entry and respect the request interval of every domain.',
  headline: 'entries stored',
  promise:
    'Two workers poll simulated publishers while they are killed with `kill -9` and the database restarts. Every entry that stayed in its feed for two intervals and a lease is stored exactly once, as entry or as sighting, and becomes an item; a quick run counts separately the entries whose source was polled late on a busy machine. Edited entries are revised, not duplicated. The publishers count requests: never two connections to a registrable domain, never less than two seconds between requests. Some publishers change all guids, repeat guids, rotate titles or repeat entries, which duplicates nothing; some refuse, disconnect or send other pages at first.',
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const folder = await mkdtemp(join(tmpdir(), 'daybook-wire-'));
    const stage = await setWireStage(plan, join(folder, 'workers.log'));
    try {
      const faulty = addFaults(stage);
      const { kills, fromMs } = await runWithKills(context, stage, plan);
      const span = { fromMs, toMs: systemClock.nowMs(), longEnoughMs: 2 * plan.intervalMs + plan.leaseMs };
      const { counters } = stage.publishers;
      const politeness = { ...counters.total(), notModifiedShare: counters.notModifiedShare() };
      const evidence = await compareWithWorld(stage.engine, stage.world, span, (key) => !faulty.has(key));
      figuresOf(context, evidence, plan);
      politenessFigures(context, politeness);
      context.figure({ name: 'processes killed', value: kills, unit: 'kills', goal: { atLeast: 1 } });
    } finally {
      await stage.remove();
      await rm(folder, { recursive: true });
    }
  },
};

/** One outlet in ten; which of their entries were visible is unknown, so they count only for duplicates. */
function addFaults({ world, publishers }: WireStage): ReadonlySet<string> {
  const outlets: World['outlets'] = world.outlets.filter((_, at) => at % 10 === 3);
  for (const [at, outlet] of outlets.entries()) {
    const list = spoiledLists[at % spoiledLists.length];
    const refusal = refusals[at % refusals.length];
    if (at % 2 === 0 && list !== undefined) publishers.faults.add(outlet, list);
    else if (refusal !== undefined) publishers.faults.add(outlet, refusal, { times: 2 });
  }
  return new Set(outlets.map(({ key }) => key));
}

interface WireRun {
  readonly kills: number;
  /** The time of the first poll. */
  readonly fromMs: number;
}

async function runWithKills({ note }: SuiteContext, stage: WireStage, plan: WirePlan): Promise<WireRun> {
  const workers = stage.startWorkers();
  while (stage.publishers.counters.total().requests === 0) await delay(50);
  const fromMs = systemClock.nowMs();
  const startedMs = performance.now();
  const passedMs = (): number => performance.now() - startedMs;
  let kills = 0;
  let restarted = plan.restartAtMs === null;
  try {
    for (;;) {
      const nextKillMs = (kills + 1) * plan.killEveryMs;
      const restMs = plan.runMs - passedMs();
      // The last intervals are without a kill, so that another process polls the sources of a killed one.
      if (plan.runMs - nextKillMs < plan.leaseMs + plan.intervalMs) {
        await delay(Math.max(0, restMs));
        break;
      }
      await delay(Math.max(0, nextKillMs - passedMs()));
      workers.signal(kills % 2, 'SIGKILL');
      kills += 1;
      note(`killed a worker after ${Math.round(passedMs() / 1_000)} s`);
      if (!restarted && passedMs() > (plan.restartAtMs ?? Infinity)) {
        restarted = true;
        await stage.engine.cluster.restart();
        note('restarted the database');
      }
    }
    await untilPublished(stage, plan.publishWithinMs);
  } finally {
    await workers.stop();
  }
  return { kills, fromMs };
}

async function untilPublished({ engine }: WireStage, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (performance.now() < endMs) {
    const [row] = await engine.query<{ waiting: number }>(
      'SELECT count(*)::int AS waiting FROM newsroom.entry WHERE shown_revision IS DISTINCT FROM revision',
    );
    if (row?.waiting === 0) return;
    await delay(1_000);
  }
}

function figuresOf({ figure, note }: SuiteContext, evidence: WireEvidence, plan: WirePlan): void {
  const { lost, doubled, notRevised } = evidence;
  figure({ name: 'sources', value: plan.outlets, unit: 'sources' });
  figure({ name: 'entries stored', value: evidence.stored, unit: 'entries' });
  figure({
    name: 'entries that stayed long enough to be stored',
    value: evidence.expected,
    unit: 'entries',
    goal: { atLeast: plan.outlets },
  });
  figure({
    name: 'of these that appeared during the run',
    value: evidence.appearedMeanwhile,
    unit: 'entries',
  });
  figure({ name: 'lost', value: lost.length, unit: 'entries', goal: { exactly: 0 } });
  figure({
    name: 'not stored because their source was polled too late',
    value: evidence.askedTooLate,
    unit: 'entries',
    // Seconds after the start, a busy machine is late; over twenty minutes it has no excuse.
    ...(plan.restartAtMs !== null && { goal: { exactly: 0 } }),
  });
  figure({ name: 'stored twice', value: doubled.length, unit: 'entries', goal: { exactly: 0 } });
  figure({ name: 'edited while listed', value: evidence.edited, unit: 'entries' });
  figure({ name: 'of these not revised', value: notRevised.length, unit: 'entries', goal: { exactly: 0 } });
  figure({ name: 'items in the record', value: evidence.items, unit: 'items' });
  figure({
    name: 'entries not published yet',
    value: evidence.unpublished,
    unit: 'entries',
    ...(plan.publishWithinMs > 0 && { goal: { exactly: 0 } }),
  });
  for (const name of lost.slice(0, 5)) note(`lost: ${name}`);
  for (const name of doubled.slice(0, 5)) note(`stored twice: ${name}`);
  for (const name of notRevised.slice(0, 5)) note(`not revised: ${name}`);
}

function politenessFigures(
  { figure }: SuiteContext,
  counts: {
    readonly requests: number;
    readonly spacingBroken: number;
    readonly closestGapMs: number | null;
    readonly connectionsAtOnceMax: number;
    readonly notModifiedShare: number;
  },
): void {
  figure({ name: 'requests', value: counts.requests, unit: 'requests' });
  figure({ name: 'answered with 304', value: 100 * counts.notModifiedShare, unit: '%' });
  figure({ name: 'requests too soon', value: counts.spacingBroken, unit: 'requests', goal: { exactly: 0 } });
  figure({ name: 'closest two requests to a domain', value: counts.closestGapMs ?? 0, unit: 'ms between' });
  figure({
    name: 'connections to a domain at once, at most',
    value: counts.connectionsAtOnceMax,
    unit: 'connections',
    goal: { exactly: 1 },
  });
}
