import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { inject } from 'vitest';

import type { DatabaseConnection } from '../src/foundation/database/database.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import type { DatabaseUrls } from '../src/foundation/database/logins.ts';
import { restrictDatabase, urlsOf } from '../src/foundation/database/logins.ts';

export interface TestDatabase extends DatabaseConnection {
  readonly name: string;
  readonly urls: DatabaseUrls;
  /** Runs a statement as the superuser: for faults and for inspection. */
  readonly asSuperuser: (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** The plan of a statement on a table too large for a sequential scan. */
  readonly planOf: (text: string) => Promise<string>;
  /** Runs a statement from another database: for statements that end every session of this one. */
  readonly onServer: (text: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** A clone of the migrated template, for one test file; created in about a tenth of a second. */
export async function createTestDatabase(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const superuserUrl = inject('superuserUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = options.empty === true ? 'template0' : 'daybook_template';
  await onServer(superuserUrl, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER daybook_owner`);
    await restrictDatabase(client, name);
  });
  const urls = urlsOf({ superuserUrl, database: name, password: 'test' });
  const own = new URL(superuserUrl);
  own.pathname = `/${name}`;
  const connection = connectDatabase({
    url: urls.application,
    name: 'test',
    connectionsMax: 10,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
  });
  return {
    ...connection,
    name,
    urls,
    asSuperuser: (text, values = []) =>
      onServer(
        own.href,
        async (client) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
      ),
    planOf: (text) =>
      onServer(own.href, async (client) => {
        await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off');
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      }),
    onServer: (text) =>
      onServer(superuserUrl, async (client) => {
        await client.query(text);
      }),
    drop: async () => {
      await connection.close();
      await onServer(superuserUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function onServer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
