import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

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

/** Of attributes in HTML. */
function unescaped(text: string): string {
  return text.replaceAll('&#61;', '=').replaceAll('&#38;', '&');
}

describe('lists of items', () => {
  const titles = { en: 'Halden measures every model', zh: '哈尔登测量每个模型' };

  beforeAll(async () => {
    for (const language of ['en', 'zh'] as const) {
      await factory.publishSelected({ title: titles[language], language, category: 'paper' });
    }
    clock.advance({ seconds: 61 });
  });

  test.each([
    '/feeds/selected.json',
    '/feeds/categories/paper.atom',
    '/feeds/items.rss',
    '/agent/latest.md',
    '/api/v1/items',
  ])('%s has items of the requested language alone, by default of all', async (path) => {
    const shown = async (query: string) => {
      const { status, text } = await app.get(path + query);
      return [status, text.includes(titles.en), text.includes(titles.zh)];
    };
    expect(await shown('?language=en')).toEqual([200, true, false]);
    expect(await shown('?language=zh')).toEqual([200, false, true]);
    expect(await shown('')).toEqual([200, true, true]);
  });

  test.each(['/feeds/search.rss', '/agent/search.md', '/api/v1/items'])(
    '%s finds items of the requested language alone',
    async (path) => {
      const q = encodeURIComponent('哈尔登测量');
      expect((await app.get(`${path}?q=${q}&language=zh`)).text).toContain(titles.zh);
      expect((await app.get(`${path}?q=${q}&language=en`)).text).not.toContain(titles.zh);
    },
  );

  test.each([
    '/feeds/selected.json',
    '/feeds/search.rss?q=model',
    '/agent/latest.md',
    '/feeds/corrections.atom',
  ])('%s refuses a language that Daybook is not written in', async (path) => {
    const refused = await app.get(`${path}${path.includes('?') ? '&' : '?'}language=fr`);
    expectProblem(refused, 400, 'invalid_request');
  });

  test('a feed has its own address, title and pages in each language', async () => {
    const { items: listed, ...feed } = (await app.get('/feeds/selected.json?language=zh')).json();
    expect(feed).toMatchObject({
      title: 'Daybook：精选',
      language: 'zh',
      feed_url: 'https://daybook.example/feeds/selected.json?language=zh',
      home_page_url: 'https://daybook.example/zh',
    });
    const urls = (listed as readonly { readonly url: string }[]).map(({ url }) => url);
    expect(urls.every((url) => url.startsWith('https://daybook.example/zh/items/'))).toBe(true);
  });

  test.each(['/timeline', '/timeline?category=paper', '/search?q=Halden', '/search?q=哈尔登', '/archive'])(
    '%s lists items of the language of the page, below them titles of the other one',
    async (path) => {
      for (const [prefix, own, other] of [
        ['', titles.en, titles.zh],
        ['/zh', titles.zh, titles.en],
      ] as const) {
        const plain = (await app.get(encodeURI(`${prefix}${path}`))).text.replaceAll(/<\/?mark>/g, '');
        const [list = '', below = ''] = plain.split('id="other-language"');
        const isFound = (text: string): boolean => !path.includes('q=') || text.includes(path.slice(10));
        expect([list.includes(own), list.includes(other)]).toEqual([isFound(own), false]);
        expect([below.includes(own), below.includes(other)]).toEqual([false, isFound(other)]);
      }
      const all = await app.get(encodeURI(`${path}${path.includes('?') ? '&' : '?'}language=all`));
      expect(all.text).not.toContain('id="other-language"');
      expect(all.text).toContain('<input type="hidden" name="language" value="all" />');
    },
  );

  test('a search without a match in the language of the page shows the matches of the other one', async () => {
    const { text } = await app.get(encodeURI('/search?q=哈尔登测量'));
    expect(text).toContain('No items in English contain all of these words.');
    expect(text.split('id="other-language"')[1]).toContain('<mark>哈尔登测量</mark>每个模型');
  });

  test.each([
    ['/zh', '/feeds/selected.atom?language=zh'],
    ['/', '/feeds/selected.atom?language=en'],
    ['/?language=all', '/feeds/selected.atom'],
    ['/zh/timeline?category=paper', '/feeds/items.atom?category=paper&language=zh'],
    ['/zh/corrections', '/feeds/corrections.atom?language=zh'],
  ])('%s links the feed of what it shows', async (path, feed) => {
    expect(unescaped((await app.get(path)).text)).toContain(`href="${feed}"`);
  });

  test.each(['/hot?language=zh', '/?language=fr', '/sources?language='])('%s is refused', async (path) => {
    expect((await app.get(path)).status).toBe(400);
  });
});

test('the front page reaches into the archive until it has ten entries, one of each story', async () => {
  const itemIds: Id<'item'>[] = [];
  for (let count = 0; count < 12; count += 1)
    itemIds.push(
      await factory.publishSelected({ language: 'en', title: `Halden repeats measurement ${count}` }),
    );
  valueOf(await factory.publisher.openStory({ title: 'Halden', itemIds: itemIds.slice(0, 2) }));
  clock.advance({ hours: 24 * 30 });
  const { text } = await app.get('/');
  const [timeline = ''] = text.match(/<section class="front-timeline[\s\S]*?<\/section>/u) ?? [];
  expect(timeline.match(/<li data-entry/g)?.length ?? 0).toBeGreaterThanOrEqual(10);
  expect(timeline).toContain('Halden repeats measurement');
  expect(timeline.match(/Halden repeats measurement [01]</g)).toHaveLength(1);
  expect(text).toMatch(/This page shows the last 3[01] days\./);
});
