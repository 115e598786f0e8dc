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

/** After every cached copy has expired. */
async function read(path: string): Promise<Record<string, unknown>> {
  clock.advance({ seconds: 61 });
  const answer = await app.get(path);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json();
}

async function listedIds(parameters: Readonly<Record<string, string>>): Promise<unknown[]> {
  const query = new URLSearchParams({ mode: 'all', ...parameters }).toString();
  const { items } = (await read(`/api/v1/items?${query}`)) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}

describe('GET /api/v1/items/{id}', () => {
  test('200: an item of any age, as in the list', async () => {
    const [recent, old] = [
      await factory.publish({ title: 'Recent' }),
      await factory.publish({ title: 'Old', hoursAgo: 24 * 400, language: 'en' }),
    ];
    const { items } = (await read('/api/v1/items?mode=all')) as { items: { id: string }[] };
    expect(await read(`/api/v1/items/${recent}`)).toEqual({
      schemaVersion: 1,
      item: items.find(({ id }) => id === recent),
    });
    expect(await read(`/api/v1/items/${old}`)).toMatchObject({
      item: { id: old, title: 'Old', language: 'en', links: { item: `${baseUrl}/items/${old}` } },
    });
    expect(items.map(({ id }) => id)).not.toContain(old);
  });

  test('200: an item says that an instruction was removed from its source, on the page in both languages', async () => {
    const [id, other] = [await factory.publish({ textRemoved: true }), await factory.publish()];
    expect(await read(`/api/v1/items/${id}`)).toMatchObject({ item: { textRemoved: true } });
    const { item } = (await read(`/api/v1/items/${other}`)) as { item: object };
    expect(item).not.toHaveProperty('textRemoved');
    expect((await app.get(`/items/${id}`)).text).toContain('An instruction to AI systems was removed');
    expect((await app.get(`/zh/items/${id}`)).text).toContain('针对 AI 系统的指令，已移除');
    expect((await app.get(`/items/${other}`)).text).not.toContain('instruction to machines');
  });

  test('200 is cached for a minute by shared caches, and 304 where it is unchanged', async () => {
    const id = await factory.publish();
    const answer = await app.get(`/api/v1/items/${id}`);
    expect(answer.headers['cache-control']).toBe(
      'public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=3600',
    );
    const again = await app.get(`/api/v1/items/${id}`, {
      headers: { 'if-none-match': String(answer.headers['etag']) },
    });
    expect(again.status).toBe(304);
    expect(answer.headers['surrogate-key']).toBe(`item-${id}`);
  });

  test('links.story points to the current story of an item, also after a change', async () => {
    const id = await factory.publish();
    const linksOf = async () =>
      ((await read(`/api/v1/items/${id}`)) as { item: { links: Record<string, string> } }).item.links;
    expect(await linksOf()).not.toHaveProperty('story');
    const { storyId } = valueOf(await factory.publisher.openStory({ title: 'Event', itemIds: [id] }));
    expect(await linksOf()).toEqual({
      item: `${baseUrl}/items/${id}`,
      story: `${baseUrl}/story/${storyId}`,
      original: 'https://wire.example/model',
    });
    const other = valueOf(await factory.publisher.openStory({ title: 'Other', itemIds: [id] }));
    expect((await linksOf())['story']).toBe(`${baseUrl}/story/${other.storyId}`);
  });

  test('with the story layer off no item names a story', async () => {
    const id = await factory.publish();
    valueOf(await factory.publisher.openStory({ title: 'Hidden', itemIds: [id] }));
    const plain = await startNewsApp({ database, clock, storyLayer: false });
    const answers = [await plain.get(`/api/v1/items/${id}`), await plain.get('/api/v1/items?mode=all')];
    await plain.stop();
    for (const { text } of answers) expect(text).not.toContain('/story/');
  });

  test('the mirror omits links.story, and a change of story creates no position', async () => {
    const id = await factory.publishSelected();
    const before = await read('/api/v1/selected/snapshot');
    valueOf(await factory.publisher.openStory({ title: 'Event', itemIds: [id] }));
    const after = await read('/api/v1/selected/snapshot');
    expect(after['cursor']).toBe(before['cursor']);
    expect(JSON.stringify(after)).not.toContain('/story/');
  });

  test('404: an unknown or malformed id', async () => {
    for (const id of ['019a83c0-1111-7222-8333-444455556666', 'hello', 'x'.repeat(128)]) {
      expectProblem(await app.get(`/api/v1/items/${id}`), 404, 'not_found');
    }
  });

  test('400: an id of more than 128 characters', async () => {
    expectProblem(await app.get(`/api/v1/items/${'x'.repeat(129)}`), 400, 'invalid_request');
  });

  test('410 withdrawn: at once, also where a copy was cached', async () => {
    const id = await factory.publish();
    await read(`/api/v1/items/${id}`);
    valueOf(await factory.publisher.withdrawItem({ itemId: id }));
    await expect
      .poll(async () => (await app.get(`/api/v1/items/${id}`)).status, { timeout: 2_000 })
      .toBe(410);
    const gone = await app.get(`/api/v1/items/${id}`);
    // Shared caches replace their copy with it.
    expect(gone.headers['x-accel-expires']).toBe('1');
    const problem = expectProblem(gone, 410, 'withdrawn');
    expect(problem['type']).toContain('/problems/withdrawn');
  });
});

