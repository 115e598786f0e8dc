import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/foundation/clock.ts';
import { createAnonymousSurface } from '../../src/foundation/http/anonymous-surface.ts';
import { parseCidrList } from '../../src/foundation/http/client-address.ts';
import { createSecretBox } from '../../src/foundation/secret-box.ts';
import { hubRoutes } from '../../src/ingest/hubs/hub-routes.ts';
import { platformPages } from '../../src/site/index.ts';
import { filesRoutes } from '../../src/wiring/api-process.ts';
import { createTestClock } from '../clock.ts';
import { testDesk } from '../identity.ts';
import { unusedAccounts } from '../openapi-description.ts';

const template = readFileSync(new URL('../../../../deploy/nginx.conf.template', import.meta.url), 'utf8');

test('nginx streams every address of the API and of the pages whose body or response is streamed', async () => {
  const accounts = await unusedAccounts();
  const anonymous = createAnonymousSurface({
    requestsPerMinute: 600,
    takeToken: () => 0,
    deniedAddresses: parseCidrList([]),
    deniedUserAgents: [],
  });
  const routes = [
    ...filesRoutes(accounts, anonymous),
    ...platformPages(
      accounts.identity,
      accounts.access,
      anonymous,
      accounts.storage,
      testDesk(accounts.identity, createTestClock('2026-01-01T00:00:00.000Z'), 'newsroom'),
    ),
    ...hubRoutes({
      database: accounts.identity.database,
      clock: systemClock,
      secretBox: createSecretBox(['0'.repeat(64)]),
      pushedPollSpacingMs: 0,
    }),
  ];
  const locations = [...template.matchAll(/^ {4}location ~ (\S+) \{/gm)].map(
    ([, form = '']) => new RegExp(form),
  );
  const isLetFlow = (path: string): boolean => locations.some((location) => location.test(path));
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/\{\w+\}/g, 'x'));
  const paths = [...byPath].map(([path, declared]) => ({
    path,
    flows: declared.some(({ stream }) => stream !== undefined),
  }));
  const flowing = paths.filter(({ flows }) => flows).map(({ path }) => path);
  expect(flowing.length).toBeGreaterThan(5);
  expect(flowing.filter((path) => !isLetFlow(path))).toEqual([]);
  const unbounded = paths.filter(({ path }) => !flowing.includes(path) && isLetFlow(path));
  expect(unbounded).toEqual([]);
});
