import { createClient } from '@daybook/client';
import type { Item } from '@daybook/client/types';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { skillFiles } from './generated/skill-files.ts';
import type { McpNews, MirrorReads } from './news.ts';
import type { NewsMcpHandler } from './server.ts';
import { createNewsHandler } from './server.ts';

const nowMs = Date.parse('2026-11-15T12:00:00.000Z');
const item = (title: string): Item => ({
  id: '01939c5e-0000-7000-8000-000000000001',
  title,
  originalTitle: null,
  language: 'en',
  summary: '摘要',
  source: { name: 'Gazette' },
  links: { item: 'https://daybook.example/items/1', original: 'https://gazette.example/a b?<c>' },
  publishedAt: null,
  discoveredAt: '2026-11-15T00:00:00.000Z',
  revisedAt: null,
  category: 'tip',
  score: 50,
  selected: true,
  reason: null,
});

/** The responses of the news API, by path. */
let answers: Record<string, unknown>;
let asked: string[];
let mirror: MirrorReads | null;
let client: Client;
let handler: NewsMcpHandler;

beforeAll(() => {
  handler = createNewsHandler(newsOf);
});
beforeEach(async () => {
  answers = {};
  asked = [];
  mirror = null;
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, { ...init, body: null }), JSON.parse(init?.body as string));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://mcp.example/mcp'), { fetch }));
});
afterEach(() => client.close());

function newsOf(): McpNews {
  const fetch = (url: string): Promise<Response> => {
    const { pathname, search } = new URL(url);
    asked.push(`${pathname}${search}`);
    const body = answers[pathname];
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, s-maxage=60' };
    const missing = { code: 'not_found', detail: 'There is no such thing', status: 404 };
    return Promise.resolve(
      new Response(JSON.stringify(body ?? missing), { status: body === undefined ? 404 : 200, headers }),
    );
  };
  const world = { fetch, now: () => nowMs };
  return { client: createClient({ baseUrl: 'http://news.example', world }), mirror, nowMs: () => nowMs };
}

const itemsPage = (items: readonly Item[], nextCursor: string | null = null): unknown => ({
  items,
  page: { nextCursor },
});

async function call(
  name: string,
  given: Record<string, unknown> = {},
): Promise<{ text: string; data: unknown; isError: boolean }> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content;
  return { text: first?.type === 'text' ? first.text : '', data: structuredContent, isError };
}

describe('tools', () => {
  it('are read-only and annotated as such', async () => {
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.every(({ outputSchema }) => outputSchema?.['type'] === 'object')).toBe(true);
  });

  it('search requests all items of a week, page by page', async () => {
    answers['/api/v1/items'] = itemsPage([item('A model')], 'next');
    const { data, text } = await call('search', { q: '模型', limit: 5, cursor: 'before' });
    expect(asked).toEqual([
      `/api/v1/items?cursor=before&limit=5&mode=all&q=${encodeURIComponent('模型')}&window=7d`,
    ]);
    expect(data).toEqual({ items: [item('A model')], nextCursor: 'next', mirroredAt: null });
    expect(text).toContain('Next page: cursor `next`.');
  });

  it('report requests the words of a language', async () => {
    const report = {
      date: '2026-11-15',
      generatedAt: '2026-11-15T00:00:00.000Z',
      revision: 1,
      windowStart: '2026-11-14T00:00:00.000Z',
      windowEnd: '2026-11-15T00:00:00.000Z',
      headline: '标题',
      overview: '概述',
      language: 'zh',
      links: { report: 'https://daybook.example/daily/2026-11-15' },
      sections: [],
      flashes: [],
      unselectedCount: 0,
      corrections: [],
    };
    answers['/api/v1/dailies/latest'] = { schemaVersion: 1, report };
    const { data } = await call('report', { kind: 'daily', language: 'zh' });
    expect(asked).toEqual(['/api/v1/dailies/latest?language=zh']);
    expect(data).toMatchObject({ headline: '标题', language: 'zh' });
  });

  it.each([
    ['search', {}],
    ['search', { q: 'x' }],
    ['latest', { limit: 51 }],
    ['latest', { nobody: 'knows this' }],
    ['report', { kind: 'yearly' }],
    ['report', { kind: 'daily', language: 'fr' }],
    ['report', { kind: 'daily', period: '2026-W46' }],
    ['story', { id: '../../../etc/passwd?' }],
  ])('%s refuses %j and asks for nothing', async (name, given) => {
    expect(await call(name, given)).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });

  it('changes_since without a cursor returns a first one', async () => {
    answers['/api/v1/selected/snapshot'] = { cursor: 'c1', items: [] };
    expect((await call('changes_since')).data).toEqual({ cursor: 'c1', hasMore: false, changes: [] });
  });

  it('changes_since lists the items to remove', async () => {
    const changedAt = '2026-11-15T00:00:00.000Z';
    const changes = [
      { op: 'upsert', changedAt, item: item('New') },
      { op: 'remove', changedAt, id: '01939c5e-0000-7000-8000-000000000002' },
    ];
    answers['/api/v1/selected/changes'] = { cursor: 'c2', hasMore: true, changes };
    const { text, data } = await call('changes_since', { cursor: 'c1' });
    expect(data).toEqual({ cursor: 'c2', hasMore: true, changes });
    expect(text).toMatch(/Next cursor: `c2`; there is more[^]*New[^]*forget them[^]*000000000002/);
  });
});