describe('filters of /api/v1/items', () => {
  test('source: only items of that source, in the order of the list', async () => {
    const source = factory.source('Filtered Times');
    const [first, second] = [
      await factory.publish({ source, hoursAgo: 3 }),
      await factory.publish({ source, hoursAgo: 2, publishedAt: null }),
    ];
    await factory.publish({ hoursAgo: 1 });
    expect(await listedIds({ source: source.id })).toEqual([second, first]);
    expect(await listedIds({ source: source.id, by: 'published' })).toEqual([second, first]);
    expect(await listedIds({ source: factory.ids.next() })).toEqual([]);
  });

  test('language: by primary subtag, together with the others', async () => {
    const source = factory.source('Bilingual Post');
    const [english, simplified, traditional] = [
      await factory.publish({ source, language: 'en', hoursAgo: 3 }),
      await factory.publish({ source, language: 'zh-Hans', hoursAgo: 2, category: 'paper' }),
      await factory.publish({ source, language: 'zh-Hant', hoursAgo: 1 }),
    ];
    await factory.publish({ source, language: null });
    expect(await listedIds({ source: source.id, language: 'en' })).toEqual([english]);
    expect(await listedIds({ source: source.id, language: 'zh' })).toEqual([traditional, simplified]);
    expect(await listedIds({ source: source.id, language: 'zh', category: 'paper' })).toEqual([simplified]);
    expect(await listedIds({ source: source.id, language: 'ja' })).toEqual([]);
  });

  test('both are echoed, and a cursor is bound to them', async () => {
    const source = factory.source('Paged Courier');
    for (let n = 0; n < 3; n += 1) await factory.publish({ source, language: 'en', hoursAgo: n });
    const address = `/api/v1/items?mode=all&limit=2&source=${source.id}&language=en`;
    const first = (await read(address)) as {
      query: Record<string, unknown>;
      page: { nextCursor: string };
    };
    expect(first.query).toMatchObject({ source: source.id, language: 'en' });
    const second = (await read(`${address}&cursor=${first.page.nextCursor}`)) as { page: { count: number } };
    expect(second.page.count).toBe(1);
    const foreign = `/api/v1/items?mode=all&limit=2&source=${source.id}&cursor=${first.page.nextCursor}`;
    expectProblem(await app.get(foreign), 400, 'invalid_cursor');
  });

  test.each([
    ['source', 'hello'],
    ['language', 'English'],
    ['language', 'zh-Hans'],
  ])('400: %s=%s', async (name, value) => {
    expectProblem(await app.get(`/api/v1/items?${name}=${value}`), 400, 'invalid_request');
  });
});

