import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import type { ReaderLanguage } from '../../../src/foundation/reader-language.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../factories/record-factory.ts';
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

const words = {
  en: { title: 'Veltrane opens its planning model', digest: 'Veltrane published the weights.' },
  zh: { title: 'Veltrane 开源规划模型', digest: 'Veltrane 公开了模型权重。' },
} as const;

let items: Readonly<Record<'en' | 'zh' | 'de', Id<'item'>>>;
let storyId: Id<'story'>;

/** The Chinese report came first and names the story; the English one has no language tag. */
beforeEach(async () => {
  items = {
    zh: await factory.publish({
      title: words.zh.title,
      language: 'zh-Hans',
      sourceName: '北麓',
      hoursAgo: 3,
    }),
    en: await factory.publish({ title: words.en.title, language: null, sourceName: 'Halden', hoursAgo: 2 }),
    de: await factory.publish({
      title: 'Veltrane öffnet sein Modell',
      language: 'de',
      sourceName: 'Ufer',
      hoursAgo: 1,
    }),
  };
  const itemIds = Object.values(items);
  storyId = valueOf(await factory.publisher.openStory({ title: words.zh.title, itemIds })).storyId;
  const digestIn = (language: ReaderLanguage) => ({
    text: words[language].digest,
    sentences: [{ text: words[language].digest, cites: [items[language]] }],
    contradictions: [],
  });
  const changes = { digest: digestIn('zh'), otherDigest: digestIn('en') };
  valueOf(await factory.publisher.reviseStory({ storyId, changes }));
});

async function get(path: string): Promise<Record<string, unknown>> {
  clock.advance({ seconds: 61 });
  const answer = await app.get(path);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json();
}

async function story(language?: string): Promise<Record<string, unknown>> {
  const { story: shown } = await get(
    `/api/v1/stories/${storyId}${language === undefined ? '' : `?language=${language}`}`,
  );
  return shown as Record<string, unknown>;
}

describe('a story', () => {
  test('has a title and a digest in each language of its reports', async () => {
    expect(await story()).toMatchObject({
      title: words.en.title,
      language: 'en',
      digest: { text: words.en.digest },
      languages: ['de', 'en', 'zh'],
      versions: [
        { language: 'en', title: words.en.title, digest: { text: words.en.digest } },
        { language: 'zh', title: words.zh.title, digest: { text: words.zh.digest } },
      ],
    });
  });

  test('is worded in the requested language, with the same reports', async () => {
    const [chinese, english] = [await story('zh'), await story('en')];
    expect(chinese).toMatchObject({
      title: words.zh.title,
      language: 'zh',
      digest: { text: words.zh.digest },
    });
    expect(english['reports']).toEqual(chinese['reports']);
    expect(english['versions']).toEqual(chinese['versions']);
  });

  test('loses both digests with the only report in a language, and the version in that language', async () => {
    valueOf(await factory.publisher.withdrawItem({ itemId: items.zh }));
    const shown = await story('zh');
    expect(shown).toMatchObject({ title: words.en.title, language: 'en', digest: null });
    expect(shown['versions']).toEqual([{ language: 'en', title: words.en.title, digest: null }]);
    expect(JSON.stringify(shown)).not.toMatch(/\p{Script=Han}/u);
  });

  test('is worded in its own language where it has no report in the requested one', async () => {
    valueOf(await factory.publisher.withdrawItem({ itemId: items.en }));
    expect(await story('en')).toMatchObject({ title: words.zh.title, language: 'zh' });
  });

  test('keeps each digest in its language when an editor gives it a title in the other one', async () => {
    const changes = { title: 'Weights of Veltrane' };
    valueOf(await factory.publisher.reviseStory({ storyId, changes }));
    expect((await story('en'))['versions']).toMatchObject([
      { language: 'en', title: changes.title, digest: { text: words.en.digest } },
      { language: 'zh', title: words.zh.title, digest: { text: words.zh.digest } },
    ]);
  });
});

/** With two of the three reports as evidence. */
async function rank(): Promise<void> {
  const candidate = {
    itemId: items.zh,
    items: [items.zh, items.en].map((itemId, at) => ({
      itemId,
      owner: `owner ${at}`,
      sourceName: `Source ${at}`,
      firstParty: false,
      weight: 1,
      reportedAt: hoursBefore(clock.now(), 2),
    })),
  };
  valueOf(await factory.publisher.publishRanking({ candidates: [candidate] }));
}

