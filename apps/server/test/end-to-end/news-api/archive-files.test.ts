import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SweepContext } from '../../../src/foundation/engine/engine-declarations.ts';
import type { Id } from '../../../src/foundation/ids.ts';
import { createArchiveFiling } from '../../../src/record/archive-files/write-archive-files.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

const day = 24;
const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let october: readonly [Id<'item'>, Id<'item'>];

/** As a worker does every few seconds. */
async function writeFiles(links = baseUrl): Promise<void> {
  const context = {
    transaction: (work) => database.database.transaction().execute((transaction) => work(transaction)),
    signal: new AbortController().signal,
  } as SweepContext;
  await createArchiveFiling({ clock, baseUrl: links }).run(context);
}

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  october = [
    await factory.publishSelected({ title: 'Second of October', hoursAgo: 20 * day }),
    await factory.publishSelected({ title: 'First 十月', hoursAgo: 40 * day }),
  ];
  await factory.publish({ title: 'Not selected', hoursAgo: 30 * day });
  await factory.publishSelected({ title: 'Of August', hoursAgo: 90 * day });
  await factory.publishSelected({ title: 'Of this month', hoursAgo: 1 });
  await writeFiles();
  app = await startNewsApp({ database, clock });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

interface Month {
  readonly month: string;
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly file: string;
}

async function months(): Promise<readonly Month[]> {
  return (await app.get('/api/v1/archive/months')).json()['months'] as Month[];
}

async function file(month: string) {
  const { status, headers, body } = await app.get(`/archive/${month}.jsonl.zst`, {
    headers: { 'accept-encoding': 'gzip, br' },
  });
  const lines = status === 200 ? zstdDecompressSync(body).toString().trim().split('\n') : [];
  const items = lines.map((line) => JSON.parse(line) as { title: string; links: { item: string } });
  return { status, headers, body, titles: items.map(({ title }) => title), items };
}

describe('the files of the archive', () => {
  test('exist for completed months with selected items, oldest item first, as listed', async () => {
    const listed = await months();
    expect(listed.map(({ month, count }) => [month, count])).toEqual([
      ['2026-10', 2],
      ['2026-08', 1],
    ]);
    const { titles, body, headers, items } = await file('2026-10');
    expect(titles).toEqual(['First 十月', 'Second of October']);
    expect(items[0]?.links.item).toBe(`${baseUrl}/items/${october[1]}`);
    expect(headers).toMatchObject({ 'content-type': 'application/zstd' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(listed[0]).toMatchObject({
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      file: `${baseUrl}/archive/2026-10.jsonl.zst`,
    });
    expectProblem(await app.get('/archive/2026-11.jsonl.zst'), 404, 'not_found');
    expectProblem(await app.get('/archive/october.jsonl.zst'), 400, 'invalid_request');
  });

  test('are the same bytes when they are written again', async () => {
    const [before] = await months();
    await database.asSuperuser(`DELETE FROM record.archive_file WHERE month = '2026-10'`);
    await writeFiles();
    const { body } = await file('2026-10');
    expect(createHash('sha256').update(body).digest('hex')).toBe(before?.sha256);
  });

  test('stay while other months change, and are written with the links of the server', async () => {
    const writtenAt = (): Promise<unknown[]> =>
      database.asSuperuser('SELECT written_at FROM record.archive_file ORDER BY month');
    const before = await writtenAt();
    clock.advance({ minutes: 5 });
    await factory.publishSelected({ title: 'Another of this month' });
    await writeFiles();
    expect(await writtenAt()).toEqual(before);
    await writeFiles('https://other.example');
    expect(await writtenAt()).not.toEqual(before);
    await writeFiles();
  });

  test('a withdrawal removes the file with its own commit, and the next one lacks the item', async () => {
    const id = october[0];
    expect((await file('2026-10')).status).toBe(200);
    valueOf(await factory.publisher.withdrawItem({ itemId: id }));
    await expect.poll(async () => (await file('2026-10')).status).toBe(404);
    expect((await months()).map(({ month }) => month)).toEqual(['2026-08']);
    await writeFiles();
    const rows = await database.asSuperuser(
      'SELECT month, item_count FROM record.archive_file ORDER BY month',
    );
    expect(rows).toEqual([
      { month: '2026-08', item_count: 1 },
      { month: '2026-10', item_count: 1 },
    ]);
    expect((await file('2026-10')).titles).toEqual(['First 十月']);
  });

  test('a late selection, a revision and the last unselection of a month change its file', async () => {
    const late = await factory.publish({ title: 'Late', hoursAgo: 45 * day });
    valueOf(await factory.publisher.selectItem({ itemId: late, reason: 'It matters.' }));
    valueOf(await factory.publisher.reviseItem({ itemId: october[1], changes: { title: 'First, revised' } }));
    await writeFiles();
    clock.advance({ minutes: 5 });
    await expect.poll(async () => (await file('2026-10')).titles).toEqual(['Late', 'First, revised']);
    for (const itemId of [late, october[1]]) valueOf(await factory.publisher.unselectItem({ itemId }));
    await writeFiles();
    expect(await database.asSuperuser(`SELECT FROM record.archive_file WHERE month = '2026-10'`)).toEqual([]);
  });
});
