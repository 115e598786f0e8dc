import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestReader } from '../../../test/watch.ts';
import { startTestWatch } from '../../../test/watch.ts';

let stage: Awaited<ReturnType<typeof startTestWatch>>;
let reader: TestReader;
let other: TestReader;
beforeAll(async () => {
  stage = await startTestWatch();
  [reader, other] = [await stage.newReader(), await stage.newReader()];
});
afterAll(() => stage.stop());

const path = '/api/v1/saved-searches';

describe('200 and 201', () => {
  test('saves a search with defaults, returns it, changes it and deletes it', async () => {
    const made = await reader.call('POST', path, { query: { q: ' 开源 模型 ' } });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const { id } = made.json() as { id: string };
    expect(made.json()).toEqual({
      id,
      name: '开源 模型',
      query: {
        q: '开源 模型',
        without: null,
        mode: 'all',
        category: null,
        source: null,
        language: null,
        hiddenSources: [],
        hiddenCategories: [],
        minSources: 1,
      },
      mail: 'never',
      language: 'en',
      onFrontPage: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const changed = await reader.call('PATCH', `${path}/${id}`, { mail: 'daily', name: ' Open models ' });
    expect(changed.json()).toMatchObject({ name: 'Open models', mail: 'daily', query: { q: '开源 模型' } });
    expect((await reader.call('GET', `${path}/${id}`)).json()).toEqual(changed.json());
    expect((await reader.call('DELETE', `${path}/${id}`)).status).toBe(204);
    expectProblem(await reader.call('GET', `${path}/${id}`), 404, 'not_found');
  });

  test('lists the searches of the account alone, newest first and page by page', async () => {
    const ids = [
      await other.save({ q: 'one' }),
      await other.save({ q: 'two' }),
      await other.save({ q: 'three' }),
    ];
    const first = (await other.call('GET', `${path}?limit=2`)).json() as {
      data: { id: string }[];
      pagination: { nextCursor: string; hasMore: boolean };
    };
    expect([first.data.map(({ id }) => id), first.pagination.hasMore]).toEqual([[ids[2], ids[1]], true]);
    const rest = await other.call('GET', `${path}?limit=2&cursor=${first.pagination.nextCursor}`);
    expect((rest.json()['data'] as { id: string }[]).map(({ id }) => id)).toEqual([ids[0]]);
    expect((await reader.call('GET', path)).json()['data']).toEqual([]);
  });

  test('lists at once what was published before, page by page', async () => {
    for (const hoursAgo of [3, 2, 1])
      await stage.factory.publish({ title: `Quantum chips ${hoursAgo}`, hoursAgo });
    await stage.factory.publish({ title: 'Quantum tax', hoursAgo: 1 });
    const id = await reader.save({ q: 'QUANTUM', without: 'tax' });
    expect(await reader.titlesOf(id)).toEqual(['Quantum chips 1', 'Quantum chips 2', 'Quantum chips 3']);
    const page = (await reader.call('GET', `${path}/${id}/matches?limit=2`)).json() as {
      pagination: { nextCursor: string };
    };
    const next = await reader.call(
      'GET',
      `${path}/${id}/matches?limit=2&cursor=${page.pagination.nextCursor}`,
    );
    expect(next.json()['data']).toMatchObject([{ item: { title: 'Quantum chips 3' } }]);
  });

  test('another query replaces the matches of the former one; another name does not', async () => {
    await stage.factory.publish({ title: 'Robot dogs' });
    await stage.factory.publish({ title: 'Robot cats' });
    const id = await reader.save({ q: 'robot dogs' });
    await reader.call('PATCH', `${path}/${id}`, { query: { q: 'robot cats' } });
    expect(await reader.titlesOf(id)).toEqual(['Robot cats']);
    await stage.database.asSuperuser(
      `UPDATE record.window_item SET search_text = 'gone' WHERE search_text LIKE '%robot cats%'`,
    );
    await reader.call('PATCH', `${path}/${id}`, { name: 'Cats', query: { q: 'robot cats' } });
    expect(await reader.titlesOf(id)).toEqual(['Robot cats']);
  });
});

describe('400', () => {
  test.each([
    [{}],
    [{ query: {} }],
    [{ query: { language: 'en' } }],
    [{ query: { q: 'x' } }],
    [{ query: { q: 'a b' } }],
    [{ query: { q: 'x'.repeat(201) } }],
    [{ query: { q: 'model', without: 'y' } }],
    [{ query: { category: 'sport' } }],
    [{ query: { source: 'the-wire' } }],
    [{ query: { q: 'model', minSources: 0 } }],
    [{ query: { q: 'model', window: '24h' } }],
    [{ query: { q: 'model' }, mail: 'weekly' }],
    [{ query: { q: 'model' }, name: 'two\nlines' }],
  ])('refuses %j', async (body) => {
    expectProblem(await reader.call('POST', path, body), 400, 'invalid_request');
  });
});

describe('401, 403, 404, 409', () => {
  test('returns 401 without a credential', async () => {
    expectProblem(await ask(stage.app.port, path), 401, 'unauthenticated');
  });

  test('a key that only reads may not change searches; one for named permissions may not use them', async () => {
    const keyOf = async (permissions: unknown): Promise<string> => {
      const json = { name: 'k', permissions };
      const made = await stage.post('/api/v1/api-keys', json, { headers: reader.bearer });
      return made.json()['key'] as string;
    };
    const read = { 'x-api-key': await keyOf('read_only') };
    const { organizations } = (await reader.call('GET', '/api/v1/me')).json()['user'] as {
      organizations: { platform_key: string }[];
    };
    const resources = [`/organizations/${organizations[0]?.platform_key}`];
    const named = { 'x-api-key': await keyOf([{ actions: ['Daybook.**'], resources }]) };
    expect((await ask(stage.app.port, path, { headers: read })).status).toBe(200);
    const json = { query: { q: 'model' } };
    expectProblem(await ask(stage.app.port, path, { method: 'POST', json, headers: read }), 403, 'forbidden');
    expectProblem(await ask(stage.app.port, path, { headers: named }), 403, 'forbidden');
  });

  test('the searches of others are unknown', async () => {
    const id = await reader.save({ q: 'private matter' });
    for (const [method, suffix, json] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/matches'],
      ['POST', '/feed'],
      ['DELETE', '/feed'],
      ['GET', '/webhooks'],
      ['POST', '/webhooks', { format: 'slack', address: 'https://hooks.example/x' }],
    ] as const)
      expectProblem(await other.call(method, `${path}/${id}${suffix}`, json), 404, 'not_found');
  });

  test('refuses the concurrent requests that exceed fifty searches', async () => {
    const collector = await stage.newReader();
    const asked = Array.from({ length: 55 }, (_, at) =>
      collector.call('POST', path, { query: { q: `number ${at + 10}` } }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect([statuses.filter((one) => one === 201), statuses.filter((one) => one === 409)]).toEqual([
      Array<number>(50).fill(201),
      Array<number>(5).fill(409),
    ]);
  });
});
