import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

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

test('preserves data across a crash', async () => {
  await query('CREATE TABLE kept (word text)');
  await query(`INSERT INTO kept VALUES ('here')`);
  await cluster.restart('immediate');
  expect(await query('SELECT word FROM kept')).toEqual([{ word: 'here' }]);
});

describe('a folder with a running server', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-folder-'));
    await chmod(folder, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is taken over if the parent of that server is dead', async () => {
    const module = new URL('./cluster.ts', import.meta.url).href;
    const script = `const { startCluster } = await import('${module}');
      await startCluster({ folder: '${folder}' });
      process.kill(process.pid, 'SIGKILL');`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).signal).toBe('SIGKILL');
    const heir = await startCluster({ folder });
    await heir.remove();
  });

  test('is refused if the parent of that server is alive', async () => {
    const owner = await startCluster({ folder });
    await expect(startCluster({ folder })).rejects.toThrow(/is in use by process/);
    await owner.remove();
  });
});

test('refuses a wrong password', async () => {
  const url = new URL(cluster.url());
  url.password = 'guess';
  const client = new pg.Client({ connectionString: url.href });
  await expect(client.connect()).rejects.toThrow(/password authentication failed/);
});

test('compares text by code point on every machine', async () => {
  expect(await query(`SELECT datcollate, datlocale FROM pg_database WHERE datname = 'postgres'`)).toEqual([
    { datcollate: 'C', datlocale: 'C.UTF-8' },
  ]);
});
