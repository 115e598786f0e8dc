import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { migrate } from '../foundation/database/migrate.ts';
import { readMigrations } from '../foundation/database/migration-files.ts';

let database: TestDatabase;
beforeAll(async () => {
  const migrations = await readMigrations();
  const at = migrations.findIndex(({ name }) => name === 'storage-rights');
  database = await createTestDatabase({ empty: true });
  await migrate(database.urls.owner, migrations.slice(0, at));
  // The rows refer to no organization or account: foreign keys do not act on them.
  await database.asSuperuser(`SET session_replication_role = replica;
    INSERT INTO access.policy (organization_id, id, name, actions, resources, created_at, updated_at)
    SELECT gen_random_uuid(), id, name, actions, ARRAY['*'], now(), now() FROM (VALUES
      (1, 'file', ARRAY['Daybook.Storage/Files/delete']),
      (2, 'project', ARRAY['Daybook.Storage/Projects/delete', 'Daybook.Storage/Files/read']),
      (3, 'every resource', ARRAY['Daybook.*/*/delete']),
      (4, 'every verb', ARRAY['Daybook.Storage/Files/*']),
      (5, 'other', ARRAY['Daybook.Core/Members/delete'])) AS policy (id, name, actions);
    INSERT INTO identity.api_key (id, account_id, created_at, name, secret_hash, permissions)
    VALUES (gen_random_uuid(), gen_random_uuid(), now(), 'key', '\\x00',
      '[{"actions": ["Daybook.Storage/Folders/delete"], "resources": ["*"]}, {"actions": ["Daybook.Core/Members/read"], "resources": ["*"]}]');
    INSERT INTO access.share
      (id, organization_id, resource, resources, account_id, level, actions, created_at, created_by)
    SELECT gen_random_uuid(), gen_random_uuid(), level, ARRAY[level], gen_random_uuid(), level,
      ARRAY['Daybook.Storage/Files/read', 'Daybook.Storage/Files/delete'], now(), gen_random_uuid()
    FROM unnest(ARRAY['read', 'write', 'manage']) AS level`);
  await migrate(database.urls.owner, migrations.slice(0, at + 1));
});
afterAll(() => database.drop());

const added = async (sql: string): Promise<unknown> => (await database.asSuperuser(sql))[0]?.['actions'];
const ofPolicy = (name: string): Promise<unknown> =>
  added(`SELECT actions FROM access.policy WHERE name = '${name}'`);

test('a policy that names deletion also allows purging, of the same resource only', async () => {
  expect(await ofPolicy('file')).toEqual(['Daybook.Storage/Files/delete', 'Daybook.Storage/Files/purge']);
  expect(await ofPolicy('project')).toEqual([
    'Daybook.Storage/Projects/delete',
    'Daybook.Storage/Files/read',
    'Daybook.Storage/Projects/purge',
    'Daybook.Storage/Trash/purge',
    'Daybook.Storage/Versions/read',
  ]);
  expect(await ofPolicy('every resource')).toEqual(['Daybook.*/*/delete', 'Daybook.Storage/*/purge']);
});

test('a policy with a wildcard verb and a policy of another area stay as they are', async () => {
  expect(await ofPolicy('every verb')).toEqual(['Daybook.Storage/Files/*']);
  expect(await ofPolicy('other')).toEqual(['Daybook.Core/Members/delete']);
});

test('the limits of an API key retain what they allowed', async () => {
  const [key] = await database.asSuperuser('SELECT permissions FROM identity.api_key');
  expect(key?.['permissions']).toEqual([
    { actions: ['Daybook.Storage/Folders/delete', 'Daybook.Storage/Folders/purge'], resources: ['*'] },
    { actions: ['Daybook.Core/Members/read'], resources: ['*'] },
  ]);
});

test('no share gets purging, and only shares that allow writing retain history', async () => {
  const own = ['Daybook.Storage/Files/read', 'Daybook.Storage/Files/delete'];
  const ofLevel = (level: string): Promise<unknown> =>
    added(`SELECT actions FROM access.share WHERE level = '${level}'`);
  expect(await ofLevel('read')).toEqual(own);
  expect(await ofLevel('write')).toEqual([...own, 'Daybook.Storage/Versions/read']);
  expect(await ofLevel('manage')).toEqual([...own, 'Daybook.Storage/Versions/read']);
});