test('the Top 10 shows the report in the requested language, in the same order', async () => {
  await rank();
  const shown = async (query: string) => {
    const { items: topics } = await get(`/api/v1/hot-topics${query}`);
    return (topics as Record<string, unknown>[]).map(({ id, title, rank, sourceCount }) => ({
      id,
      title,
      rank,
      sourceCount,
    }));
  };
  const english = [{ id: items.en, title: words.en.title, rank: 1, sourceCount: 3 }];
  expect(await shown('')).toEqual(english);
  expect(await shown('?language=en')).toEqual(english);
  expect(await shown('?language=zh')).toEqual([{ ...english[0], id: items.zh, title: words.zh.title }]);
});

test('every surface gives the same number of independent sources of a story', async () => {
  await rank();
  const { items: topics } = await get('/api/v1/hot-topics');
  expect(topics).toMatchObject([{ sourceCount: 3, recentSourceCount: 2 }]);
  expect(await story()).toMatchObject({ sourceCount: 3 });
  for (const [path, text] of [
    ['/', '3 independent sources, 2 in the last 48 hours'],
    ['/hot', '3 independent sources, 2 in the last 48 hours'],
    ['/zh/hot', '3 个独立信源（最近 48 小时 2 个）'],
    [`/story/${storyId}`, '<dd>3</dd>'],
    [`/items/${items.en}`, '3 independent sources'],
  ] as const)
    expect((await app.get(path)).text).toContain(text);
});

describe('the reason of a selection', () => {
  const reason = 'First report by the company itself, with concrete facts.';
  const chinese = '公司首发，含具体事实。';

  beforeEach(async () => {
    valueOf(await factory.publisher.selectItem({ itemId: items.en, reason }));
  });

  test('is in the requested language, with the same code', async () => {
    const shown = async (query: string) => {
      const { item } = await get(`/api/v1/items/${items.en}${query}`);
      return item;
    };
    const code = { reasonCode: 'first.company.concrete', reasonValues: {} };
    expect(await shown('')).toMatchObject({ reason, ...code });
    expect(await shown('?language=zh')).toMatchObject({ reason: chinese, ...code });
  });

  test('is in the language of a list of one language', async () => {
    valueOf(await factory.publisher.selectItem({ itemId: items.zh, reason }));
    const { items: listed } = await get('/api/v1/items?language=zh');
    expect((listed as Record<string, unknown>[]).find(({ id }) => id === items.zh)).toMatchObject({
      reason: chinese,
    });
  });

  test('is Chinese on Chinese pages and English on English pages', async () => {
    for (const [path, shown, absent] of [
      [`/zh/items/${items.en}`, chinese, reason],
      [`/items/${items.en}`, reason, chinese],
      ['/zh/timeline?language=all', chinese, reason],
    ] as const) {
      const { text } = await app.get(path);
      expect(text).toContain(shown);
      expect(text).not.toContain(absent);
    }
  });

  test('is unchanged in the mirror', async () => {
    const { items: mirrored } = await get('/api/v1/selected/snapshot');
    const found = (mirrored as Record<string, unknown>[]).find(({ id }) => id === items.en);
    expect(found).toMatchObject({ reason });
    expect(found).not.toHaveProperty('reasonCode');
  });

  test('written by an editor stays as it is', async () => {
    const text = 'It matters to every reader.';
    valueOf(await factory.publisher.selectItem({ itemId: items.en, reason: text }));
    const { item } = await get(`/api/v1/items/${items.en}?language=zh`);
    expect(item).toMatchObject({ reason: text });
    expect(item).not.toHaveProperty('reasonCode');
  });
});

test('the reason of a withdrawal without a stated one is in the requested language', async () => {
  valueOf(await factory.publisher.withdrawItem({ itemId: items.de }));
  const newest = async (query: string) => {
    const { corrections } = await get(`/api/v1/corrections?limit=1${query}`);
    return (corrections as Record<string, unknown>[])[0];
  };
  expect(await newest('')).toMatchObject({ reason: 'No reason was stated.', reasonCode: 'unstated' });
  expect(await newest('&language=zh')).toMatchObject({ reason: '未说明原因。', reasonCode: 'unstated' });
  expect((await app.get('/zh/corrections')).text).toContain('未说明原因。');
});

