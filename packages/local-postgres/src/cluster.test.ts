import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.remove());

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('data written before a crash is there after it', async () => {
  await query('CREATE TABLE kept (word text)');
  await query(`INSERT INTO kept VALUES ('here')`);
  await cluster.restart('immediate');
  expect(await query('SELECT word FROM kept')).toEqual([{ word: 'here' }]);
});

test('a folder whose server lost its parent can be started again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-orphan-'));
  await chmod(folder, 0o755);
  const orphan = await startCluster({ folder });
  const heir = await startCluster({ folder });
  await expect(new pg.Client({ connectionString: orphan.url() }).connect()).rejects.toThrow(/ECONNREFUSED/);
  await heir.remove();
  await rm(folder, { recursive: true });
});

test('a wrong password is refused', async () => {
  const url = new URL(cluster.url());
  url.password = 'guess';
  const client = new pg.Client({ connectionString: url.href });
  await expect(client.connect()).rejects.toThrow(/password authentication failed/);
});

test('text compares by code point on every machine', async () => {
  expect(await query(`SELECT datcollate, datlocale FROM pg_database WHERE datname = 'postgres'`)).toEqual([
    { datcollate: 'C', datlocale: 'C.UTF-8' },
  ]);
});
