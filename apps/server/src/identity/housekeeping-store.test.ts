import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestIdentity } from '../../test/identity.ts';
import { startTestIdentity } from '../../test/identity.ts';
import { leftovers, removeLeftovers } from './housekeeping-store.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

test.each(leftovers)('finds expired rows in $table by an index on $column', async ({ table, column }) => {
  const plan = await stage.database.planOf(
    `SELECT ctid FROM identity.${table} WHERE ${column} < now() ORDER BY ${column} LIMIT 1000 FOR UPDATE SKIP LOCKED`,
  );
  expect(plan).toMatch(new RegExp(`Index Scan using ${table}_${column}`));
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});

test('deletes expired refresh tokens in batches and keeps live and locked ones', async () => {
  const account = await stage.createAccount();
  const { refresh_token: live } = await stage.signIn(account);
  const [session] = await stage.database.asSuperuser(
    'SELECT id FROM identity.session WHERE account_id = $1',
    [account.id],
  );
  await stage.database.asSuperuser(
    `INSERT INTO identity.refresh_token (hash, session_id, created_at, expires_at)
     SELECT decode(lpad(to_hex(number), 64, '0'), 'hex'), $1, '2026-01-01', '2026-02-01'
     FROM generate_series(1, 2500) AS number`,
    [session?.['id']],
  );
  const count = async (): Promise<number> =>
    Number(
      (await stage.database.asSuperuser('SELECT count(*) AS count FROM identity.refresh_token'))[0]?.[
        'count'
      ],
    );
  await stage.identity.database.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('identity.refresh_token')
      .select('hash')
      .where('expires_at', '<', '2026-03-01')
      .limit(1)
      .forUpdate()
      .execute();
    expect(await removeLeftovers(stage.identity.database, stage.clock.now())).toBe(2_499);
  });
  expect(await removeLeftovers(stage.identity.database, stage.clock.now())).toBe(1);
  expect(await count()).toBe(1);
  const refreshed = await stage.post('/api/auth/token/refresh', { refresh_token: live });
  expect(refreshed.status).toBe(200);
});
