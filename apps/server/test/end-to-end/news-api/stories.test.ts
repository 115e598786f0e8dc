import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
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

async function openStory(title: string, hoursAgo: readonly number[] = [1]) {
  const itemIds: Id<'item'>[] = [];
  for (const hours of hoursAgo)
    itemIds.push(await factory.publish({ hoursAgo: hours, sourceName: `Source ${hours}` }));
  const { storyId } = valueOf(await factory.publisher.openStory({ title, itemIds }));
  return { storyId, itemIds };
}

async function story(id: string): Promise<Record<string, unknown>> {
  clock.advance({ seconds: 61 });
  const answer = await app.get(`/api/v1/stories/${id}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json()['story'] as Record<string, unknown>;
}

describe('200 StoryResponse', () => {
  test('contains the items newest first, the digest, and references to neighbours', async () => {
    const main = await openStory('Main', [3, 1, 2]);
    const [before, beside] = [await openStory('Before', [9]), await openStory('Beside')];
    const [oldest, newest, middle] = main.itemIds;
    const digest = {
      text: 'It happened.',
      sentences: [{ text: 'It happened.', cites: [oldest as Id<'item'>] }],
      contradictions: [
        {
          statement: 'Later reports deny it.',
          earlier: [oldest as Id<'item'>],
          later: [newest as Id<'item'>],
        },
      ],
    };
    valueOf(
      await factory.publisher.reviseStory({
        storyId: main.storyId,
        changes: { digest },
      }),
    );
    valueOf(
      await factory.publisher.linkStories([
        {
          storyId: main.storyId,
          links: [
            { storyId: before.storyId, kind: 'storyline', strength: 0.9 },
            { storyId: beside.storyId, kind: 'related', strength: 0.4 },
          ],
        },
      ]),
    );
    const shown = await story(main.storyId);
    expect(shown).toMatchObject({
      publicId: main.storyId,
      title: 'Main',
      status: 'active',
      sourceCount: 3,
      reportCount: 3,
      links: { story: `${baseUrl}/story/${main.storyId}` },
      digest: { ...digest, updatedAt: expect.stringMatching(/\.\d{3}Z$/) },
      storyline: [
        {
          publicId: before.storyId,
          title: 'Before',
          relation: 'predecessor',
          links: {
            story: `${baseUrl}/story/${before.storyId}`,
            api: `${baseUrl}/api/v1/stories/${before.storyId}`,
          },
        },
      ],
      related: [{ publicId: beside.storyId, relation: 'related' }],
    });
    expect((await story(before.storyId))['storyline']).toMatchObject([
      { publicId: main.storyId, relation: 'successor' },
    ]);
    expect((await story(beside.storyId))['related']).toMatchObject([{ publicId: main.storyId }]);
    const reports = shown['reports'] as { id: string; source: object }[];
    expect(reports.map(({ id }) => id)).toEqual([newest, middle, oldest]);
    expect(reports[0]).toEqual({
      id: newest,
      title: expect.any(String),
      language: null,
      summary: expect.any(String),
      source: { name: 'Source 1', firstParty: false },
      publishedAt: null,
      discoveredAt: expect.any(String),
      links: { item: `${baseUrl}/items/${newest}`, original: expect.any(String) },
    });
  });

  test('shows at most 50 items but counts them all', async () => {
    const { storyId } = await openStory(
      'Long',
      Array.from({ length: 53 }, (_, index) => 1 + index / 10),
    );
    const shown = await story(storyId);
    expect(shown['reports']).toHaveLength(50);
    expect(shown['reportCount']).toBe(53);
  });

  test('is settled after 72 hours without a new item', async () => {
    const { storyId } = await openStory('Quiet', [70]);
    expect((await story(storyId))['status']).toBe('active');
    clock.advance({ hours: 2 });
    expect((await story(storyId))['status']).toBe('settled');
  });

  test('a withdrawn item leaves the story, and the digest that cited it is removed', async () => {
    const { storyId, itemIds } = await openStory('Shrinking', [1, 2]);
    const [gone, left] = itemIds as [Id<'item'>, Id<'item'>];
    const sentences = [{ text: 'Two said so.', cites: [gone, left] }];
    valueOf(
      await factory.publisher.reviseStory({
        storyId,
        changes: { digest: { text: 'Two said so.', sentences, contradictions: [] } },
      }),
    );
    expect(await story(storyId)).toMatchObject({ digest: { text: 'Two said so.' }, reportCount: 2 });
    valueOf(await factory.publisher.withdrawItem({ itemId: gone }));
    const shown = await story(storyId);
    expect(shown).toMatchObject({ digest: null, reportCount: 1, reports: [{ id: left }] });
  });
});

test('a merged neighbour is replaced by its survivor, and one without items is omitted', async () => {
  const [main, merged, survivor, empty] = [
    await openStory('Centre'),
    await openStory('Absorbed'),
    await openStory('Survivor'),
    await openStory('Emptied'),
  ];
  const links = [merged, empty].map(({ storyId }) => ({
    storyId,
    kind: 'related' as const,
    strength: 0.5,
  }));
  valueOf(await factory.publisher.linkStories([{ storyId: main.storyId, links }]));
  valueOf(await factory.publisher.mergeStories({ absorbedId: merged.storyId, survivorId: survivor.storyId }));
  valueOf(await factory.publisher.withdrawItem({ itemId: empty.itemIds[0] as Id<'item'> }));
  expect((await story(main.storyId))['related']).toEqual([
    expect.objectContaining({ publicId: survivor.storyId, title: 'Survivor' }),
  ]);
});

describe('308', () => {
  test('a merged story redirects to the relative address of the final survivor, through chains', async () => {
    const [one, two, three] = [await openStory('One'), await openStory('Two'), await openStory('Three')];
    valueOf(await factory.publisher.mergeStories({ absorbedId: one.storyId, survivorId: two.storyId }));
    valueOf(await factory.publisher.mergeStories({ absorbedId: two.storyId, survivorId: three.storyId }));
    for (const id of [one.storyId, two.storyId]) {
      const answer = await app.get(`/api/v1/stories/${id}`);
      expect(answer.status).toBe(308);
      expect(answer.headers).toMatchObject({
        location: `/api/v1/stories/${three.storyId}`,
        'cache-control': 'public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=3600',
      });
      expect(answer.text).toBe('');
      const markdown = await app.get(`/agent/stories/${id}.md`);
      expect(markdown.headers.location).toBe(`/agent/stories/${three.storyId}.md`);
    }
    expect(await story(three.storyId)).toMatchObject({ reportCount: 3 });
  });

  test('a story that is merged while a copy is cached becomes a redirect', async () => {
    const [one, two] = [await openStory('Held'), await openStory('Keeper')];
    await story(one.storyId);
    valueOf(await factory.publisher.mergeStories({ absorbedId: one.storyId, survivorId: two.storyId }));
    clock.advance({ seconds: 61 });
    expect((await app.get(`/api/v1/stories/${one.storyId}`)).status).toBe(308);
  });
});

describe('404 not_found', () => {
  test.each([
    ['unknown', '019a83c0-1111-7222-8333-444455556666'],
    ['not an id at all', 'hello'],
    ['percent-encoded', '%E4%BD%A0'],
    ['128 characters', 'x'.repeat(128)],
    ['SQL', "'; DROP TABLE record.story --".replaceAll(' ', '%20')],
  ])('%s', async (_, id) => {
    expectProblem(await app.get(`/api/v1/stories/${id}`), 404, 'not_found');
  });

  test('a story whose items were all withdrawn is unavailable', async () => {
    const { storyId, itemIds } = await openStory('Empty');
    await story(storyId);
    valueOf(await factory.publisher.withdrawItem({ itemId: itemIds[0] as Id<'item'> }));
    clock.advance({ seconds: 61 });
    await expect
      .poll(async () => (await app.get(`/api/v1/stories/${storyId}`)).status, { timeout: 2_000 })
      .toBe(404);
  });

  test('with the story layer off every story is 404, with the same text as an unknown one', async () => {
    const { storyId } = await openStory('Hidden');
    const plain = await startNewsApp({ database, clock, storyLayer: false });
    const hidden = expectProblem(await plain.get(`/api/v1/stories/${storyId}`), 404, 'not_found');
    await plain.stop();
    const unknown = expectProblem(await app.get('/api/v1/stories/none'), 404, 'not_found');
    expect({ ...hidden, requestId: '' }).toEqual({ ...unknown, requestId: '' });
  });
});

test('400: a public id of more than 128 characters', async () => {
  const problem = expectProblem(await app.get(`/api/v1/stories/${'x'.repeat(129)}`), 400, 'invalid_request');
  expect(problem['errors']).toEqual([expect.objectContaining({ in: 'path', name: 'publicId' })]);
});
