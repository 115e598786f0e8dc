import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { TestServer } from '../../client/test/ledger-server.ts';
import { json, serve } from '../../client/test/ledger-server.ts';
import { runDaybook } from './program.ts';

const end = { hasMore: false, nextCursor: null };
const file = { id: 'x1', name: 'plan.txt', kind: 'file', size: 5 };
const lists: Readonly<Record<string, readonly object[]>> = {
  '/api/v1/projects': [{ id: 'p1', name: 'Reports' }],
  '/api/v1/projects/p1/children': [{ id: 'f1', name: '2026', kind: 'folder' }],
  '/api/v1/projects/p1/children?folderId=f1': [file],
};

let home: string;
let server: TestServer;
let uploaded: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'daybook-cli-'));
  uploaded = '';
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
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes');
    else if (data === undefined) json(response, { code: 'not_found', detail: 'Not found.' }, {}, 404);
    else json(response, { data, pagination: end });
  });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

/** The file that `daybook login` writes. */
function signIn(): void {
  const folder = join(home, '.config/daybook');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const session = {
    accessToken: 'token-1',
    refreshToken: 'r',
    issuedAtMs: Date.now(),
    lifetimeSeconds: 3600,
    email: 'a@b.example',
  };
  const content = { version: 1, servers: { [server.baseUrl]: session } };
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(content), { mode: 0o600 });
}

async function daybook(...args: readonly string[]): Promise<{ code: number; out: readonly string[] }> {
  const out: string[] = [];
  const code = await runDaybook(args, {
    env: { DAYBOOK_URL: server.baseUrl },
    home,
    nowMs: Date.now,
    print: (line) => out.push(line),
    say: () => undefined,
    page: (lines) => out.push(...lines),
    openBrowser: () => Promise.resolve(false),
    screen: { columns: 80, isTerminal: false },
    fetch,
  });
  return { code, out };
}

it('storage is refused without a session', async () => {
  expect((await daybook('ls')).code).toBe(1);
});

it('ls lists projects, folders and files with their ids', async () => {
  signIn();
  expect((await daybook('ls')).out).toEqual(['Reports/  p1']);
  expect((await daybook('ls', 'Reports')).out).toEqual(['2026/  f1']);
  expect((await daybook('ls', 'Reports/2026')).out).toEqual(['plan.txt  5 bytes  x1']);
  expect((await daybook('ls', 'Reports/1999')).code).toBe(3);
});

it('get downloads a file, and put uploads one into a folder', async () => {
  signIn();
  const copy = join(home, 'copy.txt');
  expect((await daybook('get', 'Reports/2026/plan.txt', copy)).code).toBe(0);
  expect(readFileSync(copy, 'utf8')).toBe('bytes');
  expect((await daybook('put', copy, 'Reports/2026')).out).toEqual([
    'Stored copy.txt (5 bytes) in Reports/2026.',
  ]);
  expect(uploaded).toBe('bytes');
  expect((await daybook('put', join(home, 'none'), 'Reports')).code).toBe(3);
});
