import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import {
  countArticles,
  countLateWrites,
  countReplacedSleepers,
  countRows,
  countWatchersKilled,
  readEndings,
  readMarks,
  readVersionEvidence,
} from '../engine/engine-evidence.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { Fault } from '../engine/fault-schedule.ts';
import { dealFaults, planFaults } from '../engine/fault-schedule.ts';
import type { Mark } from '../engine/mark-evidence.ts';
import { classifyRepeats, findTakeovers } from '../engine/mark-evidence.ts';
import type { PaidEndpoint } from '../engine/paid-endpoint.ts';
import { startPaidEndpoint } from '../engine/paid-endpoint.ts';
import { editionsOfYear } from '../engine/simulated-year.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';

const endWithinMs = 120_000;
const editionsDue = Object.values(editionsOfYear).reduce((sum, count) => sum + count, 0);

export const suite: Suite = {
  name: 'engine',
  summary:
    'Every workflow completes and no paid call or publication is repeated while processes are killed, frozen, cut off and redeployed.',
  headline: 'longest takeover from the frozen',
  promise:
    'Processes are killed, frozen, disconnected and replaced by another version, and the database restarts. Every workflow completes. A step runs again only if the fault hit that very step, no paid call is made twice, and each result is published once. Another process takes over the work of a dead process within 30 seconds, also that of a frozen one whose watcher is killed; a process that wakes after it was replaced changes nothing. Two versions run at the same time: each completes its own workflows while one of its processes lives, and the other version completes the rest. Every due edition exists exactly once.',
  run: async (context) => {
    const stage = await setEngineStage();
    const paid = await startPaidEndpoint();
    try {
      const faults = await runUnderFaults(context, stage, paid);
      await reportEvidence(context, stage, paid, faults);
    } finally {
      await paid.close();
      await stage.remove();
    }
  },
};

async function runUnderFaults(
  context: SuiteContext,
  stage: EngineStage,
  paid: PaidEndpoint,
): Promise<readonly Fault[]> {
  const { faults: plan, timings } = planFaults(context.quick);
  const lastAtMs = (plan.at(-1)?.atSeconds ?? 0) * 1_000;
  const logFile = join(tmpdir(), `daybook-prove-engine-${process.pid}.log`);
  context.note(`the workers' own words are in ${logFile}`);
  const supervisor = startWorkerSupervisor({
    slots: 2,
    logFile,
    settings: {
      databaseUrl: stage.applicationUrl,
      paidUrl: paid.url,
      year: { beginsAtMs: systemClock.nowMs(), lastsMs: lastAtMs * 0.9 },
      timings,
    },
  });
  try {
    const enough = new AbortController();
    const feeding = feed(stage, enough.signal, context.quick ? 400 : 700);
    await untilBothWork(stage);
    const faults = await dealFaults({ plan, stage, supervisor, note: context.note });
    enough.abort();
    await feeding;
    await untilEverythingEnded(stage);
    return faults;
  } finally {
    await supervisor.stop();
  }
}

/** A steady stream, so that every fault finds work in flight. */
async function feed(stage: EngineStage, enough: AbortSignal, everyMs: number): Promise<void> {
  for (let number = 1; !enough.aborted; number += 1) {
    await stage.enqueueArticle(`article-${number}`, { stepMs: 150 + ((number * 37) % 300) });
    await delay(everyMs);
  }
}

/** A fault that finds an idle process proves nothing. */
async function untilBothWork(stage: EngineStage): Promise<void> {
  const deadline = systemClock.nowMs() + endWithinMs;
  while (systemClock.nowMs() < deadline) {
    const rows = await stage.query('SELECT DISTINCT process FROM prove.mark');
    if (rows.length >= 2) return;
    await delay(100);
  }
  throw new Error('the two workers did not begin to work');
}

async function untilEverythingEnded(stage: EngineStage): Promise<void> {
  const deadline = systemClock.nowMs() + endWithinMs;
  while (systemClock.nowMs() < deadline) {
    const [{ open }, { there }] = [await countArticles(stage.query), await countRows(stage.query, 'edition')];
    if (open === 0 && there === editionsDue) return;
    await delay(250);
  }
}