test('a withdrawal is listed with source, category, date and story, without the withdrawn words', async () => {
  valueOf(await factory.publisher.withdrawItem({ itemId: items.de }));
  clock.advance({ seconds: 61 });
  for (const [path, shownIn] of [
    ['/', 'Shown in'],
    ['/corrections', 'Shown in'],
    ['/zh', '出现于'],
  ] as const) {
    const { text } = await app.get(path);
    const [entry = ''] = text.match(/<ul class="corrections">[\s\S]*?<\/li>/u) ?? [];
    expect(entry).toContain('Ufer');
    expect(entry).toContain('/timeline?category');
    expect(entry).toContain(shownIn);
    expect(entry).toContain(`/story/${storyId}`);
    expect(text).not.toContain('öffnet');
  }
});

test('the front page without a ranking shows recent stories and unselected items in the language of the page', async () => {
  const tagged = await factory.publish({ title: 'Halden explains its model', language: 'en', hoursAgo: 1 });
  clock.advance({ seconds: 61 });
  for (const [path, language, own, other] of [
    ['/', 'en', tagged, items.zh],
    ['/zh', 'zh', items.zh, tagged],
  ] as const) {
    const { text } = await app.get(path);
    const [lead = ''] = text.match(/<article class="lead-story">[\s\S]*?<\/article>/u) ?? [];
    expect(lead.replaceAll(/<[^>]*>/g, '')).toContain(words[language].title);
    const [timeline = ''] = text.match(/<section class="front-timeline[\s\S]*?<\/section>/u) ?? [];
    expect(timeline).toContain(`data-entry="${own}"`);
    expect(timeline).not.toContain(`data-entry="${other}"`);
  }
});

test('the pages of a story and its items are described in their own languages', async () => {
  clock.advance({ seconds: 61 });
  const tagsOf = async (path: string) => {
    const { text } = await app.get(path);
    const alternates = [...text.matchAll(/rel="alternate" hreflang="(\w+)"/g)].map(([, one]) => one);
    return { alternates, locale: /property="og:locale" content="(\w+)"/.exec(text)?.[1], text };
  };
  expect(await tagsOf(`/zh/story/${storyId}`)).toMatchObject({ alternates: ['en', 'zh'], locale: 'zh_CN' });
  expect(await tagsOf(`/items/${items.zh}`)).toMatchObject({ alternates: ['zh'], locale: 'zh_CN' });
  const { text } = await tagsOf(`/zh/items/${items.en}`);
  expect(/<section class="box">[\s\S]*?<\/section>/.exec(text)?.[0]).toContain(words.zh.title);
  valueOf(await factory.publisher.withdrawItem({ itemId: items.en }));
  clock.advance({ seconds: 61 });
  const single = await tagsOf(`/story/${storyId}`);
  expect(single).toMatchObject({ alternates: ['zh'], locale: 'zh_CN' });
  const chinese = (await tagsOf(`/zh/story/${storyId}`)).text.replaceAll('&#61;', '=');
  expect(chinese).toContain(`/agent/stories/${storyId}.md?language=zh`);
});

test('a correction is worded in the language of its feed', async () => {
  valueOf(await factory.publisher.withdrawItem({ itemId: items.de }));
  clock.advance({ seconds: 61 });
  expect((await app.get('/feeds/corrections.json')).json()).toMatchObject({
    title: 'Daybook: corrections',
    items: expect.arrayContaining([
      expect.objectContaining({
        title: `item withdrawn: ${items.de}`,
        content_text: 'No reason was stated.',
      }),
    ]) as unknown,
  });
  expect((await app.get('/feeds/corrections.json?language=zh')).json()).toMatchObject({
    title: 'Daybook：更正',
    items: expect.arrayContaining([
      expect.objectContaining({ title: `资讯已撤回：${items.de}`, content_text: '未说明原因。' }),
    ]) as unknown,
  });
});

test('the preview picture of a page is in the language of the page', async () => {
  clock.advance({ seconds: 61 });
  const { text } = await app.get(`/zh/story/${storyId}`);
  expect(text).toContain(`/zh/og/story/${storyId}.png`);
  const [english, chinese] = await Promise.all([
    app.get(`/og/story/${storyId}.png`),
    app.get(`/zh/og/story/${storyId}.png`),
  ]);
  expect([english.status, chinese.status]).toEqual([200, 200]);
  expect(chinese.text).not.toBe(english.text);
});

test.each(['/api/v1/hot-topics', '/api/v1/stories/019a83c0-1111-7222-8333-444455556666', '/agent/hot.md'])(
  '%s refuses a language that Daybook is not written in',
  async (path) => {
    expectProblem(await app.get(`${path}?language=fr`), 400, 'invalid_request');
  },
);
