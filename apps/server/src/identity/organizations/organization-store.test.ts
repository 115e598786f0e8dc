import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import type { OrganizationId } from '../accounts/account.ts';
import { lockOrganization } from './organization-store.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

test('lets inserts that refer to a locked organization proceed, and makes a second lock wait', async () => {
  const { user } = await stage.signIn(await stage.createAccount());
  const id = user.organizationId as OrganizationId;
  const { database } = stage.identity;
  await database.transaction().execute(async (locked) => {
    await lockOrganization(locked, id);
    const other = await stage.database.pool.connect();
    try {
      await other.query("SET lock_timeout = '200ms'");
      const inserted = await other.query(
        `INSERT INTO identity.workspace (id, organization_id, name, created_at)
         VALUES (gen_random_uuid(), $1, 'Another', now())`,
        [id],
      );
      expect(inserted.rowCount).toBe(1);
      const again = other.query('SELECT 1 FROM identity.organization WHERE id = $1 FOR NO KEY UPDATE', [id]);
      await expect(again).rejects.toThrow(/lock timeout/);
    } finally {
      other.release(true);
    }
  });
});
