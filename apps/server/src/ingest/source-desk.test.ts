import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createTestNewsroom } from '../../test/newsroom.ts';
import { startPublisher } from '../../test/publisher-server.ts';
import { dayMs } from '../foundation/clock.ts';
import { addMs } from '../foundation/instant.ts';
import { createSourceDesk } from './source-desk.ts';
import type { Source } from './sources/source.ts';
import { feedAddressOf, healthVerdict, settingsFor } from './sources/source.ts';
import { readStarterPack } from './sources/starter-pack.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

async function openDesk() {
  const item = (guid: number) => `<item><guid>${guid}</guid><title>Report ${guid}</title></item>`;
  const list = { count: 2 };
  const publisher = await startPublisher((_, response) => {
    const items = Array.from({ length: list.count }, (_item, at) => item(at));
    response.end(`<rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`);
  });
  const newsroom = createTestNewsroom(store, clock, publisher.fetcher);
  return { list, ...newsroom, desk: createSourceDesk(newsroom.deskDeps) };
}

const shownState = async (id: string) =>
  (await store.database.selectFrom('record.source').select('state').where('id', '=', id).execute())[0]?.state;

test('adding an address again creates no second source until the first is removed', async () => {
  const { desk } = await openDesk();
  const settings = settingsFor(new URL('http://once.example/feed'), { name: 'Once' });
  const [first] = await desk.add([settings]);
  const [second] = await desk.add([settings]);
  expect(first?.id).not.toBeNull();
  expect(second?.id).toBeNull();
  const { id } = await desk.find('Once');
  await desk.changeState(id, 'removed', null);
  await expect(desk.find('Once')).rejects.toThrow(/no source/u);
  const [third] = await desk.add([settings]);
  expect(third?.id).not.toBeNull();
});

test('the public record shows every change of state', async () => {
  const { desk, add } = await openDesk();
  const { id } = await add('http://states.example/feed');
  const states = [await shownState(id)];
  for (const state of ['paused', 'active', 'removed'] as const) {
    await desk.changeState(id, state, 'because');
    states.push(await shownState(id));
  }
  expect(states).toEqual(['active', 'paused', 'active', 'stopped']);
});

test('a paused source is not due; resuming makes it due at once', async () => {
  const { desk, add } = await openDesk();
  const source = await add('http://paused.example/feed');
  await desk.changeState(source.id, 'paused', null);
  await store.asSuperuser("UPDATE newsroom.domain SET due_at = NULL WHERE name = 'paused.example'");
  await desk.changeState(source.id, 'active', null);
  const [domain] = await store.asSuperuser(
    "SELECT due_at::text FROM newsroom.domain WHERE name = 'paused.example'",
  );
  expect(domain?.['due_at']).toMatch(/^2026-11-15/u);
});

test('a preview shows what a poll would store, and stores nothing', async () => {
  const { desk, add, poll, list, entries } = await openDesk();
  const source = await add('http://preview.example/feed');
  const verdicts = async (stored: Source | null) => {
    const preview = await desk.preview(source, stored);
    return preview.ok ? preview.value.entries.map(({ verdict }) => verdict) : preview.reason;
  };
  expect(await verdicts(source)).toEqual(['would be stored', 'would be stored']);
  expect(await entries()).toEqual([]);
  await poll(source);
  list.count = 3;
  expect(await verdicts(await desk.find(source.id))).toEqual(['known', 'known', 'would be stored']);
  expect(await poll(source)).toMatchObject({ landed: 1 });
});

test('requests for an editor wait for their turn at the publisher, like polls', async () => {
  const askedMs: number[] = [];
  const { fetcher } = await startPublisher((_, response) => {
    askedMs.push(performance.now());
    response.end('<html><head><link rel="alternate" type="application/rss+xml" href="/feed"></head></html>');
  });
  const { deskDeps } = createTestNewsroom(store, clock, fetcher, {
    pace: { intervalMinMs: 600_000, intervalMaxMs: 21_600_000, spacingMs: 300 },
  });
  const desk = createSourceDesk(deskDeps);
  const settings = settingsFor(new URL('http://polite.example/'), {});
  const inspected = await Promise.all([desk.inspect(settings), desk.inspect(settings)]);
  expect(inspected).toMatchObject([
    { value: { kind: 'page', feeds: [{ feedUrl: 'http://polite.example/feed' }] } },
    { value: { kind: 'page' } },
  ]);
  expect(await desk.discover('http://polite.example/')).toMatchObject({ ok: true });
  const gaps = askedMs.slice(1).map((at, index) => at - (askedMs[index] ?? 0));
  expect(gaps.every((gap) => gap >= 300)).toBe(true);
});

test('the starter pack has 346 sources with distinct addresses; bridges of third parties are paused', async () => {
  const pack = await readStarterPack('ai-industry');
  expect(new Set(pack.map(({ feedUrl }) => feedUrl)).size).toBe(346);
  expect(pack.filter(({ pausedBecause }) => pausedBecause !== null)).toHaveLength(89);
  expect(pack.every(({ fullText }) => !fullText)).toBe(true);
});

test.each([
  ['https://a.example/feed#top', 'https://a.example/feed'],
  [' http://a.example ', 'http://a.example/'],
  ['ftp://a.example/feed', undefined],
  ['https://user:secret@a.example/feed', undefined],
  ['feed', undefined],
])('reads %s as the feed address %s', (text, expected) => {
  expect(feedAddressOf(text)?.href).toBe(expected);
});

test('a source that is silent for longer than its usual gap is silent; a slow source is well', async () => {
  const { add } = await openDesk();
  const source = await add('http://silent.example/feed');
  const now = clock.now();
  const verdict = (gapDays: number, silentDays: number) =>
    healthVerdict(
      {
        ...source,
        health: {
          ...source.health,
          polledAt: now,
          usualGapMs: gapDays * dayMs,
          newestEntryAt: addMs(now, -silentDays * dayMs),
        },
      },
      clock.nowMs(),
    );
  expect([verdict(1, 3), verdict(1, 9), verdict(10, 30)]).toEqual(['well', 'silent', 'well']);
});
