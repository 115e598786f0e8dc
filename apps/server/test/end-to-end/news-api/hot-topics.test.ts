import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  app = await startNewsApp({ database, clock });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

interface Topic extends Record<string, unknown> {
  readonly id: string;
  readonly rank: number;
  readonly links: Readonly<Record<string, string>>;
}

async function hotTopics(): Promise<{ rankedAt: string | null; count: number; items: readonly Topic[] }> {
  clock.advance({ seconds: 61 });
  const answer = await app.get('/api/v1/hot-topics');
  expect(answer.status).toBe(200);
  return answer.json() as never;
}

/** A topic reported by each of the given owners, each an hour after the one before. */
async function reportedBy(names: readonly string[]): Promise<readonly Id<'item'>[]> {
  const ids: Id<'item'>[] = [];
  for (const [index, sourceName] of names.entries())
    ids.push(await factory.publish({ sourceName, hoursAgo: names.length - index, category: 'industry' }));
  return ids;
}

function candidate(ids: readonly Id<'item'>[], names: readonly string[]) {
  return {
    itemId: ids[0] as Id<'item'>,
    items: ids.map((itemId, index) => ({
      itemId,
      owner: names[index] as string,
      sourceName: names[index] as string,
      firstParty: false,
      weight: 1,
      reportedAt: hoursBefore(clock.now(), names.length - index),
    })),
  };
}

test('rankedAt is null and entries is empty before the first ranking', async () => {
  expect(await hotTopics()).toEqual({ schemaVersion: 1, rankedAt: null, count: 0, items: [] });
});

test('the latest ranking has ranks and sources and no heat', async () => {
  const names = ['Alpha', 'Beta', 'Gamma'];
  const ids = await reportedBy(names);
  valueOf(await factory.publisher.publishRanking({ candidates: [candidate(ids, names)] }));
  const body = await hotTopics();
  expect(body).toMatchObject({
    schemaVersion: 1,
    count: 1,
    rankedAt: expect.stringMatching(/^2026-11-15T12:/),
  });
  expect(body.items[0]).toEqual({
    rank: 1,
    id: ids[0],
    title: 'A model was released',
    language: null,
    summary: 'It reads longer texts than its predecessor.',
    category: 'industry',
    source: { name: 'Alpha' },
    publishedAt: null,
    discoveredAt: expect.any(String),
    links: { item: `${baseUrl}/items/${ids[0]}`, original: 'https://wire.example/model' },
    sourceCount: 3,
    recentSourceCount: 3,
    sourceNames: names,
    latestAt: expect.any(String),
  });
});

test('links.story is a page whose last segment is the id of a story, and follows merges to the survivor', async () => {
  const names = ['Delta', 'Epsilon'];
  const ids = await reportedBy(names);
  const { storyId } = valueOf(await factory.publisher.openStory({ title: 'One', itemIds: ids }));
  valueOf(await factory.publisher.publishRanking({ candidates: [candidate(ids, names)] }));
  expect((await hotTopics()).items[0]?.links['story']).toBe(`${baseUrl}/story/${storyId}`);
  const [other] = await reportedBy(['Zeta']);
  const survivor = valueOf(
    await factory.publisher.openStory({ title: 'Two', itemIds: [other as Id<'item'>] }),
  );
  valueOf(await factory.publisher.mergeStories({ absorbedId: storyId, survivorId: survivor.storyId }));
  const link = (await hotTopics()).items[0]?.links['story'] ?? '';
  expect(link).toBe(`${baseUrl}/story/${survivor.storyId}`);
  expect((await app.get(`/api/v1/stories/${link.split('/').at(-1)}`)).status).toBe(200);
});

test('a withdrawn entry is removed, the others move up, and withdrawn evidence names no source', async () => {
  const [first, second] = [await reportedBy(['A1', 'A2', 'A3']), await reportedBy(['B1', 'B2', 'B3'])];
  valueOf(
    await factory.publisher.publishRanking({
      candidates: [candidate(first, ['A1', 'A2', 'A3']), candidate(second, ['B1', 'B2', 'B3'])],
    }),
  );
  const [top, next] = (await hotTopics()).items;
  const nextIds = next?.id === first[0] ? first : second;
  valueOf(await factory.publisher.withdrawItem({ itemId: top?.id as Id<'item'> }));
  valueOf(await factory.publisher.withdrawItem({ itemId: nextIds[1] as Id<'item'> }));
  const names = (next?.['sourceNames'] ?? []) as string[];
  const { items, count } = await hotTopics();
  expect(count).toBe(1);
  expect(items[0]).toMatchObject({ rank: 1, id: next?.id, sourceCount: 2 });
  expect(items[0]?.['sourceNames']).toEqual(names.filter((_, at) => at !== 1));
});

test('with the story layer off nothing links to a story', async () => {
  const names = ['Eta', 'Theta'];
  const ids = await reportedBy(names);
  valueOf(await factory.publisher.openStory({ title: 'Three', itemIds: ids }));
  valueOf(await factory.publisher.publishRanking({ candidates: [candidate(ids, names)] }));
  const plain = await startNewsApp({ database, clock, storyLayer: false });
  const body = (await plain.get('/api/v1/hot-topics')).json() as { items: Topic[] };
  await plain.stop();
  expect(Object.keys(body.items[0]?.links ?? {})).toEqual(['item', 'original']);
  expect((await hotTopics()).items[0]?.links).toHaveProperty('story');
});
