import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let items: { readonly english: Id<'item'>; readonly chinese: Id<'item'>; readonly hostile: Id<'item'> };
let storyId: Id<'story'>;

const hostileTitle = `<img src=x onerror=alert(1)> "quoted" </script><script>alert(2)</script>`;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  app = await startNewsApp({ database, clock });
  items = {
    english: await factory.publishSelected({ hoursAgo: 3, sourceName: 'Papermoth', language: 'en' }),
    chinese: await factory.publishSelected({
      hoursAgo: 2,
      sourceName: '智械周刊',
      language: 'zh',
      title: '岚屿智能发布新模型',
      summary: '新模型的上下文更长。',
    }),
    hostile: await factory.publishSelected({
      hoursAgo: 1,
      language: 'en',
      title: hostileTitle,
      originalUrl: 'https://wire.example/?a=1&b="><script>',
    }),
  };
  const opened = await factory.publisher.openStory({
    title: 'A new model',
    itemIds: [items.english, items.chinese],
  });
  ({ storyId } = valueOf(opened));
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

describe('/.well-known/security.txt', () => {
  const path = '/.well-known/security.txt';

  test('names the contact of the installation and expires within half a year, as RFC 9116 requires', async () => {
    const securityContact = 'mailto:security@example.org';
    const withContact = await startNewsApp({ database, clock, securityContact });
    const answer = await withContact.get(path);
    await withContact.stop();
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(answer.text).toBe(
      [
        'Contact: mailto:security@example.org',
        'Expires: 2027-05-14T00:00:00Z',
        'Preferred-Languages: en, zh',
        `Canonical: ${baseUrl}${path}`,
        '',
      ].join('\n'),
    );
  });

  test('answers 404 without a contact', async () => {
    expect((await app.get(path)).status).toBe(404);
  });
});

const fixedPages = [
  '/',
  '/timeline',
  '/search',
  '/hot',
  '/daily',
  '/weekly',
  '/monthly',
  '/daily/archive',
  '/sources',
  '/archive',
  '/corrections',
  '/about',
  '/api',
  '/terms',
  '/problems',
  '/docs',
  '/docs/news',
  '/docs/guides/news-api',
];
const everyPage = (): readonly string[] => [
  ...fixedPages,
  '/search?q=model',
  '/timeline?mode=all',
  `/items/${items.english}`,
  `/items/${items.hostile}`,
  `/story/${storyId}`,
];

