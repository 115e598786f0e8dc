import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { leafHash } from '@daybook/client/log';
import { signNote, writeCheckpoint, writeNote, writeVerifierKey } from '@daybook/client/log/signing';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestServer } from '../../client/test/ledger-server.ts';
import { item, serve } from '../../client/test/ledger-server.ts';
import { runDaybook } from './program.ts';

const id = '019a83c0-7777-7888-8999-aaaabbbbcccc';
const origin = 'news.example/log';
const salt = 'ab'.repeat(32);

let home: string;
let server: TestServer;
let answers: Record<string, unknown>;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'daybook-verify-'));
  answers = {};
  server = await serve((request, response) => {
    const body = answers[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    const missing = { code: 'not_found', detail: 'No such entry', status: 404 };
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? missing));
  });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function daybook(...args: readonly string[]) {
  const [out, said]: [string[], string[]] = [[], []];
  const code = await runDaybook(['verify', ...args], {
    env: { DAYBOOK_URL: server.baseUrl },
    home,
    nowMs: Date.now,
    print: (line) => out.push(line),
    say: (line) => said.push(line),
    page: (lines) => out.push(...lines),
    openBrowser: () => Promise.resolve(false),
    screen: { columns: 80, isTerminal: false },
    fetch,
  });
  return { code, out: out.join('\n'), said: said.join('\n') };
}

/** A log with one entry, of the item that the server shows. */
async function logOf(body: object | null, action = 'published') {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Ed25519 has two keys');
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const salted = Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(JSON.stringify(body))]);
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', salted)).toString('hex');
  // The names are in canonical order.
  const entry = {
    action,
    at: '2026-11-14T09:12:44.120Z',
    bodyHash: body === null ? null : hash,
    id,
    kind: 'item',
    revision: 1,
    version: 1,
  };
  const root = await leafHash(new TextEncoder().encode(JSON.stringify(entry)));
  const text = writeCheckpoint({ origin, size: 1, root });
  const signature = await signNote(text, {
    name: origin,
    kind: 'log',
    publicKey,
    seconds: 0,
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message)),
  });
  const checkpoint = writeNote({ text, signatures: [signature] });
  const proof = { entry, body, salt: body === null ? null : salt, leafIndex: 0, inclusion: [], checkpoint };
  return { proof, key: await writeVerifierKey(origin, 'log', publicKey) };
}

const shown = { ...item(id, 'A title'), id };
const logged = { id, title: 'A title' };

test('an item is verified by its id and by its address', async () => {
  const { proof, key } = await logOf(logged);
  answers = {
    [`/api/v1/items/${id}/proof`]: { schemaVersion: 1, proof },
    [`/api/v1/items/${id}`]: { schemaVersion: 1, item: shown },
    '/log/keys': `${key}\n`,
  };
  const byId = await daybook(id);
  expect(byId).toMatchObject({ code: 0 });
  expect(byId.out).toContain(`Verified: item ${id}, published at 2026-11-14T09:12:44.120Z (revision 1).`);
  expect(byId.out).toContain('Entry 0 of news.example/log, in a signed checkpoint of 1 entries.');
  expect(byId.said).toContain('/log/keys');
  const byAddress = await daybook(`${server.baseUrl}/zh/items/${id}`, '--key', key, '--json');
  expect(JSON.parse(byAddress.out)).toMatchObject({ verified: true, leafIndex: 0, origin, treeSize: 1 });
  expect(byAddress.said).toBe('');
});

test('an item that the server shows with another title is reported', async () => {
  const { proof, key } = await logOf({ id, title: 'Another title' });
  answers = {
    [`/api/v1/items/${id}/proof`]: { schemaVersion: 1, proof },
    [`/api/v1/items/${id}`]: { schemaVersion: 1, item: shown },
  };
  const ran = await daybook(id, '--key', key);
  expect(ran).toMatchObject({ code: 4, said: 'the log proves other content of: title' });
});

test('a proof of another key, or of something else, is reported', async () => {
  const [{ proof }, { key }] = [await logOf(null, 'withdrawn'), await logOf(logged)];
  const other = '019a83c0-1111-7888-8999-aaaabbbbcccc';
  answers = {
    [`/api/v1/items/${id}/proof`]: { schemaVersion: 1, proof },
    [`/api/v1/items/${other}/proof`]: { schemaVersion: 1, proof },
  };
  expect(await daybook(id, '--key', key)).toMatchObject({
    code: 4,
    said: 'no given key of the log signed the checkpoint',
  });
  expect((await daybook(other, '--key', key)).said).toBe('the server sent the proof of something else');
});

test('a saved proof and a withdrawal are verified without the server', async () => {
  const { proof, key } = await logOf(null, 'withdrawn');
  const path = join(home, 'proof.json');
  writeFileSync(path, JSON.stringify({ schemaVersion: 1, proof }));
  await server.close();
  const ran = await daybook(path, '--key', key);
  expect(ran).toMatchObject({ code: 0, said: '' });
  expect(ran.out).toContain('withdrawn at');
  writeFileSync(path, JSON.stringify({ ...proof, body: { title: 'invented' } }));
  expect(await daybook(path, '--key', key)).toMatchObject({ code: 4 });
  server = await serve((_, response) => response.end());
});

test('an entry whose words were erased since is verified without its content', async () => {
  const { proof, key } = await logOf(logged);
  const path = join(home, 'proof.json');
  writeFileSync(path, JSON.stringify({ ...proof, body: null, salt: null }));
  const ran = await daybook(path, '--key', key);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out).toContain('Its words were erased since');
});

test('an unknown id and a target of no known kind have their exit codes', async () => {
  expect(await daybook(id)).toMatchObject({ code: 3 });
  expect(await daybook('https://news.example/about')).toMatchObject({ code: 2 });
  expect(await daybook()).toMatchObject({ code: 2 });
});
