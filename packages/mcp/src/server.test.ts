import type { Item } from '@daybook/client/types';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Stage } from '../test/news-stage.ts';
import { item, itemsPage, nowMs, openStage } from '../test/news-stage.ts';
import { skillFiles } from './generated/skill-files.ts';
import type { MirrorReads } from './news.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.client.close());

it.each([
  ['prompts/get', { name: 'brief_me', arguments: { kind: 7 } }],
  ['tools/call', { name: 'latest', arguments: 'none' }],
  ['resources/read', {}],
  ['initialize', {}],
  ['tools/list', { cursor: 7 }],
])('%s with %j is the caller’s fault, not an internal error', async (method, params) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://mcp.example/mcp', { method: 'POST', headers });
  const answer = await stage.handler.fetch(request, { jsonrpc: '2.0', id: 7, method, params });
  expect([answer.status, await answer.json()]).toMatchObject([400, { id: 7, error: { code: -32602 } }]);
});

describe('a mirror', () => {
  const progress = { cursor: 'c', nextPage: null, size: 1, hash: '', exactAt: nowMs - 1000 };
  const mirrorOf = (exactAt: number | null): MirrorReads => ({
    progress: () => Promise.resolve({ ...progress, exactAt }),
    latest: () => [item('from the mirror')],
    search: (words) => [item(`found ${words}`)],
  });

  it('serves latest and search without a request, and states when it was exact', async () => {
    stage.mirror = mirrorOf(progress.exactAt);
    expect((await stage.call('latest')).data).toMatchObject({
      items: [{ title: 'from the mirror' }],
      mirroredAt: '2026-11-15T11:59:59.000Z',
    });
    expect((await stage.call('search', { q: 'words' })).text).toContain('found words');
    expect(stage.asked).toEqual([]);
  });

  it('requests lists from the server that it cannot serve', async () => {
    stage.mirror = mirrorOf(progress.exactAt);
    stage.answers['/api/v1/items'] = itemsPage([item('from the server')]);
    expect((await stage.call('latest', { category: 'paper' })).text).toContain('from the server');
  });

  it('states that it is not complete', async () => {
    stage.mirror = mirrorOf(null);
    expect(await stage.call('latest')).toMatchObject({
      isError: true,
      text: expect.stringContaining('daybook mirror'),
    });
  });
});

