import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { hourMs } from '../../../apps/server/src/foundation/clock.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import { lockTable, startBusyLoops } from '../newsroom/disturbances.ts';
import { verifyFigure } from '../newsroom/newsroom-stage.ts';
import { burstWordings } from '../newsroom/real-entries.ts';
import type { ScriptedOutlets } from '../newsroom/scripted-outlets.ts';
import { startScriptedOutlets } from '../newsroom/scripted-outlets.ts';
import type { WireSettings } from '../wire/wire-stage.ts';
import { addSourcesTo, wireWorker } from '../wire/wire-stage.ts';

interface BurstPlan {
  readonly outlets: number;
  readonly entriesPerOutlet: number;
  readonly intervalMs: number;
  readonly statementTimeoutMs: number;
  /** Of each kind of disturbance, one after the other; the busy loops run beside all of them. */
  readonly rounds: number;
  readonly frozenMs: number;
  readonly pauseMs: number;
  /** After so long without progress, the rest counts as lost. */
  readonly patienceMs: number;
}

const full: BurstPlan = {
  outlets: 300,
  entriesPerOutlet: 30,
  intervalMs: 60_000,
  statementTimeoutMs: 10_000,
  rounds: 4,
  frozenMs: 15_000,
  pauseMs: 4_000,
  patienceMs: 180_000,
};
const quick: BurstPlan = {
  outlets: 30,
  entriesPerOutlet: 20,
  intervalMs: 4_000,
  statementTimeoutMs: 1_000,
  rounds: 1,
  frozenMs: 3_000,
  pauseMs: 700,
  patienceMs: 20_000,
};

const workers = 3;
/** Locks that an operator, a backup or a migration may take for longer than a statement waits. */
const lockedTables = [
  'record.representation_version',
  'newsroom.story_corpus',
  'record.ledger_head',
  'record.window_item',
  'newsroom.story_report',
];

export const suite: Suite = {
  name: 'publication',
  nightly: true,
  summary:
    'A burst of feed entries is published without loss or duplicates while workers are killed and frozen and the database restarts.',
  headline: 'entries published by their outlets',
  promise:
    'Three workers import many feeds with up to 30 real entries each at once. Meanwhile workers are killed with `kill -9` and frozen for longer than their lease, the database restarts (once after a crash), tables of publication are locked for longer than a statement may take, and other programs use both cores. The attacker knows the tables and the timeouts. In the end every entry and every edit is published exactly once, no run of the engine has failed permanently, no entry waits for an operator, and `record verify` finds no fault.',
  measuresNoTime: true,
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const folder = await mkdtemp(join(tmpdir(), 'daybook-publication-'));
    const engine = await setEngineStage();
    const outlets = await startScriptedOutlets(plan.outlets);
    try {
      await addSourcesTo(engine.applicationUrl, outlets.sources());
      fillOutlets(context, outlets, plan);
      const done = await importUnderDisturbances(engine, outlets, plan, join(folder, 'workers.log'));
      for (const [name, value] of Object.entries(done)) context.figure({ name, value, unit: 'times' });
      await figuresOf(context, engine, outlets);
      await verifyFigure(context, engine);
    } finally {
      await outlets.close();
      await engine.remove();
      await rm(folder, { recursive: true });
    }
  },
};

function fillOutlets({ root }: SuiteContext, outlets: ScriptedOutlets, plan: BurstPlan): void {
  const wordings = burstWordings(root, plan.outlets * plan.entriesPerOutlet);
  const hourAgo = Date.now() - hourMs;
  for (const [at, wording] of wordings.entries())
    outlets.publish(at % plan.outlets, wording, new Date(hourAgo - at * 1_000));
}

interface Disturbances {
  'workers killed': number;
  'workers frozen': number;
  'restarts of the database': number;
  'tables locked for longer than a statement may take': number;
}

async function importUnderDisturbances(
  engine: EngineStage,
  outlets: ScriptedOutlets,
  plan: BurstPlan,
  logFile: string,
): Promise<Disturbances> {
  const settings: WireSettings = {
    databaseUrl: engine.applicationUrl,
    examplePort: outlets.port,
    pace: { intervalMinMs: plan.intervalMs, intervalMaxMs: plan.intervalMs, spacingMs: 20 },
    leaseMs: 20_000,
    statementTimeoutMs: plan.statementTimeoutMs,
    ...(plan === quick && { timings: { takeoverGraceMs: 500, takeoverEveryMs: 200 } }),
  };
  const supervisor = startWorkerSupervisor({ program: wireWorker, slots: workers, settings, logFile });
  try {
    while ((await progressOf(engine)).shown === 0) await delay(50);
    editSome(outlets);
    const loops = startBusyLoops(1);
    const done = await disturb(engine, supervisor, plan);
    await loops.stop();
    await untilSettled(engine, outlets, plan.patienceMs);
    return done;
  } finally {
    await supervisor.stop();
  }
}

