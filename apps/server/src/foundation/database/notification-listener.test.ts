import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { startNotificationListener } from './notification-listener.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('serves every channel over one connection, also channels added later, and each receives only its own notifications', async () => {
  const notifications = startNotificationListener({ url: database.urls.application });
  const heard: Record<string, (string | null)[]> = { early: [], late: [] };
  notifications.subscribe('early', (payload) => heard['early']?.push(payload));
  await expect.poll(() => heard['early']).toContain(null);
  notifications.subscribe('late', (payload) => heard['late']?.push(payload));
  await expect.poll(() => heard['late']).toEqual([null]);
  await database.pool.query(`SELECT pg_notify('early', 'one'), pg_notify('late', 'two')`);
  await expect.poll(() => heard['late']).toEqual([null, 'two']);
  expect(heard['early']?.filter((payload) => payload !== null)).toEqual(['one']);
  const sessions = await database.asSuperuser(
    `SELECT FROM pg_stat_activity WHERE datname = $1 AND application_name = 'daybook notifications'`,
    [database.name],
  );
  expect(sessions).toHaveLength(1);
  await notifications.stop();
});