describe('completion', () => {
  type Completed = Parameters<Client['complete']>[0]['ref'];
  const template = (uri: string): Completed => ({ type: 'ref/resource', uri });
  const prompt = (name: string): Completed => ({ type: 'ref/prompt', name });
  const sourceOf = (name: string, id = ''): unknown => ({ id, name });

  async function completed(
    ref: Completed,
    name: string,
    value: string,
    others?: Record<string, string>,
  ): Promise<readonly string[]> {
    const context = others === undefined ? {} : { context: { arguments: others } };
    return (await stage.client.complete({ ref, argument: { name, value }, ...context })).completion.values;
  }

  beforeEach(() => {
    const topicOf = (story: string): unknown => ({ links: { story: `https://daybook.example/${story}` } });
    stage.answers = {
      '/api/v1/dailies': { reports: ['2026-11-15', '2026-11-14', '2026-10-31'].map((date) => ({ date })) },
      '/api/v1/weeklies': { reports: [{ week: '2026-W46' }, { week: '2026-W45' }] },
      '/api/v1/hot-topics': { items: [topicOf('stories/hot'), topicOf('stories/both'), { links: {} }] },
      '/api/v1/items': itemsPage([topicOf('stories/both'), topicOf('stories/new')] as Item[]),
      '/api/v1/sources': {
        sources: [sourceOf('Evening Wire'), sourceOf('Model Gazette', 'id-1'), sourceOf('Wire Today')],
        page: { nextCursor: null },
      },
    };
  });

  it.each([
    ['daybook://reports/daily/{date}', 'date', '2026-11', ['2026-11-15', '2026-11-14']],
    ['daybook://reports/weekly/{week}', 'week', '2026-w45', ['2026-W45']],
    ['daybook://stories/{publicId}', 'publicId', '', ['hot', 'both', 'new']],
    ['daybook://categories/{category}', 'category', 'ai-', ['ai-models', 'ai-products']],
    ['daybook://sources/{source}', 'source', 'wire', ['Wire Today', 'Evening Wire']],
    ['daybook://sources/{source}', 'constructor', '', []],
    ['daybook://sources/{source}', '__proto__', '', []],
  ])('%s, %s beginning with %j', async (uri, name, typed, values) => {
    expect(await completed(template(uri), name, typed)).toEqual(values);
  });

  it.each([
    ['brief_me', 'kind', '', ['daily', 'weekly', 'monthly']],
    ['brief_me', 'period', '2026-10', ['2026-10-31']],
    ['compare_coverage', 'story', 'b', ['both']],
    ['what_changed', 'category', 'p', ['paper']],
    ['what_changed', 'source', 'gaz', ['Model Gazette']],
    ['what_changed', 'cursor', '', []],
    ['what_changed', '__proto__', '', []],
  ])('the prompt %s, %s beginning with %j', async (name, argument, typed, values) => {
    expect(await completed(prompt(name), argument, typed)).toEqual(values);
  });

  it('a period is completed of the kind that was chosen', async () => {
    expect(await completed(prompt('brief_me'), 'period', '', { kind: 'weekly' })).toEqual([
      '2026-W46',
      '2026-W45',
    ]);
    expect(await completed(prompt('brief_me'), 'period', '', { kind: 'yearly' })).toEqual([]);
  });

  it('suggests nothing where the API refuses', async () => {
    stage.answers = {};
    expect(await completed(prompt('what_changed'), 'source', '')).toEqual([]);
    expect(await completed(template('daybook://stories/{publicId}'), 'publicId', '')).toEqual([]);
  });

  it('completed values can be read', async () => {
    stage.answers['/api/v1/items'] = itemsPage([item('By the gazette')]);
    const { contents } = await stage.client.readResource({ uri: 'daybook://sources/Model%20Gazette' });
    expect(stage.asked.at(-1)).toBe('/api/v1/items?limit=20&mode=all&source=id-1');
    expect(JSON.stringify(contents)).toContain('By the gazette');
    await stage.client.getPrompt({ name: 'what_changed', arguments: { source: 'model gazette' } });
    expect(stage.asked.at(-1)).toBe('/api/v1/items?limit=20&mode=all&source=id-1');
  });

  it.each(['daybook://sources/Nobody', 'daybook://sources/%ff', 'daybook://categories/constructor'])(
    '%s is not found',
    async (uri) => {
      await expect(stage.client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    },
  );
});

describe('resources and prompts', () => {
  it('the skill is served beside the documents', async () => {
    const { contents } = await stage.client.readResource({ uri: 'skill://daybook/references/json.md' });
    expect(contents).toMatchObject([{ text: skillFiles['references/json.md'] }]);
  });

  it('an edition that does not exist is not found', async () => {
    await expect(
      stage.client.readResource({ uri: 'daybook://reports/daily/1999-01-01' }),
    ).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('a prompt includes its material', async () => {
    stage.answers['/api/v1/items'] = itemsPage([item('Material')]);
    const { messages } = await stage.client.getPrompt({ name: 'what_changed', arguments: {} });
    expect(JSON.stringify(messages)).toContain('Material');
  });

  it('a prompt refuses a filter where changes have none', async () => {
    const given = { cursor: 'c1', category: 'paper' };
    await expect(stage.client.getPrompt({ name: 'what_changed', arguments: given })).rejects.toMatchObject({
      code: -32602,
    });
    expect(stage.asked).toEqual([]);
  });
});
