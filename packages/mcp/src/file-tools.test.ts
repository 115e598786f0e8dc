import { createClient } from '@daybook/client';
import { createStorageClient } from '@daybook/client/storage';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Stage } from '../test/news-stage.ts';
import { openStage } from '../test/news-stage.ts';
import { createNewsHandler } from './server.ts';

const end = { hasMore: false, nextCursor: null, prevCursor: null };
const more = { hasMore: true, nextCursor: 'next', prevCursor: null };
const file = {
  id: 'f1',
  projectId: 'p1',
  folderId: null,
  kind: 'file',
  name: 'plan <script> of May',
  size: 12,
  updatedAt: '2026-11-15T00:00:00.000000Z',
};

let answers: Record<string, unknown>;
let asked: { path: string; authorization: string | null }[];
let client: Client;
beforeEach(async () => {
  [answers, asked] = [{}, []];
  const fetch = async (address: string, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(address);
    asked.push({
      path: `${pathname}${search}`,
      authorization: new Headers(init?.headers).get('authorization'),
    });
    const body = answers[`${pathname}${search}`] ?? answers[pathname];
    const missing = { code: 'not_found', detail: 'Not found.', status: 404 };
    return Response.json(body ?? missing, { status: body === undefined ? 404 : 200 });
  };
  const baseUrl = 'http://files.example';
  const files = createStorageClient({ baseUrl, credential: { token: 'secret' }, world: { fetch } });
  const news = {
    client: createClient({ baseUrl, world: { fetch } }),
    mirror: null,
    nowMs: () => 0,
    files,
    ask: null,
  };
  const handler = createNewsHandler(() => news);
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const send = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, { ...init, body: null }), JSON.parse(init?.body as string));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://mcp.example/mcp'), { fetch: send }));
});
afterEach(() => client.close());

const call = async (name: string, given: Record<string, unknown> = {}) => {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content;
  return { text: first?.type === 'text' ? first.text : '', data: structuredContent, isError };
};

describe('the tools for files', () => {
  it('are absent from a server without an account', async () => {
    const stage: Stage = await openStage();
    const names = (await stage.client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('file'))).toEqual([]);
    expect(names).toHaveLength(11);
    await stage.client.close();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...names, 'files_list', 'files_search', 'file_text']);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it('list projects and folders with the credential of the account', async () => {
    answers['/api/v1/projects'] = {
      data: [{ id: 'p1', name: 'Notes', updatedAt: file.updatedAt }],
      pagination: end,
    };
    expect((await call('files_list')).data).toMatchObject({
      entries: [{ id: 'p1', kind: 'project', name: 'Notes' }],
      nextCursor: null,
    });
    answers['/api/v1/projects/p1/children'] = { data: [file], pagination: more };
    const { data, text } = await call('files_list', { project: 'p1', folder: 'd1', limit: 5 });
    expect(data).toMatchObject({ entries: [{ id: 'f1', kind: 'file', size: 12 }], nextCursor: 'next' });
    expect(asked.at(-1)).toEqual({
      path: '/api/v1/projects/p1/children?folderId=d1&limit=5&sort=name',
      authorization: 'Bearer secret',
    });
    expect(text).toMatch(/<untrusted-data>[^]*plan &lt;script&gt; of May/);
    expect(text).not.toContain('<script>');
  });

  it('search texts and names, and mark what others wrote as untrusted', async () => {
    answers['/api/v1/search'] = { data: [{ ...file, passages: ['a budget'] }], pagination: end };
    const { data } = await call('files_search', { q: 'budget', project: 'p1' });
    expect(data).toMatchObject({
      entries: [{ passages: ['a budget'] }],
      untrusted: ['entries.name', 'entries.passages'],
    });
    answers['/api/v1/projects'] = { data: [{ id: 'p1', name: 'Notes' }], pagination: end };
    answers['/api/v1/projects/p1/search'] = { data: [file], pagination: end };
    const names = await call('files_search', { q: 'plan', in: 'names' });
    expect(names.data).toMatchObject({ entries: [{ id: 'f1' }], nextCursor: null });
  });

  it('read a text in parts that do not cut a character', async () => {
    const text = `${'x'.repeat(19_999)}😀end`;
    answers['/api/v1/files/f1'] = file;
    answers['/api/v1/files/f1/text'] = { state: 'ready', text, truncated: false };
    const first = (await call('file_text', { id: 'f1' })).data as { text: string; nextFrom: number };
    expect([first.text.length, first.nextFrom]).toEqual([19_999, 19_999]);
    const second = await call('file_text', { id: 'f1', from: first.nextFrom });
    expect(second.data).toMatchObject({ text: '😀end', nextFrom: null, untrusted: ['name', 'text'] });
  });

  it('say why nothing can be read', async () => {
    answers['/api/v1/files/f1'] = file;
    answers['/api/v1/files/f1/text'] = { state: 'pending', text: null, truncated: false };
    expect(await call('file_text', { id: 'f1' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('not read this file yet'),
    });
    expect((await call('file_text', { id: 'unknown' })).text).toContain('not_found');
  });
});
