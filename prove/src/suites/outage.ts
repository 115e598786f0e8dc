import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import { freePorts, prepareDatabase, startApiChild } from '../http/api-child.ts';
import type { ApiChild } from '../http/api-child.ts';
import type { Attempt, HttpLoad, Outcome } from '../http/http-load.ts';
import { attempt, startHttpLoad } from '../http/http-load.ts';

const heldIds = Array.from({ length: 20 }, (_, index) => `held-${index}`);

export const suite: Suite = {
  name: 'outage',
  summary:
    'While the database is down, cached resources answer 200 and all others 503; the same process recovers when it returns.',
  headline: 'from the return of the database',
  promise:
    'The database is stopped under load. Every cached resource answers 200, everything else 503 with Retry-After, and no request gets 500; /readyz stays 200. When the database returns, the same process answers every request again.',
  run: async (context) => {
    const cluster = await startCluster();
    let api: ApiChild | undefined;
    try {
      const urls = await prepareDatabase(cluster);
      const [port = 0] = await freePorts(1);
      api = await startApiChild(urls, port);
      // /readyz checks the schema once; after that the database may stop and start.
      await attempt(false, port, probe('/readyz'));
      for (const id of heldIds) await attempt(false, port, ask('held', id));
      const load = startHttpLoad({ port, clients: 8, next });
      await delay(context.quick ? 1_000 : 5_000);
      await cluster.stop();
      const stoppedAtMs = performance.now();
      await delay(context.quick ? 3_000 : 30_000);
      const readiness = await attempt(false, port, probe('/readyz'));
      const startingAtMs = performance.now();
      await cluster.start();
      const startedAtMs = performance.now();
      const recoveredAtMs = await untilRecovered(load, startedAtMs);
      await delay(context.quick ? 2_000 : 10_000);
      await load.stop();
      report(context, load.outcomes, { stoppedAtMs, startingAtMs, startedAtMs, recoveredAtMs });
      context.figure({
        name: '/readyz during the outage',
        value: readiness.status ?? 0,
        unit: 'status',
        goal: { exactly: 200 },
      });
      context.figure({
        name: 'restarts of the api process',
        value: api.process.exitCode === null ? 0 : 1,
        unit: 'restarts',
        goal: { exactly: 0 },
      });
    } finally {
      api?.process.kill('SIGKILL');
      await cluster.remove();
    }
  },
};

function probe(path: string): Attempt {
  return { label: 'probe', method: 'GET', path, id: '' };
}

function ask(kind: 'held' | 'read', id: string): Attempt {
  return { label: kind, method: 'GET', path: `/${kind}/${id}`, id };
}

/** Half of the requested responses are cached; of the rest, half are cacheable but never were requested. */
function next(turn: number): Attempt {
  if (turn % 2 === 0) return ask('held', heldIds[(turn / 2) % heldIds.length] ?? '');
  return turn % 4 === 1 ? ask('read', `read-${turn}`) : { ...ask('held', `new-${turn}`), label: 'new' };
}

interface Times {
  readonly stoppedAtMs: number;
  readonly startingAtMs: number;
  readonly startedAtMs: number;
  readonly recoveredAtMs: number;
}

/** When the first read that was begun after the start was answered. */
async function untilRecovered({ outcomes }: HttpLoad, startedAtMs: number): Promise<number> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const first = outcomes.find(
      (outcome) => outcome.label === 'read' && outcome.good && outcome.startedAtMs >= startedAtMs,
    );
    if (first !== undefined) return first.endedAtMs;
    await delay(20);
  }
  return Infinity;
}

function report(context: SuiteContext, outcomes: readonly Outcome[], times: Times): void {
  const during = outcomes.filter(
    ({ startedAtMs, endedAtMs }) => startedAtMs >= times.stoppedAtMs && endedAtMs <= times.startingAtMs,
  );
  // Over the whole run: also in the moments in which the database goes and comes.
  const held = outcomes.filter(({ label }) => label === 'held');
  const others = during.filter(({ label }) => label !== 'held');
  // A pool that waits a moment before it tries again is part of recovery, so a second is left to it.
  const after = outcomes.filter(({ startedAtMs }) => startedAtMs >= times.recoveredAtMs + 1_000);
  const count = (
    name: string,
    found: readonly Outcome[],
    goal: { exactly: number } | { atLeast: number },
  ): void => {
    context.figure({ name, value: found.length, unit: 'requests', goal });
    const [first] = found;
    if ('exactly' in goal && first !== undefined)
      context.note(`${name}: ${first.method} ${first.path} ${first.status ?? ''} ${first.fault}`);
  };
  context.figure({
    name: 'time without a database',
    value: (times.startedAtMs - times.stoppedAtMs) / 1_000,
    unit: 's',
  });
  count('requests for cached resources before, during and after', held, { atLeast: 100 });
  count(
    'of these not 200',
    held.filter(({ good }) => !good),
    { exactly: 0 },
  );
  count('other requests during the outage', others, { atLeast: 100 });
  count(
    'of these not 503 with Retry-After',
    others.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null || retryAfter < 1),
    { exactly: 0 },
  );
  count(
    '500s in the whole run',
    outcomes.filter(({ status }) => status === 500),
    { exactly: 0 },
  );
  count(
    'connections lost in the whole run',
    outcomes.filter(({ status }) => status === null),
    { exactly: 0 },
  );
  context.figure({
    name: 'from the return of the database to the first response that needs it',
    value: (times.recoveredAtMs - times.startedAtMs) / 1_000,
    unit: 's',
    goal: { atMost: 5 },
  });
  count('requests after the recovery', after, { atLeast: 50 });
  count(
    'requests after the recovery that are not 200',
    after.filter(({ good }) => !good),
    { exactly: 0 },
  );
}
