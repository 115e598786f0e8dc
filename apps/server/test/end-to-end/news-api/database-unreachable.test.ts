import { startCluster } from '@daybook/local-postgres';
import type { Cluster } from '@daybook/local-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createLogins } from '../../../src/foundation/database/logins.ts';
import { migrate } from '../../../src/foundation/database/migrate.ts';
import { readMigrations } from '../../../src/foundation/database/migration-files.ts';
import { createTestClock } from '../../clock.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let cluster: Cluster;
let app: NewsApp;

beforeAll(async () => {
  cluster = await startCluster({ settings: { fsync: 'off' } });
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'test' });
  await migrate(urls.owner, await readMigrations());
  app = await startNewsApp({ database: { urls }, clock });
});
afterAll(async () => {
  await app.stop();
  await cluster.remove();
});

test('while the database is unreachable cached copies are served, and the rest is 503 with Retry-After 30', async () => {
  const held = ['/api/v1/items', '/api/v1/hot-topics', '/api/v1/dailies', '/api/v1/agent', '/llms.txt'];
  for (const path of held) expect((await app.get(path)).status).toBe(200);
  await cluster.stop('immediate');
  await expect
    .poll(() => app.log.some(({ msg }) => String(msg).includes('the database is unreachable')), {
      timeout: 10_000,
    })
    .toBe(true);
  clock.advance({ hours: 2 });
  for (const path of held) expect((await app.get(path)).status).toBe(200);
  for (const path of [
    '/api/v1/items?limit=7',
    '/api/v1/items?q=model',
    '/api/v1/stories/019a83c0-1111-7222-8333-444455556666',
    '/api/v1/dailies/2026-11-15',
    '/api/v1/weeklies/latest',
    '/api/v1/monthlies',
    '/api/v1/selected/snapshot',
    '/agent/latest.md',
    '/feeds/daily.atom',
  ]) {
    const answer = await app.get(path);
    expectProblem(answer, 503, 'temporarily_unavailable');
    expect(answer.headers['retry-after']).toBe('30');
  }
}, 60_000);
