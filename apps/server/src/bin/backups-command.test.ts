import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { captureCommand } from '../../test/captured-command.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { registerBackupMetrics } from '../foundation/backups/backup-metrics.ts';
import { systemClock } from '../foundation/clock.ts';
import { run } from './backups-command.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'daybook-backups-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const backups = (...words: readonly string[]) =>
  captureCommand(run, words, { DATABASE_URL: database.urls.application });

const hour = 3_600;
const now = Math.floor(Date.now() / 1_000);
/** As pgBackRest 2.55 prints it, without the fields that are not read. */
const info = (ends: readonly number[], isBroken = false): string =>
  JSON.stringify([
    {
      name: 'daybook',
      backup: ends.map((stop, index) => ({
        label: `20261118-02300${index}F`,
        error: isBroken && index === ends.length - 1,
        timestamp: { start: stop - 60, stop },
        info: { delta: 30_000_000, repository: { delta: 5_000_000 }, size: 30_000_000 },
      })),
      status: { code: 0, message: 'ok' },
    },
  ]);

async function gauge(name: string): Promise<number | undefined> {
  const registry = new Registry();
  registerBackupMetrics(registry, database.database, systemClock);
  const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

test('records each backup of pgBackRest once, and the age of the last one without a fault is a metric', async () => {
  expect((await backups('list')).out).toBe('No backups recorded.');
  expect(await gauge('daybook_backup_age_seconds{kind="database"}')).toBeUndefined();
  const file = join(folder, 'info.json');
  await writeFile(file, info([now - 30 * hour, now - 2 * hour, now - hour], true));
  expect((await backups('record', file)).out).toBe('3 backups recorded.');
  expect((await backups('record', file)).out).toBe('0 backups recorded.');
  const listed = (await backups('list')).out.split('\n');
  expect(listed).toHaveLength(3);
  expect(listed[0]).toMatch(/database {2}20261118-023002F {2}60 s, 5 MB {2}pages with wrong checksums$/);
  const age = await gauge('daybook_backup_age_seconds{kind="database"}');
  expect(age).toBeGreaterThan(2 * hour - 5);
  expect(age).toBeLessThan(2 * hour + 60);
  expect(await gauge('daybook_backup_bytes{kind="database"}')).toBe(5_000_000);
  expect(await gauge('daybook_archive_failing')).toBe(0);
});

test('records that files were copied, and refuses a file that pgBackRest did not write', async () => {
  await backups('record', 'files');
  expect((await backups('list', '--json')).out).toContain('"kind":"files"');
  const file = join(folder, 'other.json');
  await writeFile(file, '{"backup":[]}');
  await expect(backups('record', file)).rejects.toThrow('not a function');
});
