import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { declaredRoutes } from '../../../apps/server/test/openapi-description.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import { isNginxInstalled, startNginx } from '../http/nginx.ts';
import { ask } from '../news/http-question.ts';

type Headers = Readonly<Record<string, string>>;

export const suite: Suite = {
  name: 'edge',
  summary:
    'nginx, configured as shipped, caches public responses only, collapses concurrent misses into one request, and delays no authenticated request.',
  headline: 'requests to the api',
  promise:
    'Two api processes run behind nginx with the configuration of deploy/nginx.conf.template. Ten concurrent requests with an access token, a cookie, an API key or no credential take hardly longer than without nginx: none waits for another. Concurrent requests for a public address that is not cached cause one request to the api. If one process refuses requests with 503, reads are sent to the other one, and writes are not. nginx never caches a personal response: two users request every personal route with every kind of credential and without, and each response was made for its own request.',
  run: async (context) => {
    if (!isNginxInstalled()) return context.didNotRun('nginx is not installed (Debian package nginx)');
    const stage = await openAccountsStage();
    const apis: DaybookChild[] = [];
    try {
      const [edgePort = 0, ...ports] = await freePorts(3);
      const settings = {
        ...stage.settings,
        DAYBOOK_LOG_LEVEL: 'warn',
        DAYBOOK_DRAIN_NOTICE_MS: '0',
        DAYBOOK_BASE_URL: `http://localhost:${edgePort}`,
        DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
      };
      for (const port of ports) apis.push(await startDaybook(context.root, 'api', port, settings));
      const nginx = await startNginx(context.root, edgePort, ports);
      try {
        const people = await Promise.all(
          (await stage.createAccounts(2)).map((account) => signInEverywhere(ports[0] as number, account)),
        );
        await proveNoWaiting(context, { edgePort, apiPort: ports[0] as number, person: people[0] as Person });
        await proveCollapse(context, edgePort, ports);
        await proveNothingHeld(context, edgePort, people);
      } finally {
        await nginx.stop();
      }
      await proveRefusals(context, edgePort, ports[0] as number);
    } finally {
      await Promise.all(apis.map((api) => api.stop()));
      await stage.stop();
    }
  },
};

/** Headers by kind of credential. */
type Person = Readonly<Record<'access token' | 'cookie' | 'API key' | 'nothing', Headers>>;

async function signInEverywhere(port: number, account: StageAccount): Promise<Person> {
  const tokens = (await send(port, '/api/auth/token', { json: grantOf(account) })).json<{
    access_token: string;
  }>();
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const key = (await send(port, '/api/v1/api-keys', { json: { name: 'edge' }, headers: bearer })).json<{
    key: string;
  }>();
  const cookie = cookieOf(await signInOnForm(port, account));
  return { 'access token': bearer, cookie: { cookie }, 'API key': { 'x-api-key': key.key }, nothing: {} };
}

const atOnce = 10;
/** Without a credential a person sees the form to sign in. */
const paths: Readonly<Record<keyof Person, string>> = {
  'access token': '/api/v1/me',
  'API key': '/api/v1/me',
  cookie: '/account',
  nothing: '/auth/signin',
};

async function proveNoWaiting(
  context: SuiteContext,
  { edgePort, apiPort, person }: { edgePort: number; apiPort: number; person: Person },
): Promise<void> {
  for (const [name, headers] of Object.entries(person)) {
    const path = paths[name as keyof Person];
    const timesOf = async (port: number): Promise<number> => {
      const times = await Promise.all(
        Array.from({ length: atOnce }, async () => {
          const startedMs = performance.now();
          await ask(port, { path, headers });
          return performance.now() - startedMs;
        }),
      );
      return median(times);
    };
    const rounds = context.quick ? 15 : 300;
    const [bare, ours]: [number[], number[]] = [[], []];
    await timesOf(edgePort);
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await timesOf(apiPort));
      ours.push(await timesOf(edgePort));
    }
    context.figure({
      name: `ten requests at once with ${name}, median through nginx, of the median without nginx`,
      value: Math.round((median(ours) / median(bare)) * 100) / 100,
      unit: '×',
      // Fifteen rounds say only whether requests wait for each other, which makes it 10 to 100.
      goal: { atMost: context.quick ? 3 : 1.5 },
    });
  }
}

