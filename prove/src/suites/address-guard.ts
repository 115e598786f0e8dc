import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { isPublicAddress } from '../../../apps/server/src/foundation/outbound/public-address.ts';
import type { Fetcher, FetcherOptions } from '../../../apps/server/src/ingest/fetch/fetcher.ts';
import { createFetcher } from '../../../apps/server/src/ingest/fetch/fetcher.ts';
import type { AddressAttack } from '../attacks/address-attacks.ts';
import { addressAttacks, publicAddress } from '../attacks/address-attacks.ts';
import { startNetwork } from '../attacks/simulated-network.ts';

export const suite: Suite = {
  name: 'address-guard',
  summary:
    'The fetcher never connects to private, loopback, link-local or metadata addresses, whatever a feed, redirect or name server returns.',
  promise:
    'Publishers and their name servers are hostile: they put private, loopback, link-local, carrier-grade, metadata, mapped or 6to4 addresses into feeds, redirects and DNS answers, in every spelling that a URL parser accepts, and change a DNS answer between two look-ups. They know the code of the guard. The fetcher sends no request to any such address. In a simulated network where every address answers, each attack runs once with the guard and once without it; without it, every attack reaches its target. A second run uses real sockets on the addresses of this machine. The development setting for `*.example` opens one port and no other address.',
  measuresNoTime: true,
  run: async (context) => {
    await simulatedFigures(context);
    await realFigures(context);
    await exampleFigures(context);
  },
};

const everywhere = (): boolean => true;

function newFetcher(options: Partial<FetcherOptions>): Fetcher {
  return createFetcher({ userAgent: 'Daybook/prove', clock: systemClock, examplePort: null, ...options });
}

/** Over a new connection each time. */
async function ask(fetcher: Fetcher, url: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await fetcher.fetch({ url, accept: '*/*', bytesMax: 1_000, deadlineMs: 5_000 });
    await fetcher.close();
  }
}

/** Addresses of the inside that a request arrived at. */
async function arrivals(attack: AddressAttack, isGuarded: boolean): Promise<readonly string[]> {
  const network = await startNetwork(attack);
  const { resolve } = network;
  await ask(
    newFetcher({ resolve, ...(!isGuarded && { isAllowedAddress: everywhere }) }),
    attack.url,
    attack.asks,
  );
  await network.end();
  return network.arrived.filter((address) => address !== publicAddress);
}

async function simulatedFigures({ figure, note }: SuiteContext): Promise<void> {
  let reached = 0;
  let reachedUnguarded = 0;
  for (const attack of addressAttacks) {
    const guarded = await arrivals(attack, true);
    const unguarded = await arrivals(attack, false);
    if (guarded.length > 0) {
      reached += 1;
      note(`reached: ${attack.name}: ${guarded.join(', ')}`);
    }
    if (unguarded.length > 0) reachedUnguarded += 1;
    else note(`not reached without the guard either: ${attack.name}`);
  }
  const publisher = {
    name: 'publisher',
    url: 'http://publisher.test/',
    names: { 'publisher.test': [[publicAddress]] },
  };
  const network = await startNetwork(publisher);
  await ask(newFetcher({ resolve: network.resolve }), publisher.url);
  await network.end();
  const count = addressAttacks.length;
  figure({
    name: 'hostile addresses, names and redirects',
    value: count,
    unit: 'attacks',
    goal: { atLeast: 80 },
  });
  figure({
    name: 'of these that reached a private address',
    value: reached,
    unit: 'attacks',
    goal: { exactly: 0 },
  });
  figure({
    name: 'of these that reach it without the guard',
    value: reachedUnguarded,
    unit: 'attacks',
    goal: { exactly: count },
  });
  figure({
    name: 'requests to a public address in the same network',
    value: network.arrived.filter((address) => address === publicAddress).length,
    unit: 'requests',
    goal: { exactly: 1 },
  });
}

/** Spellings of this machine's own addresses that a connection can really be opened to. */
function ownHosts(): readonly string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = interfaces.filter(({ family, address }) => family === 'IPv4' && !isPublicAddress(address));
  const loopback = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
  ];
  return [...new Set([...loopback, ...own.map(({ address }) => address), 'localhost', 'inside.test'])];
}

async function realFigures({ figure, note }: SuiteContext): Promise<void> {
  let requests = 0;
  const canary = createServer((_, response) => {
    requests += 1;
    response.end('reached');
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  canary.listen(0, '0.0.0.0', resolve);
  await promise;
  const { port } = canary.address() as AddressInfo;
  const names = async (): Promise<readonly string[]> => Promise.resolve(['127.0.0.1']);
  const hosts = ownHosts();
  for (const host of hosts) await ask(newFetcher({ resolve: names }), `http://${host}:${port}/`);
  const reached = requests;
  let reachedUnguarded = 0;
  for (const host of hosts) {
    const before = requests;
    await ask(newFetcher({ resolve: names, isAllowedAddress: everywhere }), `http://${host}:${port}/`);
    if (requests > before) reachedUnguarded += 1;
    else note(`not reached without the guard either: ${host}`);
  }
  canary.closeAllConnections();
  canary.close();
  figure({ name: 'real sockets: addresses of this machine', value: hosts.length, unit: 'addresses' });
  figure({ name: 'real sockets: reached', value: reached, unit: 'requests', goal: { exactly: 0 } });
  figure({
    name: 'real sockets: reached without the guard',
    value: reachedUnguarded,
    unit: 'addresses',
    goal: { exactly: hosts.length },
  });
}

async function exampleFigures({ figure }: SuiteContext): Promise<void> {
  const hosts: string[] = [];
  let target = '';
  const publishers = createServer((request, response) => {
    hosts.push(request.headers.host ?? '');
    if (target === '') response.end();
    else response.writeHead(302, { location: target }).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  publishers.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = publishers.address() as AddressInfo;
  const names = async (): Promise<readonly string[]> => Promise.resolve(['127.0.0.1']);
  const askFor = async (url: string): Promise<void> =>
    ask(newFetcher({ examplePort: port, resolve: names }), url);
  for (const url of ['http://outlet.example/', 'https://www.outlet.example/feed']) await askFor(url);
  const allowed = hosts.length;
  const elsewhere = ['127.0.0.1', 'localhost', 'notexample', 'outlet.example.com', 'example.test'];
  for (const host of elsewhere) await askFor(`http://${host}:${port}/`);
  target = `http://127.0.0.1:${port}/`;
  await askFor('http://redirecting.example/');
  publishers.closeAllConnections();
  publishers.close();
  figure({
    name: 'development setting: requests to *.example',
    value: allowed,
    unit: 'requests',
    goal: { exactly: 2 },
  });
  figure({
    name: 'development setting: other names and addresses reached, also by redirect',
    value: hosts.slice(allowed).filter((host) => !host.endsWith('.example')).length,
    unit: 'requests',
    goal: { exactly: 0 },
  });
}
