import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
const title = `<script>alert(1)</script> "Lab" opens`;
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let storyId: Id<'story'>;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  app = await startNewsApp({ database, clock });
  const itemId = await factory.publishSelected({ hoursAgo: 3, language: 'en', title });
  ({ storyId } = valueOf(await factory.publisher.openStory({ title, itemIds: [itemId] })));
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const describing = (url: string, more = '') => app.get(`/oembed?url=${encodeURIComponent(url)}${more}`);

test.each(['/embed/hot', '/zh/embed/hot', '/embed/story/{id}', '/zh/embed/story/{id}'])(
  'every site may frame %s, which runs no script and has no form',
  async (path) => {
    const { status, headers, text } = await app.get(path.replace('{id}', storyId));
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("form-action 'none'");
    expect(policy).toContain('frame-ancestors *');
    expect(text).not.toMatch(/<script|<form/);
    expect(text).toContain('<base target="_blank" />');
  },
);

test('all other pages stay out of frames', async () => {
  for (const path of ['/', '/hot', `/story/${storyId}`, '/embed/story/none'])
    expect(String((await app.get(path)).headers['content-security-policy'])).toContain(
      "frame-ancestors 'none'",
    );
});

test('a story and the ranking name their description, which has the frame in the language of the page', async () => {
  for (const [path, framed] of [
    ['/hot', '/embed/hot'],
    [`/story/${storyId}`, `/embed/story/${storyId}`],
    [`/zh/story/${storyId}`, `/zh/embed/story/${storyId}`],
  ] as const) {
    const own = `${baseUrl}${path}`;
    const link = `${baseUrl}/oembed?url=${encodeURIComponent(own)}`;
    const [, named] = /href="([^"]*oembed[^"]*)"/.exec((await app.get(path)).text) ?? [];
    expect(named?.replaceAll('&#61;', '=')).toBe(link);
    const { status, headers, text } = await describing(own);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const body = JSON.parse(text) as { html: string };
    expect(body).toMatchObject({ version: '1.0', type: 'rich', provider_name: 'Daybook', width: 480 });
    expect(body.html).toContain(`src="${baseUrl}${framed}"`);
  }
});

test('the size respects the maximum of the caller', async () => {
  const { text } = await describing(`${baseUrl}/hot`, '&maxwidth=300&maxheight=200');
  const body = JSON.parse(text) as { html: string };
  expect(body).toMatchObject({ width: 300, height: 200 });
  expect(body.html).toContain('width="300" height="200"');
});

test.each([
  ['another site', 'https://elsewhere.example/story/1', 404],
  ['an address that begins like this site', `${baseUrl}.elsewhere.example/hot`, 404],
  ['a page without a frame', `${baseUrl}/about`, 404],
  ['a story that does not exist', `${baseUrl}/story/019a0000-0000-7000-8000-000000000000`, 404],
])('there is no description of %s', async (_name, url, status) => {
  expect((await describing(url)).status).toBe(status);
});

test('only JSON is offered', async () => {
  expect((await describing(`${baseUrl}/hot`, '&format=xml')).status).toBe(400);
  expect((await app.get('/oembed')).status).toBe(400);
});

test('the frame of a merged story leads to the surviving one, and a withdrawal empties the frame', async () => {
  const other = await factory.publishSelected({ language: 'en', title: 'Second lab opens' });
  const opened = await factory.publisher.openStory({ title: 'Second lab opens', itemIds: [other] });
  const { storyId: second } = valueOf(opened);
  expect((await app.get(`/embed/story/${second}`)).text).toContain('Second lab opens');
  valueOf(await factory.publisher.withdrawItem({ itemId: other }));
  const shown = async () => (await app.get(`/embed/story/${second}`)).text;
  await expect.poll(shown).not.toContain('Second lab opens');
  valueOf(await factory.publisher.mergeStories({ survivorId: storyId, absorbedId: second }));
  const moved = async () => {
    const { status, headers } = await app.get(`/embed/story/${second}`);
    return [status, headers['location']];
  };
  await expect.poll(moved).toEqual([308, `/embed/story/${storyId}`]);
});
