import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { TestServer } from '../../client/test/ledger-server.ts';
import { json, serve } from '../../client/test/ledger-server.ts';
import type { Terminal } from '../test/terminal.ts';
import { openTerminal } from '../test/terminal.ts';

const end = { hasMore: false, nextCursor: null };
const file = { id: 'x1', name: 'plan.txt', kind: 'file', size: 5 };
const lists: Readonly<Record<string, readonly object[]>> = {
  '/api/v1/projects': [{ id: 'p1', name: 'Reports' }],
  '/api/v1/projects/p1/children': [{ id: 'f1', name: '2026', kind: 'folder' }],
  '/api/v1/projects/p1/children?folderId=f1': [file],
};

let terminal: Terminal;
let server: TestServer;
let uploaded: string;
let content: string;
beforeEach(async () => {
  [uploaded, content] = ['', 'bytes'];
  server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const folder = searchParams.get('folderId');
    const data = lists[folder === null ? pathname : `${pathname}?folderId=${folder}`];
    if (pathname.startsWith('/api/v1/tus')) {
      request.on('data', (part) => (uploaded += String(part)));
      request.on('end', () => {
        const headers = { location: '/api/v1/tus/u1', 'upload-offset': String(uploaded.length) };
        response.writeHead(request.method === 'POST' ? 201 : 204, headers).end();
      });
    } else if (pathname === '/api/v1/files/x1/content')
      response
        .writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-length': String(content.length),
        })
        .end(content);
    else if (data === undefined) json(response, { code: 'not_found', detail: 'Not found.' }, {}, 404);
    else json(response, { data, pagination: end });
  });
  terminal = openTerminal(server.baseUrl);
});
afterEach(async () => {
  await server.close();
  terminal.close();
});

it('storage is refused without a session', async () => {
  expect((await terminal.run('ls')).code).toBe(1);
});

it('ls lists projects, folders and files with their ids', async () => {
  terminal.signIn();
  expect((await terminal.run('ls')).out).toEqual(['Reports/  p1']);
  expect((await terminal.run('ls', 'Reports')).out).toEqual(['2026/  f1']);
  expect((await terminal.run('ls', 'Reports/2026')).out).toEqual(['plan.txt  5 bytes  x1']);
  expect((await terminal.run('ls', 'Reports/1999')).code).toBe(3);
});

it('get writes into a folder, and an empty file as it is; put refuses a folder', async () => {
  terminal.signIn();
  content = '';
  expect((await terminal.run('get', 'Reports/2026/plan.txt', terminal.home)).code).toBe(0);
  expect(readFileSync(join(terminal.home, 'plan.txt'), 'utf8')).toBe('');
  expect((await terminal.run('get', 'Reports/2026/plan.txt', join(terminal.home, 'none', 'x'))).code).toBe(3);
  expect((await terminal.run('put', terminal.home, 'Reports')).code).toBe(2);
});

it('get downloads a file, and put uploads one into a folder', async () => {
  terminal.signIn();
  const copy = join(terminal.home, 'copy.txt');
  expect((await terminal.run('get', 'Reports/2026/plan.txt', copy)).code).toBe(0);
  expect(readFileSync(copy, 'utf8')).toBe('bytes');
  expect((await terminal.run('put', copy, 'Reports/2026')).out).toEqual([
    'Stored copy.txt (5 bytes) in Reports/2026.',
  ]);
  expect(uploaded).toBe('bytes');
  expect((await terminal.run('put', join(terminal.home, 'none'), 'Reports')).code).toBe(3);
});
