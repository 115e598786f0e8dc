import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { addMs } from '../../../apps/server/src/foundation/instant.ts';
import { dueEditions } from '../editions/due-editions.ts';
import { isNginxInstalled } from '../http/nginx.ts';
import type { SoakInstallation } from '../soak/installation.ts';
import { startSoakInstallation } from '../soak/installation.ts';
import type { SoakLoad } from '../soak/load.ts';
import { measureSaturation, startSoakLoad } from '../soak/load.ts';
import type { Sample } from '../soak/samples.ts';
import { takeSample } from '../soak/samples.ts';
import { slopeOf } from '../soak/slope.ts';

const fullMinutes = 30;
const quickMinutes = 0.25;
/** Ten weeks of the calendar in a full run. */
const speed = 3_360;
/** In the second half of as many days, everything that is stored for 30 days is level. */
const levelAfterDays = 61;
const loadShare = 0.7;

/** The most that each resource may grow in a day of the calendar: the upper bound of the 95 % interval of its slope. */
const growthPerDayMax: Readonly<Record<string, number>> = {
  'memory of the first api': 1,
  'memory of the second api': 1,
  'memory of the worker': 1,
  'heap of the first api': 0.2,
  'heap of the second api': 0.2,
  'heap of the worker': 0.2,
  'descriptors of the first api': 1,
  'descriptors of the second api': 1,
  'descriptors of the worker': 1,
  'threads of the worker': 0.1,
  'database connections': 0.5,
  'dead rows': 200,
  'temporary files': 0.5,
  'queue of the public log': 1,
  'workflows in the history': 50,
  'steps in the history': 100,
  'committed steps': 50,
  'workflows waiting': 1,
  'items in the window': 5,
  'reports of open stories': 10,
  'postings of open stories': 200,
  partitions: 0.2,
};

/** Stored for 30 days: level only in a run of two months. */
const monthly: ReadonlySet<string> = new Set([
  'workflows in the history',
  'steps in the history',
  'committed steps',
]);

/** Grow with what is published or uploaded, and are stored without end (or for longer than a run): shown apart. */
const growing: readonly string[] = [
  'items',
  'log entries',
  'rankings',
  'stored files',
  'size of the database',
];

