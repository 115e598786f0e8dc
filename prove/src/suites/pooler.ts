import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { isPgbouncerInstalled } from '../pooler/pgbouncer.ts';
import type { SessionCounts } from '../pooler/pooler-limits.ts';
import {
  countSessions,
  refusesSettings,
  secondsUntilCancelled,
  secondsUntilEnded,
  secondsUntilSearchGivenUp,
} from '../pooler/pooler-limits.ts';
import type { LoadOutcome } from '../pooler/pooler-load.ts';
import { runLoad } from '../pooler/pooler-load.ts';
import type { PoolerStage } from '../pooler/pooler-stage.ts';
import { setPoolerStage } from '../pooler/pooler-stage.ts';

export const suite: Suite = {
  name: 'pooler',
  nightly: true,
  summary:
    'Many processes work through PgBouncer in transaction mode on ten connections, and a killed worker’s work is taken over.',
  headline: 'most sessions of PostgreSQL',
  promise:
    'Four api processes (two with `--quick`) and two workers run behind PgBouncer in transaction mode, with the configuration of deploy/pgbouncer.ini.template and ten connections to PostgreSQL. Sign-up with its mail, sign-in, news, search, publication and the engine work without an error; every process refuses a revoked API key within a second; another worker takes over the work of a killed one. The limits of statements and idle transactions hold although the pooler refuses session settings. Only locks and notifications bypass the pooler, with one connection per process.',
  run: async (context) => {
    if (!isPgbouncerInstalled()) {
      context.didNotRun('pgbouncer is not installed (Debian package pgbouncer)');
      return;
    }
    const stage = await setPoolerStage(context.root, context.quick ? 2 : 4);
    try {
      await proveStage(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function proveStage(context: SuiteContext, stage: PoolerStage): Promise<void> {
  const [loadEnough, lookEnough] = [new AbortController(), new AbortController()];
  const counting = countSessions(stage, lookEnough.signal);
  const loading = runLoad(stage, loadEnough.signal);
  // Beside the load: three of the ten connections are busy with this for the time.
  const limits = Promise.all([
    secondsUntilCancelled(stage.application),
    secondsUntilCancelled(stage.newsReader),
    secondsUntilEnded(stage.application),
  ]);
  const takenOverAfter = await killWorker(stage);
  await delay(context.quick ? 0 : 60_000);
  const [statement, readerStatement, idle] = await limits;
  loadEnough.abort();
  const outcome = await loading;
  lookEnough.abort();
  reportLoad(context, stage, outcome, takenOverAfter);
  reportSessions(context, await counting, stage.apis.length + stage.workers.length);
  const search = await secondsUntilSearchGivenUp(stage);
  const refused = await refusesSettings(stage.pooledUrl);
  const seconds = (name: string, value: number, atMost: number): void =>
    context.figure({ name, value, unit: 's', goal: { atMost } });
  context.figure({
    name: 'sessions with a setting at their start, refused by the pooler',
    value: refused ? 1 : 0,
    unit: 'of 1',
    goal: { exactly: 1 },
  });
  seconds('statement without end of the application, cancelled after', statement, 13);
  seconds('statement without end of the news reader, cancelled after', readerStatement, 13);
  seconds('transaction left idle, ended after', idle, 18);
  seconds('search on a locked table, given up after', search, 4);
}

/** Seconds from the kill of a worker until another has taken its work over. */
async function killWorker(stage: PoolerStage): Promise<number> {
  await delay(2_000);
  const { process } = stage.workers[0] ?? {};
  process?.kill('SIGKILL');
  const killedAt = performance.now();
  const takenOver = untilEpochEnded(stage, process?.pid).then(() => performance.now() - killedAt);
  stage.workers[0] = await stage.startWorker();
  return (await takenOver) / 1_000;
}

async function untilEpochEnded({ superuser }: PoolerStage, pid: number | undefined): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const { rows } = await superuser.pool.query(
      'SELECT FROM foundation.executor WHERE process_id = $1 AND ended_by <> epoch',
      [pid],
    );
    if (rows.length > 0) return;
    await delay(100);
  }
}

function reportLoad(
  context: SuiteContext,
  stage: PoolerStage,
  outcome: LoadOutcome,
  takenOverAfter: number,
): void {
  const { failures, revocations } = outcome;
  const errors = stage.loggedErrors();
  for (const line of [...errors, ...failures, ...stage.pooler.complaints()].slice(0, 10)) context.note(line);
  const count = (name: string, value: number, unit: string, atLeast: number): void =>
    context.figure({ name, value, unit, goal: { atLeast } });
  count('news answers', outcome.newsAnswers, 'answers', 100);
  count('items published', outcome.published, 'items', 10);
  count('sign-ups whose mail a worker sent, confirmed', outcome.joined, 'accounts', 5);
  count('sign-ins', outcome.signIns, 'sign-ins', 5);
  count('API keys revoked', revocations.length, 'keys', 5);
  const none = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  none('of these failed', failures.length, 'failures');
  none('errors in the logs of the processes', errors.length, 'lines');
  none(
    'revoked keys accepted again',
    revocations.reduce((sum, { resurrected }) => sum + resurrected, 0),
    'requests',
  );
  context.figure({
    name: 'revoked key last accepted by any process after its end',
    value: Math.max(...revocations.map(({ lastAcceptedMs }) => lastAcceptedMs)),
    unit: 'ms',
    goal: { atMost: 1_000 },
  });
  context.figure({
    name: 'time until the work of a killed worker is taken over',
    value: takenOverAfter,
    unit: 's',
    goal: { atMost: 30 },
  });
}

function reportSessions(
  context: SuiteContext,
  { throughPooler, past }: SessionCounts,
  processCount: number,
): void {
  const most = (name: string, value: number, atMost: number): void =>
    context.figure({ name, value, unit: 'sessions', goal: { atMost } });
  most('most sessions of PostgreSQL through the pooler', throughPooler, 10);
  most('most sessions past it, for locks and notifications', past, processCount);
}
