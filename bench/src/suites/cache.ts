import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { applyLoad, isInstalled, pinned } from '../load-generator.ts';

const program = fileURLToPath(new URL('../processes/cache-server.ts', import.meta.url));
const bodyBytes = 20_000;

type Kind = 'daybook' | 'fastify' | 'node';

interface Server {
  readonly kind: Kind;
  readonly child: ChildProcess;
  readonly port: number;
  readonly etag: string;
}

interface Case {
  readonly name: string;
  readonly barePath: string;
  readonly headers: (etag: string) => Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  { name: '20 KB, identity', barePath: '/identity', headers: () => ({}) },
  { name: '20 KB, br', barePath: '/br', headers: () => ({ 'accept-encoding': 'gzip, deflate, br' }) },
  { name: '304', barePath: '/not-modified', headers: (etag) => ({ 'if-none-match': etag }) },
];

export const suite: Suite = {
  name: 'cache',
  summary: 'throughput of the representation cache beside a bare Fastify route',
  promise:
    'A held copy is served through the whole HTTP layer (admission, limiter, request id, metrics, shedding, negotiation, conditional requests) at 0.90 or more of the rate of a bare Fastify route that sends the same bytes and headers with the same logger and metrics. Servers are pinned to one core, wrk to another; rounds alternate.',
  run: async (context) => {
    if (!isInstalled('wrk')) {
      context.didNotRun('wrk is not installed (Debian package wrk)');
      return;
    }
    const cluster = await startCluster();
    const servers: Server[] = [];
    try {
      const urls = await createLogins({
        superuserUrl: cluster.url(),
        database: 'bench',
        password: 'bench',
      });
      await migrate(urls.owner, await readMigrations());
      for (const kind of ['daybook', 'fastify', 'node'] as const) servers.push(await startServer(kind, urls));
      for (const measured of cases) await compare(context, servers, measured);
    } finally {
      for (const { child } of servers) child.disconnect();
      await cluster.remove();
    }
  },
};

async function compare(context: SuiteContext, servers: readonly Server[], measured: Case): Promise<void> {
  const [rounds, seconds] = context.quick ? [3, 1] : [9, 2];
  const rates: Record<Kind, Rate[]> = { daybook: [], fastify: [], node: [] };
  const chosen = servers.filter(({ kind }) => !context.quick || kind !== 'node');
  for (const server of chosen) await measure(server, measured, 1);
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes, so that a machine that grows slower or faster favours nobody.
    const order = chosen.map((_, index) => chosen[(index + round) % chosen.length] as Server);
    for (const server of order) rates[server.kind].push(await measure(server, measured, seconds));
  }
  for (const [unit, per] of [
    ['requests/s', 'perSecond'],
    ['requests per second of CPU', 'perCpuSecond'],
  ] as const) {
    const [ours = [], bare = [], node = []] = [rates.daybook, rates.fastify, rates.node].map((of) =>
      of.map((rate) => rate[per]),
    );
    context.ratio({ name: `${measured.name}, beside Fastify`, unit, ours, bare, goal: { atLeast: 0.9 } });
    if (node.length > 0)
      context.ratio({ name: `${measured.name}, beside node:http`, unit, ours, bare: node });
  }
}

interface Rate {
  readonly perSecond: number;
  /** What the server itself spent; a neighbour on its core changes the first figure and hardly this one. */
  readonly perCpuSecond: number;
}

async function measure(server: Server, measured: Case, seconds: number): Promise<Rate> {
  const before = await cpuSeconds(server);
  const path = server.kind === 'daybook' ? '/resource' : measured.barePath;
  const { requests, perSecond } = await applyLoad({
    url: `http://127.0.0.1:${server.port}${path}`,
    headers: measured.headers(server.etag),
    seconds,
  });
  return { perSecond, perCpuSecond: requests / ((await cpuSeconds(server)) - before) };
}

async function cpuSeconds({ child }: Server): Promise<number> {
  child.send('usage');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return (user + system) / 1e6;
}

async function startServer(kind: Kind, urls: DatabaseUrls): Promise<Server> {
  const [command, rest] = pinned(0, [process.execPath, ...process.execArgv, program, kind, sampleText()]);
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: urls.application,
      DATABASE_READER_URL: urls.newsReader,
    },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the ${kind} server ended with ${String(code)} before it listened`);
  });
  const [{ port, etag }] = (await Promise.race([once(child, 'message'), ended])) as [
    { port: number; etag: string },
  ];
  ended.catch(() => {});
  return { kind, child, port, etag };
}

/** Words in random order, so that br has something to do and something to find. */
function sampleText(): string {
  const random = seededRandom(20);
  const words = Array.from({ length: 500 }, () => Math.floor(random() * 36 ** 5).toString(36));
  let text = '';
  while (text.length < bodyBytes) text += `${words[Math.floor(random() * words.length)]} `;
  return text;
}
