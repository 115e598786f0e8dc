import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

interface Body {
  readonly query: Record<string, unknown>;
  readonly items: readonly (Record<string, unknown> & { readonly id: string })[];
  readonly page: { readonly count: number; readonly hasMore: boolean; readonly nextCursor: string | null };
}

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

/** Long enough for every cached copy to be rebuilt. */
const expireCachedCopies = (): void => clock.advance({ seconds: 61 });

const addressOf = (parameters: Readonly<Record<string, string>>): string =>
  `/api/v1/items?${new URLSearchParams(parameters).toString()}`;

async function list(parameters: Readonly<Record<string, string>> = {}): Promise<Body> {
  const answer = await app.get(addressOf(parameters));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json() as unknown as Body;
}

const idsOf = ({ items }: Body): string[] => items.map(({ id }) => id);

describe('200 ItemsResponse', () => {
  test('an item has exactly the documented fields, with instants in UTC to the millisecond', async () => {
    const id = await factory.publishSelected({
      title: '模型 "quoted" <b>',
      originalTitle: 'Original',
      language: 'zh-Hans',
      publishedAt: hoursBefore(clock.now(), 2),
      hoursAgo: 1,
    });
    expireCachedCopies();
    const found = (await list()).items.find((item) => item.id === id);
    expect(found).toEqual({
      id,
      title: '模型 "quoted" <b>',
      originalTitle: 'Original',
      language: 'zh-Hans',
      summary: 'It reads longer texts than its predecessor.',
      source: { name: 'The Wire' },
      links: { item: `${baseUrl}/items/${id}`, original: 'https://wire.example/model' },
      publishedAt: '2026-11-15T10:00:00.000Z',
      discoveredAt: '2026-11-15T11:00:00.000Z',
      revisedAt: null,
      category: 'ai-models',
      score: 50,
      selected: true,
      reason: 'It matters.',
    });
  });

  test('the query is echoed with its defaults and the trimmed search', async () => {
    expect((await list()).query).toEqual({
      mode: 'selected',
      category: null,
      source: null,
      language: null,
      window: '7d',
      by: 'timeline',
      q: null,
    });
    expect((await list({ q: '  Wire 模型　', mode: 'all', window: '24h' })).query).toMatchObject({
      q: 'Wire 模型',
      mode: 'all',
      window: '24h',
    });
  });

  test('publishedAt is null when the original time is unknown', async () => {
    const id = await factory.publishSelected({ publishedAt: null });
    expireCachedCopies();
    expect((await list()).items.find((item) => item.id === id)?.['publishedAt']).toBeNull();
  });
});

describe('mode and category', () => {
  test('selected shows the selected set, all shows everything; the default is selected', async () => {
    const [plain, selected] = [await factory.publish(), await factory.publishSelected()];
    expireCachedCopies();
    const all = idsOf(await list({ mode: 'all' }));
    expect(all).toEqual(expect.arrayContaining([plain, selected]));
    for (const shown of [idsOf(await list()), idsOf(await list({ mode: 'selected' }))]) {
      expect(shown).toContain(selected);
      expect(shown).not.toContain(plain);
    }
  });

  test.each(['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'])(
    'category %s shows its own items only',
    async (category) => {
      const id = await factory.publish({ category });
      expireCachedCopies();
      const { items } = await list({ mode: 'all', category, limit: '100' });
      expect(items.map((item) => item.id)).toContain(id);
      expect(new Set(items.map((item) => item['category']))).toEqual(new Set([category]));
    },
  );
});

