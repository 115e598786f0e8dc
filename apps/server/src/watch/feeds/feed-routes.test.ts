import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { valueOf } from '../../../test/factories/record-factory.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestReader } from '../../../test/watch.ts';
import { startTestWatch } from '../../../test/watch.ts';

let stage: Awaited<ReturnType<typeof startTestWatch>>;
let reader: TestReader;
beforeAll(async () => {
  stage = await startTestWatch();
  reader = await stage.newReader();
});
afterAll(() => stage.stop());

/** The paths of a new feed address. */
async function newFeed(searchId: string): Promise<Record<'atom' | 'rss' | 'json', string>> {
  const answer = await reader.call('POST', `/api/v1/saved-searches/${searchId}/feed`);
  expect(answer.status).toBe(201);
  const paths = Object.entries(answer.json()).map(([format, address]) => [
    format,
    new URL(String(address)).pathname,
  ]);
  return Object.fromEntries(paths) as Record<'atom' | 'rss' | 'json', string>;
}
const read = (path: string, headers = {}) => ask(stage.app.port, path, { headers });

describe('a private feed', () => {
  test('lists the matches in three formats, and no cache may store it', async () => {
    await stage.factory.publish({ title: 'Fusion <b>reactor</b> & more', hoursAgo: 1 });
    const feed = await newFeed(await reader.save({ q: 'fusion' }, { name: 'Fusion & co' }));
    for (const [path, type] of [
      [feed.atom, 'application/atom+xml'],
      [feed.rss, 'application/rss+xml'],
      [feed.json, 'application/feed+json'],
    ] as const) {
      const answer = await read(path);
      expect([answer.status, answer.headers]).toMatchObject([
        200,
        {
          'content-type': `${type}; charset=utf-8`,
          'cache-control': 'private, no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        },
      ]);
      expect(answer.headers).not.toHaveProperty('x-accel-expires');
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.text).toContain('reactor');
      const unchanged = await read(path, { 'if-none-match': String(answer.headers['etag']) });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    }
    const { title, items } = (await read(feed.json)).json() as { title: string; items: { title: string }[] };
    expect([title, items[0]?.title]).toEqual(['Daybook: Fusion & co', 'Fusion <b>reactor</b> & more']);
  });

  test('is empty and valid without matches, and loses items that are withdrawn', async () => {
    const feed = await newFeed(await reader.save({ q: 'transmutation' }));
    expect((await read(feed.json)).json()['items']).toEqual([]);
    const item = await stage.factory.publish({ title: 'Transmutation works' });
    await stage.match();
    expect((await read(feed.json)).json()['items']).toHaveLength(1);
    valueOf(await stage.factory.publisher.withdrawItem({ itemId: item }));
    expect((await read(feed.json)).json()['items']).toEqual([]);
  });

  test('a new address replaces the former one, and a deleted one is unknown', async () => {
    const id = await reader.save({ q: 'addresses' });
    const [first, second] = [await newFeed(id), await newFeed(id)];
    expectProblem(await read(first.atom), 404, 'not_found');
    expect((await read(second.atom)).status).toBe(200);
    expect((await reader.call('DELETE', `/api/v1/saved-searches/${id}/feed`)).status).toBe(204);
    expectProblem(await read(second.atom), 404, 'not_found');
    expectProblem(await reader.call('DELETE', `/api/v1/saved-searches/${id}/feed`), 404, 'not_found');
    expectProblem(await read(second.atom.replace(/[0-9a-f]{64}/, '0'.repeat(64))), 404, 'not_found');
  });

  test('an address ends with the API key that created it', async () => {
    const other = await stage.newReader();
    const id = await other.save({ q: 'leaked' });
    const answer = await other.call('POST', `/api/v1/saved-searches/${id}/feed`);
    const { pathname } = new URL(String(answer.json()['atom']));
    expect((await read(pathname)).status).toBe(200);
    await other.revokeKey();
    expectProblem(await read(pathname), 404, 'not_found');
  });

  test('the database stores no secret of an address', async () => {
    const feed = await newFeed(await reader.save({ q: 'secrets' }));
    const [secret = ''] = /[0-9a-f]{64}/.exec(feed.atom) ?? [];
    const [row] = await stage.database.asSuperuser(
      'SELECT string_agg(a::text, $1) AS text FROM watch.feed_address a',
      [' '],
    );
    expect([secret.length, String(row?.['text']).includes(secret)]).toEqual([64, false]);
    expect(String(row?.['text'])).not.toContain(Buffer.from(secret, 'hex').toString('hex'));
  });
});
