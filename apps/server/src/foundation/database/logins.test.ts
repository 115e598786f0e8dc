import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createLogins } from './logins.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function as(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the news reader', () => {
  test('reads the public record', async () => {
    expect(await as(database.urls.newsReader, 'SELECT topic FROM record.representation_version')).toEqual([]);
  });

  test('may select every table of the record except article texts and the purge queue, and has no other right', async () => {
    const rows = await database.asSuperuser(`
      SELECT table_schema AS schema, privilege_type AS privilege, count(*)::int AS tables
      FROM information_schema.table_privileges WHERE grantee = 'daybook_news_reader' GROUP BY 1, 2`);
    const [{ tables } = {}] = await database.asSuperuser(
      `SELECT count(*)::int AS tables FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = 'record' AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname NOT IN ('item_words', 'edition_material', 'edge_purge')`,
    );
    expect(rows).toEqual([{ schema: 'record', privilege: 'SELECT', tables }]);
  });

  test('is refused tables of other domains', async () => {
    await expect(as(database.urls.newsReader, 'SELECT * FROM foundation.strict_limit')).rejects.toThrow(
      /permission denied/,
    );
    await expect(
      as(database.urls.newsReader, `INSERT INTO record.representation_version VALUES ('x')`),
    ).rejects.toThrow(/permission denied/);
    await expect(as(database.urls.newsReader, 'CREATE TEMP TABLE mine (id int)')).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('the application', () => {
  test('cannot change the structure', async () => {
    for (const statement of [
      'DROP TABLE foundation.strict_limit',
      'CREATE TABLE foundation.mine (id int)',
      'CREATE TABLE public.mine (id int)',
    ]) {
      await expect(as(database.urls.application, statement)).rejects.toThrow(
        /permission denied|must be owner/,
      );
    }
  });
});

describe('creating the logins', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  test('again preserves a limit that an operator has changed', async () => {
    const request = { superuserUrl: cluster.url(), database: 'daybook', password: 'test' };
    const { application } = await createLogins(request);
    await as(cluster.url(), `ALTER ROLE daybook_app SET statement_timeout = '20s'`);
    await createLogins(request);
    expect(await as(application, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '20s' }]);
  });

  test('with an owner password prevents the others from changing the structure', async () => {
    const request = { superuserUrl: cluster.url(), database: 'daybook', password: 'test' };
    const urls = await createLogins({ ...request, ownerPassword: 'another' });
    expect(await as(urls.owner, 'SELECT current_user::text AS name')).toEqual([{ name: 'daybook_owner' }]);
    const guessed = new URL(urls.owner);
    guessed.password = request.password;
    await expect(as(guessed.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });
});