/** One in thirty is edited while the burst is on its way. */
function editSome({ articles }: ScriptedOutlets): void {
  for (const [at, article] of articles.entries()) {
    if (at % 30 !== 7) continue;
    article.edits += 1;
    article.title = `${article.title} (updated)`;
  }
}

async function disturb(
  { cluster, query }: EngineStage,
  supervisor: WorkerSupervisor,
  plan: BurstPlan,
): Promise<Disturbances> {
  const done: Disturbances = {
    'workers killed': 0,
    'workers frozen': 0,
    'restarts of the database': 0,
    'tables locked for longer than a statement may take': 0,
  };
  const [database] = await query<{ name: string }>('SELECT current_database() AS name');
  const url = cluster.url(database?.name);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const table of lockedTables) {
      await lockTable(url, table, 1.5 * plan.statementTimeoutMs);
      done['tables locked for longer than a statement may take'] += 1;
      await delay(plan.pauseMs);
      supervisor.signal(round % workers, 'SIGKILL');
      done['workers killed'] += 1;
    }
    const frozen = (round + 1) % workers;
    supervisor.signal(frozen, 'SIGSTOP');
    await delay(plan.frozenMs);
    supervisor.signal(frozen, 'SIGCONT');
    done['workers frozen'] += 1;
    await cluster.restart(round === 0 ? 'immediate' : 'fast');
    done['restarts of the database'] += 1;
    await delay(plan.pauseMs);
  }
  return done;
}

interface Progress {
  readonly entries: number;
  readonly shown: number;
  readonly revisions: number;
}

async function progressOf({ query }: EngineStage): Promise<Progress> {
  const [row] = await query<Progress>(
    `SELECT count(*)::int AS entries, coalesce(sum(revision), 0)::int AS revisions,
       (count(*) FILTER (WHERE shown_revision IS NOT DISTINCT FROM revision OR outcome = 'held'))::int AS shown
     FROM newsroom.entry`,
  );
  return row ?? { entries: 0, shown: 0, revisions: 0 };
}

/** Until all is shown, or no change happened for longer than the limit. */
async function untilSettled(
  engine: EngineStage,
  { articles }: ScriptedOutlets,
  patienceMs: number,
): Promise<void> {
  const edits = articles.filter((article) => article.edits > 0).length;
  let last = '';
  let changedMs = performance.now();
  for (;;) {
    const progress = await progressOf(engine);
    const { entries, shown, revisions } = progress;
    if (entries === articles.length && shown === entries && revisions >= entries + edits) return;
    if (JSON.stringify(progress) !== last) {
      last = JSON.stringify(progress);
      changedMs = performance.now();
    }
    if (performance.now() - changedMs > patienceMs) return;
    await delay(500);
  }
}

async function figuresOf(
  { figure, note }: SuiteContext,
  { query }: EngineStage,
  { articles }: ScriptedOutlets,
): Promise<void> {
  const items = await query<{ url: string; title: string; count: number }>(
    'SELECT original_url AS url, min(title) AS title, count(*)::int AS count FROM record.item GROUP BY 1',
  );
  const shown = new Map(items.map((item) => [item.url, item]));
  const held = await query<{ url: string; title: string }>(
    `SELECT url, title FROM newsroom.entry WHERE outcome = 'held' AND shown_revision IS DISTINCT FROM revision`,
  );
  const heldUrls = new Set(held.map(({ url }) => url));
  const lost = articles.filter(({ url }) => !shown.has(url) && !heldUrls.has(url));
  const stale = articles.filter(
    ({ url, edits }) =>
      edits > 0 && !heldUrls.has(url) && shown.get(url)?.title.includes('(updated)') === false,
  );
  const [left] = await query<{ unshown: number; failed: number; waiting: number }>(
    `SELECT (SELECT count(*) FROM newsroom.entry 
        WHERE shown_revision IS DISTINCT FROM revision AND outcome IS DISTINCT FROM 'held')::int AS unshown,
      (SELECT count(*) FROM dbos.workflow_status
        WHERE status IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'))::int AS failed`,
  );
  figure({ name: 'entries published by their outlets', value: articles.length, unit: 'entries' });
  figure({ name: 'lost', value: lost.length, unit: 'entries', goal: { exactly: 0 } });
  figure({
    name: 'in review because the title is an instruction to machines',
    value: held.length,
    unit: 'entries',
    goal: { atMost: articles.length / 1_000 },
  });
  for (const { title } of held.slice(0, 10)) note(`held: ${title}`);
  figure({ name: 'edits not shown', value: stale.length, unit: 'entries', goal: { exactly: 0 } });
  figure({
    name: 'shown more than once',
    value: items.filter(({ count }) => count > 1).length,
    unit: 'entries',
    goal: { exactly: 0 },
  });
  figure({
    name: 'entries whose newest revision is not shown',
    value: left?.unshown ?? -1,
    unit: 'entries',
    goal: { exactly: 0 },
  });
  figure({
    name: 'runs that failed permanently',
    value: left?.failed ?? -1,
    unit: 'runs',
    goal: { exactly: 0 },
  });
  for (const { title } of lost.slice(0, 5)) note(`lost: ${title}`);
}
