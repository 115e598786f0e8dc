import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Goal, Suite, SuiteContext } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { LimitsDemand, LimitsReport } from '../limits-demand.ts';
import { answersTooClose, mostInAnySpan } from '../limits-demand.ts';
import { proveLocalLimiter } from '../local-limiter-flood.ts';

const admittedMax = 10;
const processes = 4;
const program = fileURLToPath(new URL('../processes/limits-process.ts', import.meta.url));
const now = (): number => performance.timeOrigin + performance.now();

/** Writes down every admission as the database decided it, beside the rows that the limiter itself forgets. */
const auditSql = `
  CREATE SCHEMA proof;
  CREATE TABLE proof.admission (key text NOT NULL, at timestamptz NOT NULL);
  CREATE FUNCTION proof.note_admission() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    IF NEW.last_admitted THEN
      INSERT INTO proof.admission VALUES (NEW.key, NEW.admitted_at[cardinality(NEW.admitted_at)]);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_admission AFTER INSERT OR UPDATE ON foundation.strict_limit
    FOR EACH ROW EXECUTE FUNCTION proof.note_admission();`;

export const suite: Suite = {
  name: 'limits',
  summary:
    'The strict limiter never admits more than configured over all processes, and two million addresses do not change the local limiter’s memory.',
  headline: 'most admitted of one key in any window, constant requests, 60 s',
  promise:
    'Authentication limits: four processes request as fast as they can for the same keys, and one is killed with SIGKILL and replaced. No key is admitted more often than configured in any window, wherever the window starts, and no less often while it keeps requesting. The database records the times, and the clocks of the clients check the answers again. Anonymous surface: two million addresses change neither the memory of the limiter nor the rights of a client that has used its allowance.',
  run: async (context) => {
    proveLocalLimiter(context);
    const cluster = await startCluster();
    const superuser = connect(cluster.url('daybook'));
    try {
      const urls = await createLogins({
        superuserUrl: cluster.url(),
        database: 'daybook',
        password: 'prove',
      });
      await migrate(urls.owner, await readMigrations());
      await superuser.pool.query(auditSql);
      await proveWindow(context, urls.application, superuser, 2_000, context.quick ? 4 : 15);
      if (!context.quick) await proveWindow(context, urls.application, superuser, 60_000, 3);
    } finally {
      await superuser.close();
      await cluster.remove();
    }
  },
};

function connect(url: string): DatabaseConnection {
  return connectDatabase({
    url,
    name: 'prove limits',
    connectionsMax: 2,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
  });
}

interface Running {
  readonly child: ChildProcess;
  /** null when the process did not live to report. */
  readonly report: Promise<LimitsReport | null>;
}

function start(demand: LimitsDemand): Running {
  const child = spawn(process.execPath, [program, JSON.stringify(demand)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const report = Promise.all([ended, text(child.stdout)]).then(([code, output]) => {
    if (code === null) return null;
    if (code !== 0) throw new Error(`a limits process ended with ${code}`);
    return JSON.parse(output) as LimitsReport;
  });
  return { child, report };
}

async function proveWindow(
  context: SuiteContext,
  url: string,
  superuser: DatabaseConnection,
  windowMs: number,
  windows: number,
): Promise<void> {
  const name = `prove-${windowMs}`;
  const startMs = now() + 1_500;
  const demand: LimitsDemand = {
    url,
    name,
    admittedMax,
    windowMs,
    startMs,
    endMs: startMs + windows * windowMs + windowMs / 2,
    constantKeys: Array.from({ length: 4 }, (_, index) => `constant-${index}`),
    edgeKeys: Array.from({ length: 20 }, (_, index) => `edge-${index}`),
    opensWindows: false,
  };
  context.note(`${windows} windows of ${windowMs / 1000} s, ${processes} processes, one killed and replaced`);
  const running = Array.from({ length: processes }, (_, index) =>
    start({ ...demand, opensWindows: index === 0 }),
  );
  // In the middle of a crowd across an edge.
  await delay(startMs + windowMs - now());
  running.at(-1)?.child.kill('SIGKILL');
  running.push(start(demand));
  const reports = await Promise.all(running.map(({ report }) => report));
  const lived = reports.filter((report) => report !== null);
  const { rows } = await superuser.pool.query<{ key: string; us: string }>(
    `SELECT key, (extract(epoch FROM at) * 1000000)::bigint::text AS us FROM proof.admission WHERE key LIKE $1`,
    [`${name}:%`],
  );
  report(context, demand, windows, rows, lived);
}

function report(
  context: SuiteContext,
  { name, windowMs, constantKeys, edgeKeys }: LimitsDemand,
  windows: number,
  recorded: readonly { readonly key: string; readonly us: string }[],
  reports: readonly LimitsReport[],
): void {
  const instants = Map.groupBy(recorded, (row) => row.key);
  const instantsOf = (key: string): readonly number[] =>
    (instants.get(`${name}:${key}`) ?? []).map((row) => Number(row.us));
  const most = (keys: readonly string[]): number =>
    Math.max(...keys.map((key) => mostInAnySpan(instantsOf(key), windowMs * 1_000)));
  const answers = Map.groupBy(
    reports.flatMap((one) => one.admitted),
    (answer) => answer.key,
  );
  const seconds = windowMs / 1000;
  const figure = (text: string, value: number, goal?: Goal): void =>
    context.figure({ name: `${text}, ${seconds} s`, value, unit: 'requests', ...(goal && { goal }) });
  figure('most admitted of one key in any window, constant requests', most(constantKeys), {
    exactly: admittedMax,
  });
  figure('most admitted of one key in any window, bursts across its edge', most(edgeKeys), {
    exactly: admittedMax,
  });
  const fewest = Math.min(...constantKeys.map((key) => instantsOf(key).length));
  figure(`fewest admitted of one key with constant requests in ${windows} windows`, fewest, {
    atLeast: admittedMax * windows,
  });
  const tooClose = [...answers.values()].map((ofKey) => answersTooClose(ofKey, admittedMax, windowMs));
  figure("admitted beyond the limit by the clients' own clocks", sum(tooClose), { exactly: 0 });
  const undecided = [...answers].map(([key, ofKey]) => Math.max(0, ofKey.length - instantsOf(key).length));
  figure('admitted without a decision of the database', sum(undecided), { exactly: 0 });
  figure('admitted in total', recorded.length);
  figure('refused in total', sum(reports.map((one) => one.refused)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
