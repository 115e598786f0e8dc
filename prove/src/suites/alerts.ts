import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { Fault } from '../alerts/faults.ts';
import { faults } from '../alerts/faults.ts';
import type { AlertedInstallation } from '../alerts/installation.ts';
import { startInstallation } from '../alerts/installation.ts';
import type { AlertRule, Prometheus } from '../alerts/prometheus.ts';
import {
  describeMissingPrograms,
  longestRangeSeconds,
  readRules,
  shortened,
  startPrometheus,
} from '../alerts/prometheus.ts';
import { findUnexportedMetrics } from '../alerts/used-metrics.ts';
import { freePorts } from '../http/api-child.ts';

const plans = {
  full: { faster: 10, calmMs: 360_000 },
  quick: { faster: 60, calmMs: 30_000 },
} as const;
/** For the metrics to show the fault, two scrapes and an evaluation, on a busy machine. */
const noticedWithinMs = 30_000;
const resolvedWithinMs = 120_000;
/** Depends on the disk of the machine, which other programs fill and empty. */
const ofTheMachine = 'DaybookDiskFilling';

export const suite: Suite = {
  name: 'alerts',
  nightly: true,
  summary:
    'A real Prometheus with the shipped rules fires each alert under its real fault in time, and none in calm.',
  headline: 'alerts that did not fire in time',
  promise:
    'Two api processes, a worker and publishers run, and Prometheus scrapes them with the shipped `prometheus.yaml` and `alerts.yaml`. For six minutes of calm (30 s with `--quick`) no alert fires, and none has a condition that holds for more than half of that time, which would fire a longer rule later; then two deployments replace the api processes one by one, and none fires. After that, durations of rules and ranges of minutes are divided by 10 (60 with `--quick`), and each fault is caused in turn: processes are killed or frozen, the database is stopped, the mail server and the publishers refuse connections. Its alerts fire within their duration and 30 seconds, and end after the fault. Where an alert needs an age, the suite writes older times into the database; the table names those. The other alerts need faults that take days or other machines: the rule tests evaluate them with written series, and the processes of this suite export their metrics.',
  run: async (context) => {
    const missing = describeMissingPrograms();
    if (missing !== null) return context.didNotRun(missing);
    const folder = await mkdtemp(join(tmpdir(), 'prove-alerts-'));
    await chmod(folder, 0o755);
    const installation = await startInstallation(context.root, folder);
    try {
      await prove(context, installation, folder);
    } finally {
      await installation.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function prove(
  context: SuiteContext,
  installation: AlertedInstallation,
  folder: string,
): Promise<void> {
  const { faster, calmMs } = context.quick ? plans.quick : plans.full;
  const rules = await readRules(context.root);
  const { apiPorts, workerPort } = installation;
  await reportMetrics(context, rules, [...apiPorts, workerPort]);
  const withRules = async (
    name: string,
    intervals: { readonly faster: number; readonly scrapeMs: number },
    work: (prometheus: Prometheus) => Promise<void>,
  ): Promise<void> => {
    const [port = 0] = await freePorts(1);
    const place = join(folder, name);
    await mkdir(place);
    const { root } = context;
    const prometheus = await startPrometheus({
      root,
      folder: place,
      port,
      apiPorts,
      workerPort,
      ...intervals,
    });
    try {
      await work(prometheus);
    } finally {
      await prometheus.stop();
    }
  };
  await withRules('calm', { faster: 1, scrapeMs: 5_000 }, (prometheus) =>
    proveCalm(context, installation, prometheus, { calmMs, rules }),
  );
  await withRules('faults', { faster, scrapeMs: 2_000 }, (prometheus) =>
    proveFaults(context, { installation, prometheus, rules, faster }),
  );
}

async function proveFaults(context: SuiteContext, stage: FaultStage): Promise<void> {
  const late: string[] = [];
  for (const fault of faults) late.push(...(await proveFault(context, stage, fault)));
  for (const text of late) context.note(text);
  const covered = new Set(faults.flatMap(({ alerts }) => alerts)).size;
  const count = (name: string, value: number): void => context.figure({ name, value, unit: 'alerts' });
  context.figure({
    name: 'alerts that did not fire in time',
    value: late.length,
    unit: 'alerts',
    goal: { exactly: 0 },
  });
  count('alerts with a real fault', covered);
  count('alerts with written series alone', stage.rules.length - covered);
}

async function reportMetrics(
  { figure, note }: SuiteContext,
  rules: readonly AlertRule[],
  ports: readonly number[],
): Promise<void> {
  const unexported = await findUnexportedMetrics(rules, ports);
  for (const name of unexported) note(`not exported: ${name}`);
  figure({ name: 'alerts', value: rules.length, unit: 'alerts', goal: { atLeast: 30 } });
  figure({
    name: 'metrics of alerts that no process exports',
    value: unexported.length,
    unit: 'metrics',
    goal: { exactly: 0 },
  });
}

async function proveCalm(
  { figure, note }: SuiteContext,
  { deploy }: AlertedInstallation,
  { alerts }: Prometheus,
  { calmMs, rules }: { readonly calmMs: number; readonly rules: readonly AlertRule[] },
): Promise<void> {
  // Over a range that is not filled yet, its condition says nothing.
  const looksBackLonger = (name: string, ms: number): boolean =>
    rules.some(({ alert, expr }) => alert === name && longestRangeSeconds(expr) * 1_000 > ms);
  const seen = new Set<string>();
  const look = async (activeMs: number): Promise<void> => {
    for (const { name, fires, activeForMs } of await alerts())
      if (fires || (activeForMs > activeMs && !looksBackLonger(name, activeMs))) seen.add(name);
    await delay(500);
  };
  const endMs = performance.now() + calmMs;
  while (performance.now() < endMs) await look(calmMs / 2);
  const deployed = new AbortController();
  const deploying = deploy()
    .then(deploy)
    .finally(() => deployed.abort());
  while (!deployed.signal.aborted) await look(Infinity);
  await deploying;
  seen.delete(ofTheMachine);
  for (const name of seen) note(`fired in calm: ${name}`);
  figure({ name: 'alerts that fired in calm', value: seen.size, unit: 'alerts', goal: { exactly: 0 } });
}

interface FaultStage {
  readonly installation: AlertedInstallation;
  readonly prometheus: Prometheus;
  readonly rules: readonly AlertRule[];
  readonly faster: number;
}

/** Returns a sentence for each alert that fired too late, or did not end. */
async function proveFault(
  { figure }: SuiteContext,
  { installation, prometheus, rules, faster }: FaultStage,
  { name, alerts, cause }: Fault,
): Promise<readonly string[]> {
  const isFiring = async (names: readonly string[]): Promise<boolean> =>
    (await prometheus.alerts()).some((one) => one.fires && names.includes(one.name));
  if ((await waitFor(resolvedWithinMs, async () => !(await isFiring(alerts)))) === Infinity)
    return [`${alerts.join(', ')} fire before the fault (${name})`];
  const from = performance.now();
  const end = await cause(installation);
  const late: string[] = [];
  for (const alert of alerts) {
    const duration = rules.find((rule) => rule.alert === alert)?.for ?? '0s';
    const atMost = shortened(duration, faster) + noticedWithinMs / 1_000;
    const firesAtMs = await waitFor(atMost * 1_000, () => isFiring([alert]));
    const value = (firesAtMs - from) / 1_000;
    if (value > atMost) late.push(`${alert} did not fire within ${atMost} s (${name})`);
    else figure({ name: `${alert}: ${name}`, value, unit: 's', goal: { atMost } });
  }
  await end();
  const overAtMs = await waitFor(resolvedWithinMs, async () => !(await isFiring(alerts)));
  if (overAtMs === Infinity) late.push(`${alerts.join(', ')} still fire after the fault (${name})`);
  return late;
}

/** When it became true; infinite if it did not. */
async function waitFor(withinMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await isSo()) return performance.now();
    if (performance.now() > deadline) return Infinity;
    await delay(250);
  }
}
