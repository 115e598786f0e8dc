import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { brokenAtomRules, brokenJsonFeedRules, brokenRssRules } from '../../feed-rules.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
const rulesOf = { atom: brokenAtomRules, rss: brokenRssRules, json: brokenJsonFeedRules } as const;
const formats = Object.keys(rulesOf) as (keyof typeof rulesOf)[];

interface JsonFeed {
  readonly language: string;
  readonly feed_url: string;
  readonly items: readonly {
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly language?: string;
    readonly summary?: string;
    readonly content_html?: string;
    readonly date_modified: string;
  }[];
}

async function startOn(database: TestDatabase): Promise<NewsApp> {
  return startNewsApp({ database, clock });
}

async function jsonFeed(app: NewsApp, path: string): Promise<JsonFeed> {
  return (await app.get(path)).json() as unknown as JsonFeed;
}

describe('an installation with news', () => {
  let database: TestDatabase;
  let app: NewsApp;
  let storyId: Id<'story'>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const factory = createRecordFactory({ database: database.database, clock });
    const first = await factory.publishSelected({
      title: 'A <b>model</b> ]]> & more',
      summary: '',
      sourceName: 'Evil & Sons <x>',
      category: 'ai-models',
      language: 'en',
    });
    const second = await factory.publish({ title: '新模型', language: 'zh', category: 'paper' });
    ({ storyId } = valueOf(await factory.publisher.openStory({ title: 'Both', itemIds: [first, second] })));
    const contents = {
      headline: 'The day',
      overview: 'An overview & more.',
      headlineCites: [],
      overviewCites: [],
      sections: [{ key: 'all', label: 'All <news>', itemIds: [first] }],
      flashes: [second],
    };
    valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
    app = await startOn(database);
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  test.each(formats)('every feed follows the rules of its format: %s', async (format) => {
    for (const path of [
      'selected',
      'items',
      'categories/paper',
      'daily',
      'weekly',
      'corrections',
      `stories/${storyId}`,
    ]) {
      const address = `/feeds/${path}.${format}`;
      const { status, text } = await app.get(address);
      expect([address, status, rulesOf[format](text, baseUrl + address)]).toEqual([address, 200, []]);
    }
  });

  test('any query of items has one address, whatever the order and the defaults of its parameters', async () => {
    const given = '/feeds/items.json?q=model&window=7d&language=en&mode=all&by=timeline';
    const feed = await jsonFeed(app, given);
    expect(feed.feed_url).toBe(`${baseUrl}/feeds/items.json?mode=all&language=en&q=model`);
    expect(feed.items.map(({ title }) => title)).toEqual(['A <b>model</b> ]]> & more']);
    expect((await jsonFeed(app, '/feeds/items.json?mode=all&category=paper')).items).toMatchObject([
      { title: '新模型', language: 'zh' },
    ]);
    expect((await jsonFeed(app, '/feeds/items.json?language=zh')).language).toBe('zh');
  });

  test('400: an invalid filter, and a parameter of pages', async () => {
    for (const query of ['category=sports', 'q=a', 'limit=5', 'cursor=x', 'window=1y'])
      expectProblem(await app.get(`/feeds/items.rss?${query}`), 400, 'invalid_request');
  });

  test('an edition is whole in its feed, with third-party text escaped', async () => {
    const { items } = await jsonFeed(app, '/feeds/daily.json');
    expect(items[0]?.summary).toBe('An overview & more.');
    expect(items[0]?.content_html).toContain('<h2>All &#60;news&#62;</h2>');
    expect(items[0]?.content_html).toContain('A &#60;b&#62;model&#60;/b&#62;');
    expect(items[0]?.content_html).toContain('新模型');
    const rss = (await app.get('/feeds/daily.rss')).text;
    expect(rss).toContain('content:encoded');
    expect((await app.get('/feeds/daily.atom')).text).toContain('<content type="html">');
  });

  test('ids are the same in all formats', async () => {
    const { items } = await jsonFeed(app, '/feeds/selected.json');
    const [rss, atom] = await Promise.all(
      ['rss', 'atom'].map(async (format) => (await app.get(`/feeds/selected.${format}`)).text),
    );
    for (const { id } of items) {
      expect(rss).toContain(`<guid isPermaLink="true">${id}</guid>`);
      expect(atom).toContain(`<id>${id}</id>`);
    }
  });
});

describe('an installation without news', () => {
  let database: TestDatabase;
  let app: NewsApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startOn(database);
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  test.each(formats)('empty feeds follow the rules of %s, updated on this day', async (format) => {
    for (const path of ['selected', 'items', 'daily', 'corrections']) {
      const address = `/feeds/${path}.${format}`;
      const { text } = await app.get(address);
      expect([address, rulesOf[format](text, baseUrl + address)]).toEqual([address, []]);
    }
    expect((await app.get('/feeds/selected.atom')).text).toContain(
      '<updated>2026-11-15T00:00:00.000Z</updated>',
    );
    expect((await jsonFeed(app, '/feeds/selected.json')).items).toEqual([]);
  });
});
