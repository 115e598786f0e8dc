import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { Contender } from '../alternating-rates.ts';
import { alternatingRates, compareRates } from '../alternating-rates.ts';
import { applyLoad, isInstalled } from '../load-generator.ts';
import type { ServerChild } from '../server-child.ts';
import { startServerChild } from '../server-child.ts';

type Kind = 'without' | 'off' | '1 %' | 'all' | 'all, receiver silent';
type Child = ServerChild<{ readonly port: number }>;

const goals: Readonly<Record<Exclude<Kind, 'without'>, { readonly atLeast: number }>> = {
  off: { atLeast: 0.99 },
  '1 %': { atLeast: 0.95 },
  all: { atLeast: 0.8 },
  'all, receiver silent': { atLeast: 0.8 },
};
const compared = Object.keys(goals) as readonly (keyof typeof goals)[];

/** Each server answers the warm-up requests first: with other load on the machine, a second is too short to compile the code. */
const cases = [
  { name: 'cached response of 2 KB', path: '/cached', warmUp: 60_000 },
  { name: 'request with three statements', path: '/read', warmUp: 6_000 },
] as const;

export const suite: Suite = {
  name: 'traces',
  nightly: true,
  summary: 'throughput with traces off, of 1 % and of all requests, beside a process without tracing',
  promise:
    'Beside a process whose modules of tracing are replaced by empty ones, a process that sends no traces reaches 0.99 of the rate, one that traces 1 % of its requests 0.95, and one that traces all of them 0.80: for a cached response of 2 KB, which is answered before the router, and for a request with three statements. A receiver that never answers changes nothing. Servers share one core, and wrk and the receiver the other; rounds alternate.',
  run: async (context) => {
    if (!isInstalled('wrk')) {
      context.didNotRun('wrk is not installed (Debian package wrk)');
      return;
    }
    const cluster = await startCluster();
    const children: Child[] = [];
    const start = async (...parts: Parameters<typeof startServerChild>): Promise<Child> => {
      const child = await startServerChild<{ readonly port: number }>(...parts);
      children.push(child);
      return child;
    };
    try {
      const urls = await createLogins({ superuserUrl: cluster.url(), database: 'bench', password: 'bench' });
      await migrate(urls.owner, await readMigrations());
      await measure(context, await startServers(context.root, urls, start));
    } finally {
      for (const { stop } of children) await stop();
      await cluster.remove();
    }
  },
};

/** From their sources, whose modules can be replaced. */
async function startServers(
  root: string,
  urls: DatabaseUrls,
  start: (...parts: Parameters<typeof startServerChild>) => Promise<Child>,
): Promise<ReadonlyMap<Kind, Child>> {
  const source = (name: string): string => join(root, 'bench/src/processes', name);
  const receiver = async (...args: readonly string[]): Promise<string> => {
    const { hello } = await start(source('trace-receiver.ts'), args, undefined, { core: 1 });
    return `http://127.0.0.1:${hello.port}`;
  };
  const server = (environment: Readonly<Record<string, string>>, ...nodeArgs: string[]): Promise<Child> =>
    start(source('traced-server.ts'), [], urls, { environment, nodeArgs });
  const url = await receiver();
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
  return new Map<Kind, Child>([
    ['without', await server({}, '--import', source('without-tracing.ts'))],
    ['off', await server({})],
    ['1 %', await server({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...ratio })],
    ['all', await server({ OTEL_EXPORTER_OTLP_ENDPOINT: url })],
    ['all, receiver silent', await server({ OTEL_EXPORTER_OTLP_ENDPOINT: await receiver('silent') })],
  ]);
}

async function measure(context: SuiteContext, servers: ReadonlyMap<Kind, Child>): Promise<void> {
  for (const { name, path, warmUp } of cases) {
    const contenders = [...servers].map(([kind, server]): Contender<Kind> => ({
      name: kind,
      server,
      url: `http://127.0.0.1:${server.hello.port}${path}`,
      headers: {},
    }));
    for (const contender of contenders) {
      for (let answered = 0; answered < warmUp;)
        answered += (await applyLoad({ ...contender, seconds: 1 })).requests;
    }
    const rates = await alternatingRates(context, contenders);
    for (const kind of compared)
      compareRates(context, `${name}, ${kind}`, rates(kind), rates('without'), goals[kind]);
  }
}
