import { createClient } from '@daybook/client';
import type { Item } from '@daybook/client/types';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { McpNews, MirrorReads } from '../src/news.ts';
import type { NewsMcpHandler } from '../src/server.ts';
import { createNewsHandler } from '../src/server.ts';

export const nowMs = Date.parse('2026-11-15T12:00:00.000Z');

export const item = (title: string): Item => ({
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

/** The fields of an item in a list. */
export const compact = (title: string) => ({
  id: '01939c5e-0000-7000-8000-000000000001',
  title,
  summary: '摘要',
  category: 'tip',
  source: { name: 'Gazette' },
  links: { original: 'https://gazette.example/a b?<c>' },
  discoveredAt: '2026-11-15T00:00:00Z',
});

export const itemsPage = (items: readonly Item[], nextCursor: string | null = null): unknown => ({
  items,
  page: { nextCursor },
});

/** A client of the tools, and the news API that they read. */
export interface Stage {
  /** The responses of the news API, by path, or by path and query. */
  answers: Record<string, unknown>;
  asked: string[];
  mirror: MirrorReads | null;
  ask: McpNews['ask'];
  readonly client: Client;
  readonly handler: NewsMcpHandler;
  readonly call: (
    name: string,
    given?: Record<string, unknown>,
  ) => Promise<{ text: string; data: unknown; isError: boolean }>;
}

let current: Stage;
/** Made once, because it compiles all schemas. */
const handler = createNewsHandler(() => newsOf(current));

export async function openStage(): Promise<Stage> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  current = {
    answers: {},
    asked: [],
    mirror: null,
    ask: null,
    client,
    handler,
    call: async (name, given = {}) => {
      const {
        content,
        structuredContent,
        isError = false,
      } = await client.callTool({ name, arguments: given });
      const [first] = content;
      return { text: first?.type === 'text' ? first.text : '', data: structuredContent, isError };
    },
  };
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, { ...init, body: null }), JSON.parse(init?.body as string));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://mcp.example/mcp'), { fetch }));
  return current;
}

function newsOf(stage: Stage): McpNews {
  const fetch = (url: string): Promise<Response> => {
    const { pathname, search } = new URL(url);
    stage.asked.push(`${pathname}${search}`);
    const body = stage.answers[`${pathname}${search}`] ?? stage.answers[pathname];
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, s-maxage=60' };
    const missing = { code: 'not_found', detail: 'There is no such thing', status: 404 };
    return Promise.resolve(
      new Response(JSON.stringify(body ?? missing), { status: body === undefined ? 404 : 200, headers }),
    );
  };
  const world = { fetch, now: () => nowMs };
  const client = createClient({ baseUrl: 'http://news.example', world });
  return { client, mirror: stage.mirror, ask: stage.ask, nowMs: () => nowMs };
}
