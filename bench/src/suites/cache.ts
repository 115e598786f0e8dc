import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { alternatingRates, compareRates } from '../alternating-rates.ts';
import { isInstalled } from '../load-generator.ts';
import type { ServerChild } from '../server-child.ts';
import { startServerChild } from '../server-child.ts';

const program = fileURLToPath(new URL('../processes/cache-server.ts', import.meta.url));
const bodyBytes = 20_000;

type Kind = 'daybook' | 'fastify' | 'node';

interface Server extends ServerChild<{ readonly port: number; readonly etag: string }> {
  readonly kind: Kind;
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
    'A cached response passes the whole HTTP layer (admission, limiter, request id, metrics, shedding, negotiation, conditional requests) at 0.95 or more of the rate of a bare Fastify route, and 0.90 or more of bare `node:http`, which send the same bytes and headers; the Fastify route has the same logger and metrics. Servers are pinned to one core, wrk to another; rounds alternate.',
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
      for (const kind of ['daybook', 'fastify', 'node'] as const)
        servers.push({ kind, ...(await startServerChild(program, [kind, sampleText()], urls)) });
      for (const measured of cases) await compare(context, servers, measured);
    } finally {
      for (const { stop } of servers) await stop();
      await cluster.remove();
    }
  },
};

async function compare(context: SuiteContext, servers: readonly Server[], measured: Case): Promise<void> {
  const chosen = servers.filter(({ kind }) => !context.quick || kind !== 'node');
  const rates = await alternatingRates(
    context,
    chosen.map((server) => {
      const { port, etag } = server.hello;
      const path = server.kind === 'daybook' ? '/resource' : measured.barePath;
      return {
        name: server.kind,
        server,
        url: `http://127.0.0.1:${port}${path}`,
        headers: measured.headers(etag),
      };
    }),
  );
  const [ours, bare, node] = [rates('daybook'), rates('fastify'), rates('node')];
  compareRates(context, `${measured.name}, beside Fastify`, ours, bare, { atLeast: 0.95 });
  if (node.length > 0)
    compareRates(context, `${measured.name}, beside node:http`, ours, node, { atLeast: 0.9 });
}

/** Words in random order, so that br has work to do and matches to find. */
function sampleText(): string {
  const random = seededRandom(20);
  const words = Array.from({ length: 500 }, () => Math.floor(random() * 36 ** 5).toString(36));
  let text = '';
  while (text.length < bodyBytes) text += `${words[Math.floor(random() * words.length)]} `;
  return text;
}
