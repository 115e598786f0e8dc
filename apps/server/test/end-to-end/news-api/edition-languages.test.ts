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
let items: Readonly<Record<'en' | 'zh' | 'english' | 'flash', Id<'item'>>>;

const words = {
  en: { headline: 'Veltrane opens its planning model', overview: 'Veltrane published the weights.' },
  zh: { headline: 'Veltrane 开源规划模型', overview: 'Veltrane 公开了模型权重。' },
} as const;
const english = 'Corvid 3 costs half as much';
const kinds = [
  { kind: 'daily', plural: 'dailies', period: '2026-11-15' },
  { kind: 'weekly', plural: 'weeklies', period: '2026-W46' },
  { kind: 'monthly', plural: 'monthlies', period: '2026-10' },
] as const;

/** One story has a report in each language; the second entry and the flash are English only. */
beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  app = await startNewsApp({ database, clock });
  const publish = (title: string, language: string, summary = '') =>
    factory.publish({ title, language, summary });
  items = {
    en: await publish(words.en.headline, 'en', 'Summary of the English report.'),
    zh: await publish(words.zh.headline, 'zh-Hans', '中文报道的摘要。'),
    english: await publish(english, 'en', 'Summary of the second entry.'),
    flash: await publish('A flash in English', 'en'),
  };
  for (const { kind, period } of kinds) {
    const contents = {
      ...words.en,
      language: 'en',
      headlineCites: [items.en],
      overviewCites: [items.en],
      sections: [{ key: 'ai-models', label: 'Models', itemIds: [items.english, items.en] }],
      flashes: kind === 'daily' ? [items.flash] : [],
      versions: [{ language: 'zh', ...words.zh, headlineCites: [items.zh], overviewCites: [items.zh] }],
      reports: [{ language: 'zh', entryId: items.en, itemId: items.zh }],
    } as const;
    valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
  }
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

async function get(path: string): Promise<string> {
  clock.advance({ seconds: 301 });
  const answer = await app.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
}

function alternates(page: string): readonly (string | undefined)[] {
  return [...page.matchAll(/<link rel="alternate" hreflang="(\w+)"/gu)].map(([, language]) => language);
}