describe('window and order', () => {
  test('items older than the window are omitted: now − window < key ≤ now, to the microsecond', async () => {
    const day = 24;
    const [inside, edge] = [
      await factory.publish({ discoveredAt: (hoursBefore(clock.now(), day) + 1n) as never }),
      await factory.publish({ discoveredAt: hoursBefore(clock.now(), day) }),
    ];
    const shown = idsOf(await list({ mode: 'all', window: '24h', limit: '99' }));
    expect(shown).toContain(inside);
    expect(shown).not.toContain(edge);
    expect(idsOf(await list({ mode: 'all', window: '7d', limit: '99' }))).toContain(edge);
  });

  test('an ordinary new item is placed at its discovery, if its source published it within 72 hours before', async () => {
    const id = await factory.publish({ publishedAt: hoursBefore(clock.now(), 70), hoursAgo: 0 });
    const query = { mode: 'all', window: '24h', limit: '98' };
    expect(idsOf(await list(query))).toContain(id);
    expect(idsOf(await list({ ...query, by: 'published' }))).not.toContain(id);
  });

  test('an item first found more than 72 hours after publication is placed at the time of its source', async () => {
    const late = await factory.publish({ publishedAt: hoursBefore(clock.now(), 73), hoursAgo: 0 });
    const imported = await factory.publish({
      publishedAt: hoursBefore(clock.now(), 30),
      hoursAgo: 0,
      firstImport: true,
    });
    const day = idsOf(await list({ mode: 'all', window: '24h', limit: '97' }));
    expect(day).not.toContain(late);
    expect(day).not.toContain(imported);
    expect(idsOf(await list({ mode: 'all', window: '7d', limit: '97' }))).toEqual(
      expect.arrayContaining([late, imported]),
    );
  });

  test('a selected representative follows the first appearance of its reading group', async () => {
    const groupId = factory.ids.next<'reading-group'>();
    const first = await factory.publish({ groupId, hoursAgo: 30 });
    const representative = await factory.publishSelected({ groupId, hoursAgo: 1 });
    expect(idsOf(await list({ window: '24h', limit: '96' }))).not.toContain(representative);
    const week = idsOf(await list({ mode: 'all', limit: '96' }));
    expect(Math.abs(week.indexOf(first) - week.indexOf(representative))).toBe(1);
  });

  test('by=published uses the time of the source and falls back to discovery', async () => {
    const older = await factory.publish({ publishedAt: hoursBefore(clock.now(), 3), hoursAgo: 0.1 });
    const unknown = await factory.publish({ publishedAt: null, hoursAgo: 2 });
    const newer = await factory.publish({ publishedAt: hoursBefore(clock.now(), 1), hoursAgo: 0.5 });
    const order = idsOf(await list({ mode: 'all', by: 'published', limit: '95' }));
    const places = [newer, unknown, older].map((id) => order.indexOf(id));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});

describe('paging', () => {
  const pageThrough = async (parameters: Record<string, string>): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page: Body = await list({ ...parameters, ...(cursor === null ? {} : { cursor }) });
      seen.push(...idsOf(page));
      expect(page.page).toMatchObject({ count: page.items.length, hasMore: page.page.nextCursor !== null });
      ({ nextCursor: cursor } = page.page);
      if (cursor === null) return seen;
    }
  };

  test('pages of any size together form the whole list, also among equal microseconds', async () => {
    const discoveredAt = hoursBefore(clock.now(), 4);
    for (let index = 0; index < 7; index += 1) await factory.publish({ discoveredAt, category: 'tip' });
    expireCachedCopies();
    const whole = idsOf(await list({ mode: 'all', category: 'tip', limit: '100' }));
    expect(whole.length).toBeGreaterThanOrEqual(8);
    for (const limit of ['1', '2', '3'])
      expect(await pageThrough({ mode: 'all', category: 'tip', limit })).toEqual(whole);
  });

  test('a search is paginated like a list', async () => {
    for (let index = 0; index < 5; index += 1)
      await factory.publish({ title: `quokka ${index}`, hoursAgo: index * 25 });
    const whole = idsOf(await list({ mode: 'all', q: 'quokka', limit: '100' }));
    expect(whole).toHaveLength(5);
    expect(await pageThrough({ mode: 'all', q: 'quokka', limit: '2' })).toEqual(whole);
  });

  test('limit is 50 by default and may change from page to page', async () => {
    for (let index = 0; index < 60; index += 1) await factory.publish({ category: 'opinion' });
    const first = await list({ mode: 'all', category: 'opinion' });
    expect(first.page).toMatchObject({ count: 50, hasMore: true });
    const next = await list({
      mode: 'all',
      category: 'opinion',
      limit: '5',
      cursor: first.page.nextCursor as string,
    });
    expect(next.page.count).toBe(5);
  });
});

describe('400 invalid_cursor', () => {
  const firstCursor = async (parameters: Record<string, string>): Promise<string> =>
    (await list({ ...parameters, limit: '1' })).page.nextCursor as string;

  test.each([
    ['mode', { mode: 'selected' }],
    ['category', { mode: 'all', category: 'ai-models' }],
    ['window', { mode: 'all', window: '24h' }],
    ['by', { mode: 'all', by: 'published' }],
    ['q', { mode: 'all', q: 'wire' }],
  ])('a cursor is bound to the query that produced it: another %s is refused', async (_, parameters) => {
    const cursor = await firstCursor({ mode: 'all' });
    const answer = await app.get(addressOf({ ...(parameters as Record<string, string>), cursor }));
    expectProblem(answer, 400, 'invalid_cursor');
  });

  test('a cursor does not expire by age, but becomes invalid when its anchor leaves the window', async () => {
    await factory.publish({ hoursAgo: 23 });
    await factory.publish({ hoursAgo: 23.5 });
    expireCachedCopies();
    const query = { mode: 'all', window: '24h', limit: '100' };
    let page = await list(query);
    while (page.page.hasMore && page.page.nextCursor !== null)
      page = await list({ ...query, cursor: page.page.nextCursor });
    const shown = page.items.length;
    const anchored = await list({ ...query, limit: '1' });
    const cursor = anchored.page.nextCursor as string;
    expect(shown).toBeGreaterThan(0);
    clock.advance({ hours: 22 });
    expect((await app.get(addressOf({ ...query, cursor }))).status).toBe(200);
    clock.advance({ hours: 3 });
    const answer = await app.get(addressOf({ ...query, cursor }));
    expectProblem(answer, 400, 'invalid_cursor');
  });

  test.each(['', 'x', 'AAAA', 'a'.repeat(55), '%F0%9F%98%80', 'a'.repeat(5000)])(
    'a cursor that was not issued here is refused: %.40s',
    async (cursor) => {
      expectProblem(await app.get(`/api/v1/items?cursor=${cursor}`), 400, 'invalid_cursor');
    },
  );
});

