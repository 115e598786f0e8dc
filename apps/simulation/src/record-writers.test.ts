import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { createWorld, startPublishers } from '@daybook/newswire';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../server/src/foundation/clock.ts';
import { addSources } from '../../server/src/ingest/sources/add-sources.ts';
import type { TestDatabase } from '../../server/test/database.ts';
import { createTestDatabase } from '../../server/test/database.ts';
import { createRecordFactory } from '../../server/test/factories/record-factory.ts';
import { simulatedSources } from './simulated-world.ts';

let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock: systemClock });
});
afterAll(() => store.drop());

const program = fileURLToPath(new URL('../../server/src/bin/daybook.ts', import.meta.url));
const until = { timeout: 120_000, interval: 200 };

/** From now on every statement that writes a table of the record logs the name of its session. */
async function watchWrites(): Promise<void> {
  await store.asSuperuser(`
    CREATE SCHEMA writes;
    CREATE TABLE writes.write (name text, written text, PRIMARY KEY (name, written));
    CREATE FUNCTION writes.note_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO writes.write VALUES (current_setting('application_name'), TG_TABLE_NAME) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    DO $$
    DECLARE name text;
    BEGIN
      FOR name IN
        SELECT relname FROM pg_class
        WHERE relnamespace = 'record'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      LOOP
        EXECUTE format('CREATE TRIGGER note_write AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON record.%I
          FOR EACH STATEMENT EXECUTE FUNCTION writes.note_write()', name);
      END LOOP;
    END $$`);
}

async function writes(): Promise<{
  readonly names: readonly unknown[];
  readonly tables: readonly unknown[];
}> {
  const rows = await store.asSuperuser('SELECT name, written FROM writes.write ORDER BY name, written');
  return {
    names: [...new Set(rows.map(({ name }) => name))],
    tables: [...new Set(rows.map(({ written }) => written))],
  };
}

/** Starts an api with its worker; returns the address of the api. */
async function startDaybook(examplePort: number): Promise<string> {
  const child = spawn(process.execPath, [program, 'all'], {
    env: {
      DATABASE_URL: store.urls.application,
      DATABASE_READER_URL: store.urls.newsReader,
      PORT: '0',
      DAYBOOK_WORKER_PORT: '0',
      DAYBOOK_DRAIN_NOTICE_MS: '0',
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
      DAYBOOK_EXAMPLE_PORT: String(examplePort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const addresses: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { process: name, address } = JSON.parse(line) as { process: string; address?: string };
    if (name === 'api' && address !== undefined) addresses.push(address);
  });
  await expect.poll(() => addresses.length, until).toBe(1);
  return addresses[0] as string;
}

test('only the worker writes the record: items, stories and rankings, while the api serves requests', async () => {
  const startsAt = systemClock.nowMs() - 36 * 3_600_000;
  // Few of these items are selected: in this world three, in any order of arrival.
  const world = createWorld({ seed: 6, startsAt, days: 3, outlets: 12, itemsPerDay: 80 });
  const publishers = await startPublishers({ world, nowMs: systemClock.nowMs, spacingMs: 0 });
  onTestFinished(() => publishers.close());
  const { publisher, ids } = record;
  await addSources({ database: store.database, clock: systemClock, ids, publisher }, simulatedSources(world));
  await watchWrites();

  const base = await startDaybook(publishers.port);
  const written = ['item', 'ranking', 'reading_group', 'story', 'window_item'];
  await expect.poll(async () => (await writes()).tables, until).toEqual(expect.arrayContaining(written));
  const shown = async () =>
    ((await (await fetch(`${base}/api/v1/items`)).json()) as { items: [] }).items.length;
  await expect.poll(shown, until).toBeGreaterThan(0);
  const paths = ['/', '/api/v1/hot-topics', '/api/v1/items?q=model', '/feeds/selected.atom', '/llms.txt'];
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(base + path)).status));
  expect(statuses).toEqual(paths.map(() => 200));
  expect((await writes()).names).toEqual(['daybook worker']);

  // The test detects any other writer.
  await record.publish();
  expect((await writes()).names).toEqual(['daybook worker', 'test']);
}, 240_000);
