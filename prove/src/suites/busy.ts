import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';

import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import { requestOnce } from '../news/http-question.ts';
import { startBusyLoops } from '../newsroom/disturbances.ts';
import { burstWordings } from '../newsroom/real-entries.ts';
import type { ScriptedOutlets } from '../newsroom/scripted-outlets.ts';
import { startScriptedOutlets } from '../newsroom/scripted-outlets.ts';
import { addSourcesTo, wireWorker } from '../wire/wire-stage.ts';

const plans = {
  full: { runMs: 5 * 60_000, outlets: 20, everyMs: 1_000, settleMs: 120_000 },
  quick: { runMs: 15_000, outlets: 6, everyMs: 600, settleMs: 20_000 },
} as const;
const workers = 2;
/** Below twenty a second no request is refused. */
const requestsPerSecond = 15;
const loopsPerCore = 2;

export const suite: Suite = {
  name: 'busy',
  nightly: true,
  summary:
    'With twice as many busy loops as cores, no process exits, every article is published, and cached pages answer within 250 ms at the 99th percentile.',
  headline: 'cached page, 99th percentile',
  promise:
    'Other programs run twice as many busy loops as the machine has cores, at the same priority. Meanwhile publishers publish articles, two workers poll and publish them, and clients request cached pages from one api process fifteen times a second. No process exits, every article is published, no request gets 503, and the 99th percentile of a cached page stays below 250 ms.',
  run: async (context) => {
    const plan = context.quick ? plans.quick : plans.full;
    const folder = await mkdtemp(join(tmpdir(), 'daybook-busy-'));
    const engine = await setEngineStage();
    const outlets = await startScriptedOutlets(plan.outlets);
    await addSourcesTo(engine.applicationUrl, outlets.sources());
    const supervisor = startWorkerSupervisor({
      program: wireWorker,
      slots: workers,
      logFile: join(folder, 'workers.log'),
      settings: {
        databaseUrl: engine.applicationUrl,
        examplePort: outlets.port,
        pace: { intervalMinMs: 2_000, intervalMaxMs: 2_000, spacingMs: 20 },
        leaseMs: 20_000,
        statementTimeoutMs: 10_000,
      },
    });
    const [port = 0] = await freePorts(1);
    const api = await startDaybook(context.root, 'api', port, {
      DATABASE_URL: engine.applicationUrl,
      DATABASE_READER_URL: engine.newsReaderUrl,
      // As an operator has it: a late event loop counts.
      DAYBOOK_LOOP_DELAY_MAX_MS: '500',
      DAYBOOK_DRAIN_NOTICE_MS: '0',
      // One client sends all requests.
      DAYBOOK_RATE_PER_MINUTE: '1000000',
    });
    try {
      await work(context, { engine, outlets, supervisor, api }, plan);
    } finally {
      await api.stop();
      await supervisor.stop();
      await outlets.close();
      await engine.remove();
      await rm(folder, { recursive: true });
    }
  },
};

interface BusyStage {
  readonly engine: EngineStage;
  readonly outlets: ScriptedOutlets;
  readonly supervisor: WorkerSupervisor;
  readonly api: DaybookChild;
}

async function work(
  context: SuiteContext,
  { engine, outlets, supervisor, api }: BusyStage,
  plan: (typeof plans)['full' | 'quick'],
): Promise<void> {
  const wordings = [...burstWordings(context.root, Math.ceil(plan.runMs / plan.everyMs) + plan.outlets)];
  const publish = (outlet: number): void => {
    const wording = wordings.pop();
    if (wording !== undefined) outlets.publish(outlet, wording);
  };
  for (let outlet = 0; outlet < plan.outlets; outlet += 1) publish(outlet);
  await untilPublished(engine, outlets, plan.settleMs);
  const processes = (): readonly number[] =>
    Array.from({ length: workers }, (_, slot) => supervisor.processId(slot));
  const before = processes();
  const loops = startBusyLoops(loopsPerCore);
  const publishing = setInterval(() => publish(outlets.articles.length % plan.outlets), plan.everyMs);
  const { statuses, timesMs } = await askFor(api.port, plan.runMs);
  clearInterval(publishing);
  const shownWhileBusy = await countItems(engine);
  await loops.stop();
  const missing = await untilPublished(engine, outlets, plan.settleMs);
  const after = processes();
  const { figure } = context;
  figure({ name: 'busy loops', value: loops.count, unit: 'processes' });
  figure({
    name: 'workers that exited',
    value: after.filter((id, slot) => id !== before[slot]).length + (api.process.exitCode === null ? 0 : 1),
    unit: 'processes',
    goal: { exactly: 0 },
  });
  figure({ name: 'articles published', value: outlets.articles.length, unit: 'articles' });
  figure({
    name: 'of these published during the load',
    value: shownWhileBusy - plan.outlets,
    unit: 'articles',
    goal: { atLeast: Math.floor((outlets.articles.length - plan.outlets) / 4) },
  });
  figure({ name: 'never published', value: missing, unit: 'articles', goal: { exactly: 0 } });
  figure({ name: 'requests', value: statuses.length, unit: 'requests' });
  figure({
    name: 'requests that got 503 or failed',
    value: statuses.filter((status) => status !== 200).length,
    unit: 'requests',
    goal: { exactly: 0 },
  });
  figure({
    name: 'cached page, 99th percentile',
    value: quantile(timesMs, 0.99),
    unit: 'ms',
    goal: { atMost: 250 },
  });
  figure({ name: 'cached page, median', value: quantile(timesMs, 0.5), unit: 'ms' });
}

async function askFor(
  port: number,
  runMs: number,
): Promise<{ readonly statuses: readonly number[]; readonly timesMs: readonly number[] }> {
  const statuses: number[] = [];
  const timesMs: number[] = [];
  const asked: Promise<void>[] = [];
  const endMs = performance.now() + runMs;
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    asked.push(
      statusOf(port).then((status) => {
        statuses.push(status);
        if (status !== 0) timesMs.push(performance.now() - startedMs);
        return undefined;
      }),
    );
    await delay(1_000 / requestsPerSecond);
  }
  await Promise.all(asked);
  return { statuses, timesMs };
}

/** 0 without a response. */
function statusOf(port: number): Promise<number> {
  return requestOnce(port, '/api/v1/items').then(
    ({ status }) => status,
    () => 0,
  );
}

async function countItems({ query }: EngineStage): Promise<number> {
  const [row] = await query<{ count: number }>('SELECT count(*)::int AS count FROM record.item');
  return row?.count ?? 0;
}

/** Answers how many are still missing. */
async function untilPublished(
  engine: EngineStage,
  { articles }: ScriptedOutlets,
  withinMs: number,
): Promise<number> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const missing = articles.length - (await countItems(engine));
    if (missing <= 0 || performance.now() > endMs) return missing;
    await delay(200);
  }
}
