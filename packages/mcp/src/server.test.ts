import type { Item } from '@daybook/client';
import { createClient } from '@daybook/client';
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

/** What the news API would answer, by path. */
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
  it('only read, and say so', async () => {
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.every(({ outputSchema }) => outputSchema?.['type'] === 'object')).toBe(true);
  });

  it('search asks for all items of a week, page by page', async () => {
    answers['/api/v1/items'] = itemsPage([item('A model')], 'next');
    const { data, text } = await call('search', { q: '模型', limit: 5, cursor: 'before' });
    expect(asked).toEqual([
      `/api/v1/items?cursor=before&limit=5&mode=all&q=${encodeURIComponent('模型')}&window=7d`,
    ]);
    expect(data).toEqual({ items: [item('A model')], nextCursor: 'next', mirroredAt: null });
    expect(text).toContain('Next page: cursor `next`.');
  });

  it.each([
    ['search', {}],
    ['search', { q: 'x' }],
    ['latest', { limit: 51 }],
    ['latest', { nobody: 'knows this' }],
    ['report', { kind: 'yearly' }],
    ['report', { kind: 'daily', period: '2026-W46' }],
    ['story', { id: '../../../etc/passwd?' }],
  ])('%s refuses %j and asks for nothing', async (name, given) => {
    expect(await call(name, given)).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });

  it('changes_since without a cursor gives one to begin with', async () => {
    answers['/api/v1/selected/snapshot'] = { cursor: 'c1', items: [] };
    expect((await call('changes_since')).data).toEqual({ cursor: 'c1', hasMore: false, changes: [] });
  });

  it('changes_since tells what to forget', async () => {
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

  it('answers latest and search without a request, and says when it was exact', async () => {
    mirror = mirrorOf(progress.exactAt);
    expect((await call('latest')).data).toMatchObject({
      items: [{ title: 'from the mirror' }],
      mirroredAt: '2026-11-15T11:59:59.000Z',
    });
    expect((await call('search', { q: 'words' })).text).toContain('found words');
    expect(asked).toEqual([]);
  });

  it('leaves to the server what it cannot answer', async () => {
    mirror = mirrorOf(progress.exactAt);
    answers['/api/v1/items'] = itemsPage([item('from the server')]);
    expect((await call('latest', { category: 'paper' })).text).toContain('from the server');
  });

  it('says so while it is not complete', async () => {
    mirror = mirrorOf(null);
    expect(await call('latest')).toMatchObject({
      isError: true,
      text: expect.stringContaining('daybook mirror'),
    });
  });
});

describe('resources and prompts', () => {
  it('complete a date from the reports there are', async () => {
    const reports = ['2026-11-15', '2026-11-14', '2026-10-31'].map((date) => ({ date, generatedAt: '' }));
    answers['/api/v1/dailies'] = { reports };
    const ref = { type: 'ref/resource' as const, uri: 'daybook://reports/daily/{date}' };
    const { completion } = await client.complete({ ref, argument: { name: 'date', value: '2026-11' } });
    expect(completion.values).toEqual(['2026-11-15', '2026-11-14']);
  });

  it('the skill is served beside the documents', async () => {
    const { contents } = await client.readResource({ uri: 'skill://daybook/references/json.md' });
    expect(contents).toMatchObject([{ text: skillFiles['references/json.md'] }]);
  });

  it('a report that does not exist is not found', async () => {
    await expect(client.readResource({ uri: 'daybook://reports/daily/1999-01-01' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('a prompt brings its material along', async () => {
    answers['/api/v1/items'] = itemsPage([item('Material')]);
    const { messages } = await client.getPrompt({ name: 'what_changed', arguments: {} });
    expect(JSON.stringify(messages)).toContain('Material');
  });
});

it('no title leaves its markers, whatever it holds', async () => {
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
