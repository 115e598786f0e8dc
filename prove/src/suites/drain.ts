import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { ApiChild } from '../http/api-child.ts';
import { freePorts, prepareDatabase, queryOnce, startApiChild } from '../http/api-child.ts';
import type { Attempt, Outcome } from '../http/http-load.ts';
import { attempt, startHttpLoad } from '../http/http-load.ts';
import { isNginxInstalled, startNginx } from '../http/nginx.ts';

export const suite: Suite = {
  name: 'drain',
  summary:
    'A rolling restart of two api processes behind nginx causes no client error and neither loses nor repeats a write.',
  headline: 'requests',
  promise:
    'Two api processes run behind nginx with the configuration of deploy/nginx.conf.template. Under load, each in turn receives SIGTERM and is started again. No client gets an error. Every accepted request, slow ones and writes included, gets its full response, and no write is lost or executed twice. /readyz answers 503 before the listener closes.',
  run: async (context) => {
    if (!isNginxInstalled()) {
      context.didNotRun('nginx is not installed (Debian package nginx)');
      return;
    }
    const cluster = await startCluster();
    const apis: ApiChild[] = [];
    try {
      const urls = await prepareDatabase(cluster);
      const [edgePort = 0, ...ports] = await freePorts(3);
      apis.push(...(await Promise.all(ports.map((port) => startApiChild(urls, port)))));
      const nginx = await startNginx(context.root, edgePort, ports);
      try {
        await drainUnderLoad(context, { cluster, urls, apis, edgePort });
        const unforeseen = nginx
          .complaints()
          .split('\n')
          .filter((line) => line !== '' && !line.includes('refused'));
        for (const line of unforeseen.slice(0, 5)) context.note(line);
      } finally {
        await nginx.stop();
      }
    } finally {
      for (const { process } of apis) process.kill('SIGKILL');
      await cluster.remove();
    }
  },
};

interface Stage {
  readonly cluster: Cluster;
  readonly urls: DatabaseUrls;
  readonly apis: ApiChild[];
  readonly edgePort: number;
}

/** Reads, cached responses, writes, and some reads that outlast the notice of a stopping process. */
function next(turn: number): Attempt {
  const id = String(turn);
  if (turn % 50 === 0) return { label: 'slow', method: 'GET', path: `/read/${id}?waitMs=6000`, id };
  if (turn % 4 === 0) return { label: 'held', method: 'GET', path: `/held/${id}`, id };
  if (turn % 2 === 0) return { label: 'read', method: 'GET', path: `/read/${id}?waitMs=5`, id };
  return { label: 'write', method: 'POST', path: '/orders', id };
}

async function drainUnderLoad(context: SuiteContext, stage: Stage): Promise<void> {
  const { apis, edgePort } = stage;
  const load = startHttpLoad({ port: edgePort, clients: 24, next });
  await delay(500);
  const leavings: Leaving[] = [];
  for (let round = 0; round < (context.quick ? 1 : 5); round += 1) {
    for (const [slot, api] of apis.entries()) {
      leavings.push(await watchLeaving(api));
      apis[slot] = await startApiChild(stage.urls, api.port);
      await delay(context.quick ? 0 : 1_000);
    }
  }
  await load.stop();
  const rows = await queryOnce(
    stage.cluster.url('prove'),
    'SELECT id, count(*)::int AS times FROM prove_order GROUP BY id',
  );
  report(context, load.outcomes, leavings, new Map(rows.map(({ id, times }) => [String(id), Number(times)])));
  const metrics = await attempt(false, edgePort, { label: 'probe', method: 'GET', path: '/metrics', id: '' });
  context.figure({
    name: '/metrics through nginx',
    value: metrics.status ?? 0,
    unit: 'status',
    goal: { exactly: 404 },
  });
}

interface Leaving {
  /** Between the first 503 from /readyz and the first refused connection. */
  readonly noticeMs: number;
  readonly exitCode: number | null;
}

async function watchLeaving(api: ApiChild): Promise<Leaving> {
  let [notReadyAtMs, refusedAtMs] = [Infinity, Infinity];
  api.process.kill('SIGTERM');
  while (refusedAtMs === Infinity) {
    const { status, endedAtMs } = await attempt(false, api.port, {
      label: 'probe',
      method: 'GET',
      path: '/readyz',
      id: '',
    });
    if (status === 503) notReadyAtMs = Math.min(notReadyAtMs, endedAtMs);
    if (status === null) refusedAtMs = endedAtMs;
    await delay(20);
  }
  return { noticeMs: refusedAtMs - notReadyAtMs, exitCode: await api.ended };
}

function report(
  context: SuiteContext,
  outcomes: readonly Outcome[],
  leavings: readonly Leaving[],
  orders: ReadonlyMap<string, number>,
): void {
  const bad = outcomes.filter(({ good }) => !good);
  for (const { method, path, status, fault } of bad.slice(0, 5))
    context.note(`${method} ${path}: ${status ?? ''} ${fault}`);
  const count = (
    name: string,
    value: number,
    unit: string,
    goal: { exactly: number } | { atLeast: number },
  ): void => context.figure({ name, value, unit, goal });
  count('processes that received SIGTERM', leavings.length, 'processes', { atLeast: 2 });
  count(
    'of these with another exit code than 0',
    leavings.filter(({ exitCode }) => exitCode !== 0).length,
    'processes',
    {
      exactly: 0,
    },
  );
  context.figure({
    name: 'shortest time from /readyz 503 to the listener’s end',
    value: Math.min(...leavings.map(({ noticeMs }) => noticeMs)) / 1_000,
    unit: 's',
    goal: { atLeast: 4 },
  });
  count('requests', outcomes.length, 'requests', { atLeast: 1_000 });
  for (const label of ['slow', 'write'])
    count(`of these ${label}`, outcomes.filter((outcome) => outcome.label === label).length, 'requests', {
      atLeast: 10,
    });
  count('requests without their full answer', bad.length, 'requests', { exactly: 0 });
  const written = outcomes.filter(({ label, good }) => label === 'write' && good);
  count('writes confirmed and lost', written.filter(({ id }) => !orders.has(id)).length, 'writes', {
    exactly: 0,
  });
  count('writes executed twice', [...orders.values()].filter((times) => times > 1).length, 'writes', {
    exactly: 0,
  });
}