async function reportEvidence(
  context: SuiteContext,
  stage: EngineStage,
  paid: PaidEndpoint,
  faults: readonly Fault[],
): Promise<void> {
  const marks = await readMarks(stage.query);
  for (const [kind, dealt] of Map.groupBy(faults, (fault) => fault.kind)) {
    context.figure({ name: `faults: ${kind}`, value: dealt.length, unit: 'faults' });
  }
  const articles = await countArticles(stage.query);
  context.figure({ name: 'workflows started', value: articles.started, unit: 'workflows' });
  context.figure({
    name: 'workflows that did not succeed',
    value: articles.started - articles.succeeded,
    unit: 'workflows',
    goal: { exactly: 0 },
  });
  const published = await countRows(stage.query, 'published');
  context.figure({
    name: 'workflows not published exactly once',
    value: articles.started - published.there + published.doubled,
    unit: 'workflows',
    goal: { exactly: 0 },
  });
  reportSteps(context, marks, faults);
  reportPaidCalls(context, marks, paid);
  await reportTakeovers(context, stage, marks, faults);
  await reportVersions(context, stage);
  await reportSleepers(context, stage, faults);
  const editions = await countRows(stage.query, 'edition');
  const missing = editionsDue - editions.there;
  context.figure({
    name: 'editions of a year: missing',
    value: missing,
    unit: 'editions',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'editions of a year: doubled',
    value: editions.doubled,
    unit: 'editions',
    goal: { exactly: 0 },
  });
}

function reportSteps(context: SuiteContext, marks: readonly Mark[], faults: readonly Fault[]): void {
  const repeats = classifyRepeats(marks, faults);
  for (const repeat of repeats.outside) context.note(`repeated outside its fault: ${repeat}`);
  const outside = repeats.outside.length;
  context.figure({
    name: 'steps repeated outside a fault',
    value: outside,
    unit: 'steps',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'steps repeated, the fault inside that step',
    value: repeats.inside,
    unit: 'steps',
  });
  context.figure({
    name: 'steps started again by another version',
    value: repeats.inAnotherVersion,
    unit: 'steps',
  });
}

function reportPaidCalls(context: SuiteContext, marks: readonly Mark[], paid: PaidEndpoint): void {
  const twice = [...paid.charges.values()].filter((count) => count > 1).length;
  const fallbacks = marks.filter((mark) => mark.kind === 'fallback').length;
  context.figure({ name: 'paid calls', value: paid.charges.size, unit: 'calls' });
  context.figure({ name: 'paid calls made twice', value: twice, unit: 'calls', goal: { exactly: 0 } });
  context.figure({ name: 'paid calls interrupted, fallback used', value: fallbacks, unit: 'calls' });
}

async function reportTakeovers(
  context: SuiteContext,
  stage: EngineStage,
  marks: readonly Mark[],
  faults: readonly Fault[],
): Promise<void> {
  const takeovers = findTakeovers(marks, await readEndings(stage.query), faults);
  const longest = (of: readonly { readonly waitedMs: number }[]): number =>
    Math.max(0, ...of.map((takeover) => takeover.waitedMs)) / 1_000;
  const frozen = takeovers.filter((takeover) => takeover.kind === 'freeze');
  const dead = takeovers.filter(({ kind }) => kind !== 'freeze' && kind !== 'deploy');
  for (const [whose, own] of [
    ['dead', dead],
    ['frozen', frozen],
  ] as const) {
    context.figure({
      name: `workflows taken over from the ${whose}`,
      value: own.length,
      unit: 'workflows',
      goal: { atLeast: 1 },
    });
    context.figure({
      name: `longest takeover from the ${whose}`,
      value: longest(own),
      unit: 's',
      goal: { atMost: 30 },
    });
  }
}

async function reportVersions(context: SuiteContext, stage: EngineStage): Promise<void> {
  const { seconds, moved, stolen } = await readVersionEvidence(stage.query);
  context.figure({
    name: 'two versions running at the same time',
    value: seconds,
    unit: 's',
    goal: { atLeast: 1 },
  });
  context.figure({
    name: 'workflows started by one version and continued by the other',
    value: moved,
    unit: 'workflows',
    goal: { atLeast: 1 },
  });
  context.figure({
    name: 'workflows taken from a version with a living process',
    value: stolen,
    unit: 'workflows',
    goal: { exactly: 0 },
  });
}

async function reportSleepers(
  context: SuiteContext,
  stage: EngineStage,
  faults: readonly Fault[],
): Promise<void> {
  const frozen = faults.filter((fault) => fault.kind === 'freeze').length;
  const replaced = await countReplacedSleepers(stage.query, faults);
  const late = await countLateWrites(stage.query);
  context.figure({
    name: 'frozen processes whose watcher was killed too',
    value: await countWatchersKilled(stage.query, faults),
    unit: 'processes',
    goal: { exactly: frozen },
  });
  context.figure({
    name: 'frozen processes replaced before they woke',
    value: replaced,
    unit: 'processes',
    goal: { exactly: frozen },
  });
  context.figure({
    name: 'changes by a process that woke',
    value: late.published + late.editions + late.receipts,
    unit: 'writes',
    goal: { exactly: 0 },
  });
  context.figure({ name: 'unfenced marks by a process that woke', value: late.marks, unit: 'writes' });
}
