import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { registerGauges } from '../metrics/gauges.ts';
import { registerDatabaseMetrics } from './database-metrics.ts';
import { connectDatabase } from './database.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase({ empty: true });
});
afterAll(() => store.drop());

test('counts no caller that the scrape itself makes wait, if the pool is registered before its readers', async () => {
  const { pool, close } = connectDatabase({
    url: store.urls.application,
    name: 'metrics',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
  });
  const registry = new Registry();
  registerDatabaseMetrics(registry, { application: pool });
  for (const name of ['one', 'two', 'three'])
    registerGauges(registry, { [`daybook_${name}`]: { help: name } }, async () => {
      await pool.query('SELECT 1');
      return { [`daybook_${name}`]: 1 };
    });
  try {
    const metrics = await registry.metrics();
    expect(metrics).toContain('daybook_database_application_waiting 0');
    expect(metrics).toContain('daybook_three 1');
  } finally {
    await close();
  }
});
