import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

interface Body {
  readonly query: Record<string, unknown>;
  readonly items: readonly { readonly id: string; readonly title: string }[];
  readonly page: { readonly count: number; readonly hasMore: boolean; readonly nextCursor: string | null };
}

const day = 24;
const year = 365 * day;
const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let storyId: Id<'story'>;
let ids: Record<string, Id<'item'>>;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  const selected = (title: string, hoursAgo: number, more = {}) =>
    factory.publishSelected({ title, hoursAgo, ...more });
  ids = {
    today: await selected('Today 模型', 1, { category: 'paper', language: 'en', sourceName: 'Gazette' }),
    month: await selected('Last month', 30 * day, {
      category: 'tip',
      language: 'zh-Hans',
      sourceName: 'Wire',
    }),
    spring: await selected('Spring 模型', 200 * day, {
      category: 'paper',
      language: 'en',
      sourceName: 'Wire',
    }),
    old: await selected('Three years ago', 3 * year, {
      category: 'tip',
      language: 'en',
      sourceName: 'Gazette',
    }),
  };
  await factory.publish({ title: 'Not selected', hoursAgo: 40 * day });
  const itemIds = [ids['month'], ids['spring']] as Id<'item'>[];
  ({ storyId } = valueOf(await factory.publisher.openStory({ title: 'A story', itemIds })));
  app = await startNewsApp({ database, clock });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

async function page(parameters: Readonly<Record<string, string>>): Promise<Body> {
  const answer = await app.get(`/api/v1/archive/items?${new URLSearchParams(parameters).toString()}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json() as unknown as Body;
}

/** The titles of all pages, and how many pages it took. */
async function all(
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ readonly titles: readonly string[]; readonly pages: number }> {
  const titles: string[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const found: Body = await page({ ...parameters, ...(cursor === '' ? {} : { cursor }) });
    titles.push(...found.items.map(({ title }) => title));
    expect(found.page.hasMore).toBe(found.page.nextCursor !== null);
    cursor = found.page.nextCursor;
  }
  return { titles, pages };
}

const titlesOf = async (parameters: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await all(parameters)).titles;

describe('GET /api/v1/archive/items, 200', () => {
  test('lists selected items of all time, newest first, over years without any', async () => {
    const { titles, pages } = await all();
    expect(titles).toEqual(['Today 模型', 'Last month', 'Spring 模型', 'Three years ago']);
    expect(pages).toBe(3);
  });

  test.each([
    [{ category: 'paper' }, ['Today 模型', 'Spring 模型']],
    [{ language: 'zh' }, ['Last month']],
    [{ q: '模型' }, ['Today 模型', 'Spring 模型']],
    [{ q: 'wire SPRING' }, ['Spring 模型']],
    [{ q: 'springs' }, ['Spring 模型']],
    [{ q: 'pring' }, []],
    [{ q: 'spring 型' }, ['Spring 模型']],
    [{ q: '型模' }, []],
    [{ q: 'nowhere' }, []],
    [{ from: '2026-10-01', to: '2026-10-31' }, ['Last month']],
    [{ to: '2025-01-01' }, ['Three years ago']],
    [{ category: 'paper', language: 'en', q: 'today' }, ['Today 模型']],
  ])('filters by %j', async (parameters, titles) => {
    expect(await titlesOf(parameters as unknown as Record<string, string>)).toEqual(titles);
  });

  test('filters by source and story', async () => {
    const { sources } = (await app.get('/api/v1/sources')).json() as unknown as {
      sources: { id: string; name: string }[];
    };
    const source = sources.find(({ name }) => name === 'Gazette')?.id ?? '';
    expect(await titlesOf({ source })).toEqual(['Today 模型', 'Three years ago']);
    expect(await titlesOf({ story: storyId })).toEqual(['Last month', 'Spring 模型']);
  });

  test('every page size gives the same items', async () => {
    for (const limit of ['1', '2', '3']) expect(await titlesOf({ limit })).toHaveLength(4);
  });

  test('a page names its query', async () => {
    expect((await page({ from: '2026-10-01', q: ' 模型 ' })).query).toEqual({
      category: null,
      source: null,
      language: null,
      story: null,
      from: '2026-10-01',
      to: null,
      q: '模型',
    });
  });
});

describe('400', () => {
  test.each(['from=2026-02-30', 'to=yesterday', 'story=x', 'q=a', 'limit=0', 'mode=all'])(
    '%s',
    async (query) => {
      expectProblem(await app.get(`/api/v1/archive/items?${query}`), 400, 'invalid_request');
    },
  );

  test('a cursor of another query', async () => {
    const { nextCursor } = (await page({ limit: '1' })).page;
    const answer = await app.get(`/api/v1/archive/items?category=paper&cursor=${nextCursor}`);
    expectProblem(answer, 400, 'invalid_cursor');
  });
});

describe('/archive', () => {
  test('shows a month with a calendar that links its days from the oldest item until today', async () => {
    const { text } = await app.get('/archive');
    expect(text).toContain('Today 模型');
    expect(text).toContain('href="/archive?date&#61;2026-11-15"');
    expect(text).not.toContain('date&#61;2026-11-16');
    expect(text).toContain('href="/archive?month&#61;2026-10"');
    expect(text).not.toContain('month&#61;2026-12');
  });

  test('shows one day, in Chinese too', async () => {
    expect((await app.get('/archive?date=2026-10-16')).text).toContain('Last month');
    const chinese = (await app.get('/zh/archive?date=2026-10-16')).text;
    expect(chinese).toContain('<h1>归档</h1>');
    expect(chinese).toContain('整月');
  });

  test('finds words in the whole archive, over several pages', async () => {
    const first = (await app.get('/archive?q=years')).text;
    expect(first).toContain('Older items have not been searched yet');
    const next = /href="(\/archive\?q&#61;years&#38;cursor&#61;[^"]+)"/.exec(first)?.[1] ?? '';
    expect(next).not.toBe('');
  });

  test('400: a month or day that does not exist', async () => {
    for (const query of ['month=2026-13', 'date=2026-02-30', 'q=a'])
      expect((await app.get(`/archive?${query}`)).status).toBe(400);
  });
});

test('a withdrawn item leaves the archive at once', async () => {
  expect(await titlesOf({ to: '2025-01-01' })).toEqual(['Three years ago']);
  const itemId = ids['old'] as Id<'item'>;
  valueOf(await factory.publisher.withdrawItem({ itemId }));
  await expect.poll(() => titlesOf({ to: '2025-01-01' })).toEqual([]);
  expect(await titlesOf({})).not.toContain('Three years ago');
});
