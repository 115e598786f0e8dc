import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createLogins } from '../../src/foundation/database/logins.ts';
import { createLogger } from '../../src/foundation/logger.ts';
import { migrateDatabase } from '../../src/wiring/migrate-database.ts';

interface LogLine {
  readonly process: string;
  readonly msg: string;
  readonly epoch?: number;
  readonly address?: string;
}

let cluster: Cluster;
let daybook: ChildProcess;
const lines: LogLine[] = [];
const said = (process: string, message: string): readonly LogLine[] =>
  lines.filter((line) => line.process === process && line.msg === message);
const until = { timeout: 60_000, interval: 50 };

beforeAll(async () => {
  cluster = await startCluster();
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'test' });
  await migrateDatabase(urls.owner, createLogger('silent', 'test'));
  const program = fileURLToPath(new URL('../../src/bin/daybook.ts', import.meta.url));
  daybook = spawn(process.execPath, [program, 'all'], {
    env: {
      DATABASE_URL: urls.application,
      PORT: '0',
      DAYBOOK_WORKER_PORT: '0',
      DAYBOOK_DRAIN_NOTICE_MS: '0',
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: daybook.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    lines.push(JSON.parse(line) as LogLine),
  );
}, 120_000);
afterAll(async () => {
  daybook.kill('SIGKILL');
  await cluster.remove();
});

async function workerProcess(): Promise<number> {
  const client = new pg.Client({ connectionString: cluster.url('daybook') });
  await client.connect();
  try {
    const epoch = said('worker', 'the engine works').at(-1)?.epoch;
    const { rows } = await client.query<{ pid: number }>(
      'SELECT process_id AS pid FROM foundation.executor WHERE epoch = $1',
      [epoch],
    );
    return rows[0]?.pid ?? 0;
  } finally {
    await client.end();
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('daybook all serves cached copies while the database is unreachable, and its worker resumes afterwards', async () => {
  await expect.poll(() => said('worker', 'the engine works'), until).toHaveLength(1);
  const items = `${said('api', 'listening')[0]?.address}/api/v1/items`;
  expect((await fetch(items)).status).toBe(200);
  await cluster.stop('immediate');
  await expect
    .poll(() => said('worker', 'the session of the executor lock broke').length, until)
    .toBeGreaterThan(0);
  expect((await fetch(items)).status).toBe(200);
  await cluster.start();
  await expect.poll(() => said('worker', 'the executor lock is held again'), until).toHaveLength(1);
  expect(said('api', 'worker exited; restarting it')).toEqual([]);
  expect(daybook.exitCode).toBeNull();
}, 120_000);

test('a worker ends when its parent process is killed', async () => {
  const worker = await workerProcess();
  expect(isRunning(worker)).toBe(true);
  daybook.kill('SIGKILL');
  await once(daybook, 'exit');
  await expect.poll(() => isRunning(worker), until).toBe(false);
}, 60_000);