describe('GET /api/v1/sources', () => {
  interface Page {
    readonly sources: readonly { readonly id: string; readonly name: string }[];
    readonly page: {
      readonly count: number;
      readonly hasMore: boolean;
      readonly nextCursor: string | null;
    };
  }

  test('200: every source by name, with its contribution in seven days', async () => {
    const source = { ...factory.source('Aardvark Weekly'), firstParty: true };
    const profile = { homepageUrl: 'https://aardvark.example/', language: 'en', state: 'active' } as const;
    await factory.publisher.describeSource({ source, profile });
    await factory.publish({ source, hoursAgo: 24 * 20 });
    await factory.publishSelected({ source, hoursAgo: 30 });
    const latest = await factory.publish({ source, hoursAgo: 1 });
    const { item } = (await read(`/api/v1/items/${latest}`)) as { item: { discoveredAt: string } };
    const { sources } = (await read('/api/v1/sources')) as unknown as Page;
    expect(sources[0]).toEqual({
      id: source.id,
      name: 'Aardvark Weekly',
      owner: source.owner,
      firstParty: true,
      language: 'en',
      state: 'active',
      links: { homepage: 'https://aardvark.example/' },
      contributed: { items: 2, selected: 1, latestAt: item.discoveredAt },
    });
    const names = sources.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  });

  test('200: pages that together contain each source once', async () => {
    for (let n = 0; n < 5; n += 1) await factory.publish({ sourceName: `Numbered ${n % 2} ${n}` });
    const all = (await read('/api/v1/sources?limit=500')) as unknown as Page;
    expect(all.page).toEqual({ count: all.sources.length, hasMore: false, nextCursor: null });
    const seen: string[] = [];
    let address = '/api/v1/sources?limit=2';
    for (;;) {
      const { sources, page } = (await read(address)) as unknown as Page;
      seen.push(...sources.map(({ id }) => id));
      if (page.nextCursor === null) break;
      address = `/api/v1/sources?limit=2&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(all.sources.map(({ id }) => id as Id<'source'>));
  });

  test('is cached for five minutes by shared caches', async () => {
    expect((await app.get('/api/v1/sources')).headers['cache-control']).toContain('s-maxage=300');
  });

  test.each(['hello', 'WyJhIl0', Buffer.from('["a","b"]').toString('base64url')])(
    '400 invalid_cursor: %s',
    async (cursor) => {
      expectProblem(await app.get(`/api/v1/sources?cursor=${cursor}`), 400, 'invalid_cursor');
    },
  );

  test.each(['limit=0', 'limit=501', 'page=2'])('400 invalid_request: %s', async (query) => {
    expectProblem(await app.get(`/api/v1/sources?${query}`), 400, 'invalid_request');
  });
});

describe('GET /api/v1/corrections', () => {
  interface Page {
    readonly corrections: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
    readonly page: {
      readonly count: number;
      readonly hasMore: boolean;
      readonly nextCursor: string | null;
    };
  }

  test('200: withdrawals, corrections, merges and splits, with their reason and the revised editions', async () => {
    const [cited, kept, first, second] = [
      await factory.publishSelected({ title: 'Wrong' }),
      await factory.publish(),
      await factory.publish(),
      await factory.publish(),
    ];
    const contents = {
      headline: 'Wrong',
      overview: 'More.',
      headlineCites: [cited],
      overviewCites: [],
      sections: [{ key: 'all', label: 'All', itemIds: [cited, kept] }],
      flashes: [],
    };
    const { publisher } = factory;
    valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-13', contents }));
    const one = valueOf(await publisher.openStory({ title: 'One', itemIds: [first, second] }));
    const reason = 'A name was wrong <b>.';
    valueOf(await publisher.correctItem({ itemId: cited, changes: { title: 'Right' }, reason }));
    const split = valueOf(
      await publisher.splitStory({ storyId: one.storyId, itemIds: [second], title: 'Two', reason: 'Two.' }),
    );
    valueOf(
      await publisher.mergeStories({ absorbedId: split.storyId, survivorId: one.storyId, reason: 'One.' }),
    );
    valueOf(await publisher.withdrawItem({ itemId: cited, reason: 'It was made up.' }));
    const { corrections, page } = (await read('/api/v1/corrections?limit=4')) as unknown as Page;
    const common = {
      id: expect.any(String),
      at: expect.any(String),
      beforeHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      // An editor wrote the reasons.
      reasonCode: null,
    };
    const revision = (number: number) => ({
      kind: 'daily',
      period: '2026-11-13',
      revision: number,
      links: { report: `${baseUrl}/daily/2026-11-13` },
    });
    expect(corrections).toEqual([
      {
        ...common,
        action: 'withdrawn',
        subject: { kind: 'item', id: cited },
        otherStory: null,
        reason: 'It was made up.',
        reports: [revision(3)],
        links: { subject: null },
      },
      {
        ...common,
        action: 'merged',
        subject: { kind: 'story', id: split.storyId },
        otherStory: one.storyId,
        reason: 'One.',
        reports: [],
        links: { subject: `${baseUrl}/story/${one.storyId}` },
      },
      {
        ...common,
        action: 'split',
        subject: { kind: 'story', id: one.storyId },
        otherStory: split.storyId,
        reason: 'Two.',
        reports: [],
        links: { subject: `${baseUrl}/story/${one.storyId}` },
      },
      {
        ...common,
        action: 'corrected',
        subject: { kind: 'item', id: cited },
        otherStory: null,
        reason,
        reports: [revision(2)],
        // Withdrawn since.
        links: { subject: null },
      },
    ]);
    expect(page.count).toBe(4);
    const feed = (await app.get('/feeds/corrections.atom')).text;
    expect(feed).toContain(`${baseUrl}/corrections#${corrections[3]!.id}`);
    expect(feed).toContain('<![CDATA[A name was wrong <b>.]]>');
    const shown = (await app.get('/corrections')).text;
    expect(shown).toContain(`id="${corrections[3]!.id}"`);
    expect(shown).toContain('A name was wrong &#60;b&#62;.');
  });

  test('200: pages that together contain each correction once, newest first', async () => {
    for (let n = 0; n < 5; n += 1)
      valueOf(await factory.publisher.withdrawItem({ itemId: await factory.publish(), reason: `No ${n}.` }));
    const all = (await read('/api/v1/corrections?limit=100')) as unknown as Page;
    expect(all.page).toEqual({ count: all.corrections.length, hasMore: false, nextCursor: null });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { corrections, page }: Page = (await read(
        `/api/v1/corrections?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )) as unknown as Page;
      seen.push(...corrections.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all.corrections.map(({ id }) => id));
  });

  test('304 without new corrections, and a new correction shows at once', async () => {
    const before = await app.get('/api/v1/corrections');
    const headers = { 'if-none-match': String(before.headers['etag']) };
    expect((await app.get('/api/v1/corrections', { headers })).status).toBe(304);
    valueOf(await factory.publisher.withdrawItem({ itemId: await factory.publish(), reason: 'At once.' }));
    await expect
      .poll(async () => (await app.get('/api/v1/corrections', { headers })).text, { timeout: 2_000 })
      .toContain('At once.');
  });

  test.each(['hello', Buffer.alloc(41, 1).toString('base64url')])(
    '400 invalid_cursor: %s',
    async (cursor) => {
      expectProblem(await app.get(`/api/v1/corrections?cursor=${cursor}`), 400, 'invalid_cursor');
    },
  );

  test.each(['limit=0', 'limit=101', 'page=2'])('400 invalid_request: %s', async (query) => {
    expectProblem(await app.get(`/api/v1/corrections?${query}`), 400, 'invalid_request');
  });
});