describe.each(kinds)('$kind', ({ kind, plural, period }) => {
  const report = async (query: string) =>
    (JSON.parse(await get(`/api/v1/${plural}/${period}${query}`)) as { report: Record<string, unknown> })
      .report;

  test('has the words of the requested language, the same entries and the same order', async () => {
    const [own, chinese] = [await report(''), await report('?language=zh')];
    expect(own).toMatchObject({ ...words.en, language: 'en' });
    expect(chinese).toMatchObject({
      ...words.zh,
      language: 'zh',
      sections: [
        {
          key: 'ai-models',
          label: '模型',
          items: [
            { id: items.english, title: english, language: 'en' },
            { id: items.zh, title: words.zh.headline, language: 'zh-Hans', summary: '中文报道的摘要。' },
          ],
        },
      ],
    });
    expect(await report('?language=en')).toEqual(own);
    const latest = JSON.parse(await get(`/api/v1/${plural}/latest?language=zh`)) as { report: unknown };
    expect(latest.report).toEqual(chinese);
  });

  test('its index, feeds and Markdown have the headline of the requested language', async () => {
    for (const path of [
      `/api/v1/${plural}`,
      `/feeds/${kind}.atom`,
      `/feeds/${kind}.json`,
      `/agent/${kind}.md`,
      `/agent/${kind}/${period}.md`,
    ]) {
      const [own, chinese] = [await get(path), await get(`${path}?language=zh`)];
      expect([path, own.includes(words.en.headline), own.includes(words.zh.headline)]).toEqual([
        path,
        true,
        false,
      ]);
      expect([path, chinese.includes(words.zh.headline)]).toEqual([path, true]);
      expectProblem(await app.get(`${path}?language=fr`), 400, 'invalid_request');
    }
    const feed = JSON.parse(await get(`/feeds/${kind}.json?language=zh`)) as Record<string, unknown>;
    expect(feed).toMatchObject({
      language: 'zh',
      feed_url: `${baseUrl}/feeds/${kind}.json?language=zh`,
      items: [{ url: `${baseUrl}/zh/${kind}/${period}`, language: 'zh' }],
    });
    expect(await get(`/feeds/${kind}.atom?language=zh`)).toContain('xml:lang="zh"');
  });

  test('its page shows the reader’s language first, and the titles of other entries under a heading', async () => {
    const page = await get(`/zh/${kind}/${period}`);
    const [, headline = ''] = /<h1 >([\s\S]*?)<\/h1>/.exec(page) ?? [];
    expect(headline.replaceAll(/<[^>]*>/g, '')).toBe(words.zh.headline);
    expect(page).not.toContain(words.en.headline);
    expect(page).not.toContain('Summary of the second entry.');
    const places = [words.zh.overview, '中文报道的摘要。', '英文报道', english].map((text) =>
      page.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(page).toMatch(new RegExp(`lang="en">\\s*<h3>\\s*<a href="/zh/items/${items.english}"`));
    expect(page).toContain('"inLanguage":"zh"');
    expect(page).toContain('content="zh_CN"');
    expect(page).toContain(`href="/feeds/${kind}.atom?language&#61;zh"`);
    expect(alternates(page)).toEqual(['en', 'zh']);
  });

  test('its page with all languages together lists every entry in order, with its summary', async () => {
    const page = await get(`/zh/${kind}/${period}?language=all`);
    expect(page).toContain('Summary of the second entry.');
    expect(page.indexOf(english)).toBeLessThan(page.indexOf('中文报道的摘要。'));
    expect(page).not.toContain('英文报道');
  });

  test('its archive lists the headline in the language of the page', async () => {
    expect(await get(`/zh/${kind}/archive`)).toContain(words.zh.headline);
    expect(await get(`/${kind}/archive`)).toContain(words.en.headline);
  });
});

test('a header does not choose the language', async () => {
  const answer = await app.get('/api/v1/dailies/latest', { headers: { 'accept-language': 'zh' } });
  expect(answer.text).toContain(words.en.headline);
  expect(answer.headers.vary ?? '').not.toMatch(/language/iu);
});

test('the front page shows the daily in the language of the page', async () => {
  expect(await get('/zh')).toContain(words.zh.headline);
});

test('an edition without text in a language shows its own, and says so', async () => {
  const itemId = await factory.publish({ title: 'Only in English', language: 'en' });
  const contents = {
    headline: 'Only in English',
    overview: 'Only in English.',
    language: 'en',
    headlineCites: [itemId],
    overviewCites: [itemId],
    sections: [{ key: 'ai-models', label: 'Models', itemIds: [itemId] }],
    flashes: [],
  } as const;
  valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: '2026-11-01', contents }));
  expect(await get('/api/v1/dailies/2026-11-01?language=zh')).toContain('"language":"en"');
  const page = await get('/zh/daily/2026-11-01');
  expect(page).toContain('<h1 lang="en">Only in English</h1>');
  expect(page).toContain('"inLanguage":"en"');
  expect(alternates(page)).toEqual(['en']);
});

test('the withdrawal of a report that only one language shows changes that language on every surface', async () => {
  const paths = kinds.flatMap(({ kind, plural, period }) => [
    `/api/v1/${plural}?language=zh`,
    `/api/v1/${plural}/${period}?language=zh`,
    `/agent/${kind}/${period}.md?language=zh`,
    `/feeds/${kind}.atom?language=zh`,
    `/zh/${kind}/${period}`,
    `/zh/${kind}/archive`,
  ]);
  const shows = async (path: string) => [path, (await get(path)).includes(words.zh.headline)];
  for (const path of paths) expect(await shows(path)).toEqual([path, true]);
  valueOf(await factory.publisher.withdrawItem({ itemId: items.zh }));
  for (const path of paths) expect(await shows(path)).toEqual([path, false]);
  expect(await get('/zh/daily/2026-11-15')).toContain(words.en.headline);
});
