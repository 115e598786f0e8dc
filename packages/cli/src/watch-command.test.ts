import { afterEach, beforeEach, expect, it } from 'vitest';

import type { TestServer } from '../../client/test/ledger-server.ts';
import { json, serve } from '../../client/test/ledger-server.ts';
import type { Terminal } from '../test/terminal.ts';
import { openTerminal } from '../test/terminal.ts';

const noFilters = { without: null, mode: 'all', source: null, hiddenSources: [], hiddenCategories: [] };
const chips = {
  id: 's1',
  name: 'Chips',
  query: { ...noFilters, q: 'gpu \u001B[2Jprices', category: 'industry', language: 'en', minSources: 2 },
  mail: 'daily',
};
const models = {
  id: 's2',
  name: '模型',
  query: { ...noFilters, q: '模型', category: null, language: null, minSources: 1 },
  mail: 'never',
};

let server: TestServer;
let terminal: Terminal;
let changes: { method: string; path: string; body: unknown }[];
beforeEach(async () => {
  changes = [];
  server = await serve((request, response) => {
    const { pathname: path } = new URL(request.url ?? '', 'http://x');
    const method = request.method ?? '';
    if (path === '/api/v1/sources')
      json(response, {
        sources: [{ id: 'source-1', name: 'Model Gazette' }],
        page: { count: 1, hasMore: false, nextCursor: null },
      });
    else if (method === 'GET')
      json(response, { data: [chips, models], pagination: { hasMore: false, nextCursor: null } });
    else {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        changes.push({ method, path, body: body === '' ? null : (JSON.parse(body) as unknown) });
        if (method === 'DELETE') response.writeHead(204).end();
        else json(response, models, {}, 201);
      });
    }
  });
  terminal = openTerminal(server.baseUrl);
  terminal.signIn();
});
afterEach(async () => {
  await server.close();
  terminal.close();
});

it('watch lists searches with their filters and ids, and removes control characters', async () => {
  const lines = ['Chips  gpu prices  industry  en  2 sources  daily mail  s1', '模型  s2'];
  expect((await terminal.run('watch')).out).toEqual(lines);
  expect((await terminal.run('watch', 'list')).out).toEqual(lines);
  expect(JSON.parse((await terminal.run('watch', 'list', '--json')).out.join(''))).toEqual({
    data: [chips, models],
  });
});

it('watch add saves words and filters, with the id of a named source', async () => {
  const filters = [
    '--without',
    '招聘',
    '--source',
    'model gazette',
    '--min-sources',
    '3',
    '--language',
    'zh',
  ];
  const { code, out } = await terminal.run('watch', 'add', '模型', '开源', ...filters, '--mail', 'hourly');
  expect([code, out]).toEqual([0, ['Saved 模型  s2']]);
  const query = { q: '模型 开源', without: '招聘', source: 'source-1', language: 'zh', minSources: 3 };
  expect(changes).toEqual([
    { method: 'POST', path: '/api/v1/saved-searches', body: { query, mail: 'hourly' } },
  ]);
});

it('watch remove deletes a search by name or id', async () => {
  expect((await terminal.run('watch', 'remove', 'Chips')).code).toBe(0);
  expect((await terminal.run('watch', 'remove', 's2')).out).toEqual(['Deleted 模型  s2']);
  expect(changes.map(({ method, path }) => [method, path])).toEqual([
    ['DELETE', '/api/v1/saved-searches/s1'],
    ['DELETE', '/api/v1/saved-searches/s2'],
  ]);
});

it('watch refuses a search without words or filters, unknown names, actions and values', async () => {
  const codes = [];
  for (const args of [
    ['add'],
    ['add', 'x', '--mail', 'weekly'],
    ['add', 'x', '--min-sources', 'two'],
    ['add', 'x', '--source', 'No Such Source'],
    ['remove'],
    ['remove', 'none'],
    ['show'],
  ])
    codes.push((await terminal.run('watch', ...args)).code);
  expect([codes, changes]).toEqual([[2, 2, 2, 3, 2, 3, 2], []]);
});