export const suite: Suite = {
  name: 'soak',
  nightly: true,
  summary:
    'At 70 % of the load that the machine can serve, over ten weeks of an accelerated calendar, no resource grows with time.',
  headline: 'resources that grow',
  promise:
    'The question: what would end an installation that is never restarted? Two api processes behind nginx and one worker run for 30 minutes (`--minutes` sets another time; 15 s with `--quick`), in which their calendar passes 70 days (in a shorter run fewer, and rows that are stored for 30 days then have no goal): publishers publish, rankings, dailies, weeklies and monthlies are compiled, partitions begin and end, and the tasks of every hour and day delete what has expired. Clients request pages, lists, searches and files through nginx at 70 % of the rate that clients without a pause reach on this machine, measured at the start. Every few seconds the suite samples memory and heap after a garbage collection, descriptors, database connections, dead rows, rows that are stored for a term, temporary files and the queue of the public log. Of the second half, after which everything stored for 30 days or less must be level, it computes the least-squares slope of each with its 95 % interval by a moving-block bootstrap of the residuals, because neighbouring samples resemble each other. The upper bound must be below the amount a day of the calendar that the suite states. Tables that grow by design are shown for each item. Accounts and storage use real time, so their terms do not pass; a leak with each request is bounded by the memory for a million requests. `PROVE_SOAK_LEAK=memory` or `descriptors` plants a leak in the first api process, which must fail.',
  run: async (context) => {
    if (!isNginxInstalled()) return context.didNotRun('nginx is not installed (Debian package nginx)');
    const minutes = context.minutes ?? (context.quick ? quickMinutes : fullMinutes);
    const folder = await mkdtemp(join(tmpdir(), 'prove-soak-'));
    await chmod(folder, 0o755);
    try {
      const installation = await startSoakInstallation(context.root, folder, speed);
      try {
        await prove(context, installation, minutes * 60_000);
      } finally {
        await installation.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function prove(context: SuiteContext, installation: SoakInstallation, forMs: number): Promise<void> {
  const { figure } = context;
  const measured = { clients: 32, forMs: context.quick ? 3_000 : 20_000 };
  const perSecond = await measureSaturation(installation, measured);
  figure({ name: 'requests a second without a pause', value: perSecond, unit: 'requests/s' });
  const superuser = connectDatabase({
    url: installation.cluster.url('daybook'),
    name: 'prove soak',
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
  });
  const startedAt = installation.clock.now();
  const load = startSoakLoad(installation, perSecond * loadShare);
  const samples: Sample[] = [];
  try {
    const fromMs = performance.now();
    const everyMs = Math.max(500, Math.min(5_000, forMs / 300));
    const startedAtMs = installation.clock.nowMs();
    while (performance.now() - fromMs < forMs) {
      samples.push(await takeSample(installation, superuser, startedAtMs));
      await delay(everyMs);
    }
    await load.stop();
    reportLoad(context, load, (performance.now() - fromMs) / 1_000);
    reportSlopes(context, samples, load.requests());
    await noteWaiting(context, superuser);
    const span = { from: startedAt, to: addMs(installation.clock.now(), -dayMs / 2) };
    await reportEditions(context, superuser, span);
  } finally {
    await load.stop();
    await superuser.close();
  }
}

function reportLoad({ figure, note }: SuiteContext, load: SoakLoad, seconds: number): void {
  for (const text of load.failures.slice(0, 10)) note(text);
  figure({ name: 'requests a second of the load', value: load.requests() / seconds, unit: 'requests/s' });
  figure({ name: 'requests', value: load.requests(), unit: 'requests', goal: { atLeast: 1_000 } });
  figure({ name: 'of these failed', value: load.failures.length, unit: 'requests', goal: { exactly: 0 } });
  figure({ name: 'of these refused as the machine is busy (503)', value: load.refused(), unit: 'requests' });
  figure({
    name: 'due requests for which the clients had no connection',
    value: load.skipped(),
    unit: 'requests',
  });
}

function reportSlopes(
  { figure, note, quick }: SuiteContext,
  samples: readonly Sample[],
  requests: number,
): void {
  const last = samples.at(-1)?.day ?? 0;
  const settled = samples.filter(({ day }) => day >= last / 2);
  figure({ name: 'days of the calendar', value: last, unit: 'days' });
  figure({ name: 'samples of the second half', value: settled.length, unit: 'samples' });
  const positions = settled.map(({ day }) => day);
  const requestsPerDay = requests / last;
  const grown: string[] = [];
  for (const [name, atMost] of Object.entries(growthPerDayMax)) {
    const values = settled.map((sample) => Number(sample.values[name]));
    const { perUnit, interval } = slopeOf(positions, values);
    const [low, high] = interval.map((bound) => bound.toFixed(3));
    const unit = unitOf(name);
    note(
      `${name}: ${Number(values[0]).toFixed(1)} to ${Number(values.at(-1)).toFixed(1)} ${unit}; a day ${perUnit.toFixed(3)}, 95 % interval ${low} to ${high}, includes 0: ${interval[0] <= 0 && interval[1] >= 0 ? 'yes' : 'no'}`,
    );
    // In seconds, rows of a term only grow, and noise hides everything else.
    const isJudged = !quick && (last >= levelAfterDays || !monthly.has(name));
    if (isJudged && interval[1] > atMost) grown.push(name);
    const goal = isJudged ? { goal: { atMost } } : {};
    figure({ name: `growth of ${name} a day, upper bound`, value: interval[1], unit, ...goal });
    if (name.startsWith('memory'))
      figure({
        name: `growth of ${name} with a million requests, upper bound`,
        value: (interval[1] / requestsPerDay) * 1_000_000,
        unit: 'MB',
      });
  }
  if (!quick)
    figure({ name: 'resources that grow', value: grown.length, unit: 'resources', goal: { exactly: 0 } });
  reportGrowing({ figure }, settled);
}

function unitOf(name: string): string {
  if (/memory|heap|size/.test(name)) return 'MB';
  return (
    /^(descriptors|threads|partitions|temporary files|workflows|rows|items|connections)/.exec(name)?.[0] ??
    'rows'
  );
}

function reportGrowing({ figure }: Pick<SuiteContext, 'figure'>, settled: readonly Sample[]): void {
  const grownBy = (name: string): number =>
    Number(settled.at(-1)?.values[name]) - Number(settled[0]?.values[name]);
  for (const name of growing) {
    const value = grownBy(name) / grownBy('items');
    figure({ name: `by design: ${name}, for each item`, value, unit: unitOf(name) });
  }
}

/** Which work the worker did not finish in time, for the person who watches. */
async function noteWaiting({ note }: SuiteContext, { pool }: DatabaseConnection): Promise<void> {
  const { rows } = await pool.query<{ name: string; status: string; count: number }>(
    `SELECT name, status, count(*)::int AS count FROM dbos.workflow_status GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 30`,
  );
  for (const { name, status, count } of rows) note(`workflows: ${name} ${status}: ${count}`);
}

async function reportEditions(
  { figure, note }: SuiteContext,
  { pool }: DatabaseConnection,
  span: Parameters<typeof dueEditions>[0],
): Promise<void> {
  const due = dueEditions(span);
  const { rows } = await pool.query<{ key: string; times: number }>(
    `SELECT kind || ' ' || period AS key, count(*)::int AS times FROM record.edition_revision WHERE revision = 1 GROUP BY 1`,
  );
  const times = new Map(rows.map(({ key, times: count }) => [key, count]));
  const wrong = due.filter(({ key }) => times.get(key) !== 1);
  for (const { key } of wrong.slice(0, 5)) note(`not issued once: ${key}`);
  figure({ name: 'reports due', value: due.length, unit: 'reports' });
  figure({ name: 'of these not issued once', value: wrong.length, unit: 'reports', goal: { exactly: 0 } });
}