describe('every page, in both languages', () => {
  test('answers 200 with a title, a description, its address and its translation', async () => {
    for (const path of everyPage()) {
      for (const [language, prefix] of [
        ['en', ''],
        ['zh', '/zh'],
      ] as const) {
        const own = path === '/' && prefix !== '' ? prefix : `${prefix}${path}`;
        const { status, text, headers } = await app.get(own);
        expect([own, status, headers['content-type']]).toEqual([own, 200, 'text/html; charset=utf-8']);
        expect(text).toContain(`<html lang="${language}">`);
        expect(text).toMatch(/<title>[^<]+<\/title>/);
        expect(text).toMatch(/<meta name="description" content="[^"]+"/);
        expect(text).toContain(`<link rel="canonical" href="${baseUrl}${own.replaceAll('=', '&#61;')}"`);
        // An item has one language, a page of Daybook's own words both.
        expect(text).toMatch(
          path.startsWith('/items/') ? /hreflang="(en|zh)"/ : /hreflang="en"[\s\S]+hreflang="zh"/,
        );
      }
    }
  });

  test('allows no inline script or style, no other origin and no frame', async () => {
    for (const path of everyPage()) {
      const { text, headers } = await app.get(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
      expect(text).not.toMatch(/<script>|<style|\sstyle="|<img|<iframe/);
      for (const [, address] of text.matchAll(
        /<(?:script|link rel="(?:stylesheet|preload|icon)")[^>]*(?:src|href)="([^"]+)"/g,
      ))
        expect(address).toMatch(/^\/(?!\/)/);
    }
  });

  test('loads only existing files', async () => {
    const { text } = await app.get('/');
    const loaded = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(loaded.length).toBeGreaterThanOrEqual(5);
    for (const path of loaded) {
      const answer = await app.get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  test('ignores undeclared parameters, which make no separate copy', async () => {
    const plain = await app.get('/timeline');
    const decorated = await app.get('/timeline?utm_source=a&utm_source=b&fbclid=%00');
    expect([decorated.status, decorated.headers.etag]).toEqual([200, plain.headers.etag]);
  });

  test('is cached as long as its API resource, and 304 where the visitor has it', async () => {
    const [page, resource] = [await app.get('/timeline'), await app.get('/api/v1/items')];
    expect(page.headers['cache-control']).toBe(resource.headers['cache-control']);
    const again = await app.get('/timeline', { headers: { 'if-none-match': String(page.headers.etag) } });
    expect(again.status).toBe(304);
  });
});

test('the site map lists only existing pages', async () => {
  const { text } = await app.get('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  expect(paths).toEqual(expect.arrayContaining(['/', '/hot', '/docs/news']));
  for (const path of paths) expect([path, (await app.get(path)).status]).toEqual([path, 200]);
});

test('third-party text is escaped everywhere', async () => {
  for (const path of ['/', '/timeline', `/items/${items.hostile}`, '/search?q=quoted']) {
    const { text } = await app.get(path);
    expect(text).toContain('&#60;img src&#61;x');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('<script>alert');
  }
});

test('a link to a publisher is marked as not endorsed', async () => {
  const { text } = await app.get(`/items/${items.english}`);
  expect(text).toContain('<a href="https://wire.example/model" rel="noopener nofollow ugc">');
});

describe('the timeline', () => {
  const chinese = /<article lang="zh">\s*<h2><a href="[^"]+">岚屿智能发布新模型/;

  test('shows items in the language of the page, and all of them on request, with their own language attribute', async () => {
    const [list = '', below = ''] = (await app.get('/timeline')).text.split('class="other-reports"');
    expect(list).not.toContain('岚屿智能发布新模型');
    expect(below).toContain('岚屿智能发布新模型');
    expect((await app.get('/timeline?language=all')).text).toMatch(chinese);
    const [own = '', other = ''] = (await app.get('/zh/timeline')).text.split('class="other-reports"');
    expect(own).toContain('岚屿智能发布新模型');
    expect(own).not.toContain('A model was released');
    expect(other).toContain('A model was released');
  });

  test('preserves the choice of all languages in its links, and names the plain address as canonical', async () => {
    const { text } = await app.get('/zh/timeline?language=all');
    expect(text).toContain('href="/zh/hot?language&#61;all"');
    expect(text).toContain(`<link rel="canonical" href="${baseUrl}/zh/timeline" />`);
    expect(text).toContain('<meta name="robots" content="noindex" />');
  });
});

describe('the front page', () => {
  test('lists the newest items in its language, and those in the other one at its end, with titles only', async () => {
    for (const [path, own, other] of [
      ['/', 'A model was released', '岚屿智能发布新模型'],
      ['/zh', '岚屿智能发布新模型', 'A model was released'],
    ] as const) {
      const { text } = await app.get(path);
      const [before = '', block = ''] = text.split('class="other-reports"');
      expect(before).toContain(own);
      expect(before).not.toContain(other);
      expect(block).toContain(other);
      expect(block).not.toContain(own);
    }
    expect((await app.get('/?language=all')).text).not.toContain('other-reports');
  });
});

test('a story page lists reports in another language under a heading', async () => {
  const { text } = await app.get(`/story/${storyId}`);
  const [before = '', block = ''] = text.split('In Chinese</h2>');
  expect(before).toContain('A model was released');
  expect(block).toContain('岚屿智能发布新模型');
});

test('a search marks what it found, in either script', async () => {
  const { text } = await app.get(`/search?q=${encodeURIComponent('模型')}`);
  expect(text).toContain('岚屿智能发布新<mark>模型</mark>');
  expect((await app.get('/search?q=%3Cimg')).text).toContain('<mark>&#60;img</mark> src&#61;x');
});

test('a merged story redirects to its survivor, in the same language', async () => {
  const itemId = await factory.publish({ sourceName: 'Loss Curve' });
  const { storyId: absorbedId } = valueOf(
    await factory.publisher.openStory({ title: 'The same model', itemIds: [itemId] }),
  );
  valueOf(await factory.publisher.mergeStories({ absorbedId, survivorId: storyId }));
  const answer = await app.get(`/zh/story/${absorbedId}`);
  expect([answer.status, answer.headers.location]).toEqual([308, `/zh/story/${storyId}`]);
});

test('a withdrawn item is 410, and its page does not contain its text', async () => {
  const itemId = await factory.publishSelected({ title: 'Words to be withdrawn' });
  valueOf(await factory.publisher.withdrawItem({ itemId }));
  const { status, text, headers } = await app.get(`/items/${itemId}`);
  expect([status, headers['content-type']]).toEqual([410, 'text/html; charset=utf-8']);
  expect(text).toContain('Withdrawn');
  expect(text).not.toContain('Words to be withdrawn');
});

test('an unknown address is a page for people and a problem for programs', async () => {
  const page = await app.get('/zh/nothing');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<html lang="zh">');
  const program = await app.get('/api/v1/nothing');
  expect([program.status, program.headers['content-type']]).toEqual([404, 'application/problem+json']);
  expect(program.headers['access-control-allow-origin']).toBe('*');
});