async function proveCollapse(
  context: SuiteContext,
  edgePort: number,
  apiPorts: readonly number[],
): Promise<void> {
  const path = '/api/v1/items?mode=all&limit=7';
  const before = await countAnswers(apiPorts);
  await Promise.all(Array.from({ length: 60 }, () => ask(edgePort, { path })));
  context.figure({
    name: 'requests to the api for 60 concurrent requests of an address that is not cached',
    value: (await countAnswers(apiPorts)) - before,
    unit: 'requests',
    goal: { exactly: 1 },
  });
}

async function countAnswers(apiPorts: readonly number[]): Promise<number> {
  let sum = 0;
  for (const port of apiPorts) {
    const { text } = await ask(port, { path: '/metrics' });
    const pattern =
      /^daybook_http_(?:request_duration_seconds_count|cached_responses_total)\{[^}]*route="\/api\/v1\/items"[^}]*\} (\d+)$/gm;
    for (const [, value] of text.matchAll(pattern)) sum += Number(value);
  }
  return sum;
}

const requestsOfRefusals = 20;

/** One process refuses everything with 503, as one does that has just started without a database. */
async function proveRefusals(context: SuiteContext, edgePort: number, apiPort: number): Promise<void> {
  let refused = 0;
  const refusing = createServer((_, response) => {
    refused += 1;
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const nginx = await startNginx(context.root, edgePort, [(refusing.address() as AddressInfo).port, apiPort]);
  const refusalsOf = async (method: string, pathOf: (at: number) => string): Promise<number> => {
    let refusals = 0;
    for (let at = 1; at <= requestsOfRefusals; at += 1)
      if ((await ask(edgePort, { path: pathOf(at), method })).status === 503) refusals += 1;
    return refusals;
  };
  try {
    context.figure({
      name: 'reads refused while another process answers',
      value: await refusalsOf('GET', (at) => `/api/v1/items?mode=all&limit=${at}`),
      unit: 'requests',
      goal: { exactly: 0 },
    });
    refused = 0;
    const writes = await refusalsOf('POST', () => '/api/auth/token');
    context.figure({
      name: 'refused writes that were sent again',
      value: refused - writes,
      unit: 'requests',
      goal: { exactly: 0 },
    });
  } finally {
    await nginx.stop();
    refusing.close();
  }
}

/** A cached response has the id of the request that it was made for. */
async function proveNothingHeld(
  context: SuiteContext,
  edgePort: number,
  people: readonly Person[],
): Promise<void> {
  const routes = (await declaredRoutes()).filter(
    ({ method, stream, isShared }) => method === 'GET' && stream === undefined && isShared !== true,
  );
  const paths = [...new Set(routes.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x')))];
  const held: string[] = [];
  let asked = 0;
  for (const path of paths) {
    const ids: string[] = [];
    for (const person of people)
      for (const headers of Object.values(person)) {
        const answer = await ask(edgePort, { path, headers });
        ids.push(String(answer.headers['x-request-id']));
        asked += 1;
      }
    if (new Set(ids).size < ids.length) held.push(path);
  }
  for (const path of held.slice(0, 10)) context.note(`held: ${path}`);
  context.figure({ name: 'personal addresses', value: paths.length, unit: 'addresses' });
  context.figure({ name: 'requests for them', value: asked, unit: 'requests' });
  context.figure({
    name: 'addresses with a response of another request',
    value: held.length,
    unit: 'addresses',
    goal: { exactly: 0 },
  });
}