describe('400 invalid_request', () => {
  test.each([
    'mode=ALL',
    'mode=',
    'category=cats',
    'category=',
    'window=48h',
    'by=discovered',
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=%201',
    'limit=',
    'q=',
    'q=a',
    'q=%20a%20',
    `q=${'a'.repeat(201)}`,
    'q=%00%00',
    'q=%ff%ff',
    'nonsense=1',
    'limit=5&limit=5',
    '__proto__=1',
  ])('%.40s', async (query) => {
    const problem = expectProblem(await app.get(`/api/v1/items?${query}`), 400, 'invalid_request');
    expect(problem['errors']).toEqual([expect.objectContaining({ in: 'query' })]);
  });

  test.each([
    'q=ab',
    `q=${'a'.repeat(200)}`,
    `q=%20${encodeURIComponent('𠀀'.repeat(200))}%20`,
    'limit=1',
    'limit=100',
    'limit=007',
  ])('the bounds themselves are inside: %.40s', async (query) => {
    expect((await app.get(`/api/v1/items?${query}`)).status).toBe(200);
  });
});

describe('search', () => {
  let found: Record<'title' | 'original' | 'summary' | 'source' | 'percent', Id<'item'>>;
  beforeAll(async () => {
    found = {
      title: await factory.publish({ title: 'ＺＥＢＲＡ模型发布', summary: 'plain' }),
      original: await factory.publish({ originalTitle: 'zebra crossing model 模型' }),
      summary: await factory.publish({ summary: 'About a Zebra and the 模型.' }),
      source: await factory.publish({ sourceName: 'Zebra 模型 Daily' }),
      percent: await factory.publish({ title: '100% zebra_x \\ back' }),
    };
  });
  const search = async (q: string): Promise<string[]> => idsOf(await list({ mode: 'all', q, limit: '100' }));

  test('every term must occur, in title, original title, summary or source name, whatever its case or width', async () => {
    expect(new Set(await search('zeBra 模型'))).toEqual(
      new Set([found.title, found.original, found.summary, found.source]),
    );
    expect(await search('zebra 模型 crossing')).toEqual([found.original]);
    expect(await search('zebra 不存在')).toEqual([]);
  });

  test('terms are substrings: two-character and one-character Chinese words, parts of words', async () => {
    expect(await search('型发')).toEqual([found.title]);
    expect(await search('ebr 发')).toEqual([found.title]);
  });

  test('SQL wildcards are matched literally', async () => {
    expect(await search('0% z')).toEqual([found.percent]);
    expect(await search('a_x')).toEqual([found.percent]);
    expect(await search('\\ zebra')).toEqual([found.percent]);
    expect(await search('z%bra')).toEqual([]);
  });

  test('more than eight terms are all rechecked', async () => {
    const terms = 'a b c d e f g h zebra'.split(' ');
    for (const id of await search(terms.join(' '))) expect(Object.values(found)).toContain(id);
    expect(await search('zebra model crossing 模 型 z e b r nothere')).toEqual([]);
  });

  test('a withdrawn item is not found', async () => {
    const id = await factory.publish({ title: 'ephemeral okapi' });
    valueOf(await factory.publisher.withdrawItem({ itemId: id }));
    expect(await search('ephemeral okapi')).toEqual([]);
  });
});

test('503 temporarily_unavailable: a search that takes longer than two seconds is cancelled', async () => {
  const owner = new pg.Client({ connectionString: database.urls.owner });
  await owner.connect();
  await owner.query('BEGIN; LOCK TABLE record.window_item IN ACCESS EXCLUSIVE MODE');
  try {
    const answer = await app.get(addressOf({ q: 'held up' }));
    expectProblem(answer, 503, 'temporarily_unavailable');
    expect(answer.json()).toMatchObject({ detail: 'The search timed out.' });
  } finally {
    await owner.end();
  }
});