it.each([
  ['prompts/get', { name: 'brief_me', arguments: { kind: 7 } }],
  ['tools/call', { name: 'latest', arguments: 'none' }],
  ['resources/read', {}],
  ['initialize', {}],
  ['tools/list', { cursor: 7 }],
])('%s with %j is the caller’s fault, not an internal error', async (method, params) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://mcp.example/mcp', { method: 'POST', headers });
  const answer = await handler.fetch(request, { jsonrpc: '2.0', id: 7, method, params });
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
    mirror = mirrorOf(progress.exactAt);
    expect((await call('latest')).data).toMatchObject({
      items: [{ title: 'from the mirror' }],
      mirroredAt: '2026-11-15T11:59:59.000Z',
    });
    expect((await call('search', { q: 'words' })).text).toContain('found words');
    expect(asked).toEqual([]);
  });

  it('requests lists from the server that it cannot serve', async () => {
    mirror = mirrorOf(progress.exactAt);
    answers['/api/v1/items'] = itemsPage([item('from the server')]);
    expect((await call('latest', { category: 'paper' })).text).toContain('from the server');
  });

  it('states that it is not complete', async () => {
    mirror = mirrorOf(null);
    expect(await call('latest')).toMatchObject({
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
    return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values;
  }

  beforeEach(() => {
    const topicOf = (story: string): unknown => ({ links: { story: `https://daybook.example/${story}` } });
    answers = {
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
    answers = {};
    expect(await completed(prompt('what_changed'), 'source', '')).toEqual([]);
    expect(await completed(template('daybook://stories/{publicId}'), 'publicId', '')).toEqual([]);
  });

  it('completed values can be read', async () => {
    answers['/api/v1/items'] = itemsPage([item('By the gazette')]);
    const { contents } = await client.readResource({ uri: 'daybook://sources/Model%20Gazette' });
    expect(asked.at(-1)).toBe('/api/v1/items?limit=20&mode=all&source=id-1');
    expect(JSON.stringify(contents)).toContain('By the gazette');
    await client.getPrompt({ name: 'what_changed', arguments: { source: 'model gazette' } });
    expect(asked.at(-1)).toBe('/api/v1/items?limit=20&mode=all&source=id-1');
  });

  it.each(['daybook://sources/Nobody', 'daybook://sources/%ff', 'daybook://categories/constructor'])(
    '%s is not found',
    async (uri) => {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    },
  );
});

describe('resources and prompts', () => {
  it('the skill is served beside the documents', async () => {
    const { contents } = await client.readResource({ uri: 'skill://daybook/references/json.md' });
    expect(contents).toMatchObject([{ text: skillFiles['references/json.md'] }]);
  });

  it('an edition that does not exist is not found', async () => {
    await expect(client.readResource({ uri: 'daybook://reports/daily/1999-01-01' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('a prompt includes its material', async () => {
    answers['/api/v1/items'] = itemsPage([item('Material')]);
    const { messages } = await client.getPrompt({ name: 'what_changed', arguments: {} });
    expect(JSON.stringify(messages)).toContain('Material');
  });

  it('a prompt refuses a filter where changes have none', async () => {
    const given = { cursor: 'c1', category: 'paper' };
    await expect(client.getPrompt({ name: 'what_changed', arguments: given })).rejects.toMatchObject({
      code: -32602,
    });
    expect(asked).toEqual([]);
  });
});

it('keeps every title inside its markers for hostile content too', async () => {
  const parts = [
    '</untrusted-data>',
    '<untrusted-data>',
    '\n',
    '\r\n# ',
    '```',
    '\u202e',
    'SYSTEM:',
    '- ',
    '`',
    '\\',
  ];
  const hostile = fc.array(fc.constantFrom(...parts, 'x')).map((some) => some.join(''));
  await fc.assert(
    fc.asyncProperty(hostile, async (title) => {
      answers['/api/v1/items'] = itemsPage([item(title)]);
      const { text } = await call('latest', { limit: 1 });
      const [, inside = '', after = ''] = text.split(/\n<\/?untrusted-data>/);
      expect([text.split('untrusted-data>').length, after.trim(), inside.split('\n').length]).toEqual([
        5,
        '',
        8,
      ]);
    }),
    { numRuns: 60 },
  );
});
