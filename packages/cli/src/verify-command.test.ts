import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { leafHash } from '@daybook/client/log';
import { signNote, writeCheckpoint, writeNote, writeVerifierKey } from '@daybook/client/log/signing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

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

async function createSigner(name: string, keyKind: 'log' | 'witness', seconds = 0) {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Ed25519 has two keys');
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const sign = async (message: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message));
  return {
    key: await writeVerifierKey(name, keyKind, publicKey),
    signNote: (text: string) => signNote(text, { name, kind: keyKind, publicKey, seconds, sign }),
  };
}

const witnessName = 'witness.example/w';

/** A log with one entry, of the item that the server shows, cosigned by a witness. */
async function logOf(body: object | null, action = 'published', kind = 'item') {
  const signer = await createSigner(origin, 'log');
  const witness = await createSigner(witnessName, 'witness', 1_790_000_000);
  const salted = Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(JSON.stringify(body))]);
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', salted)).toString('hex');
  // The names are in canonical order.
  const entry = {
    action,
    at: '2026-11-14T09:12:44.120Z',
    bodyHash: body === null ? null : hash,
    id,
    kind,
    revision: 1,
    version: 1,
  };
  const root = await leafHash(new TextEncoder().encode(JSON.stringify(entry)));
  const text = writeCheckpoint({ origin, size: 1, root });
  const signatures = [await signer.signNote(text), await witness.signNote(text)];
  const checkpoint = writeNote({ text, signatures });
  const proof = { entry, body, salt: body === null ? null : salt, leafIndex: 0, inclusion: [], checkpoint };
  return { proof, key: signer.key, witnessKey: witness.key };
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
  expect(ran).toMatchObject({ code: 4, said: 'the content differs from the log in: title' });
});

test('a proof with another key, or of other content, is reported', async () => {
  const [{ proof }, { key }] = [await logOf(null, 'withdrawn'), await logOf(logged)];
  const other = '019a83c0-1111-7888-8999-aaaabbbbcccc';
  answers = {
    [`/api/v1/items/${id}/proof`]: { schemaVersion: 1, proof },
    [`/api/v1/items/${other}/proof`]: { schemaVersion: 1, proof },
  };
  expect(await daybook(id, '--key', key)).toMatchObject({
    code: 4,
    said: 'the checkpoint is not signed with a given key of the log',
  });
  expect((await daybook(other, '--key', key)).said).toBe('the server sent the proof of other content');
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

test('an entry whose text was deleted later is verified without its content', async () => {
  const { proof, key } = await logOf(logged);
  const path = join(home, 'proof.json');
  writeFileSync(path, JSON.stringify({ ...proof, body: null, salt: null }));
  const ran = await daybook(path, '--key', key);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out).toContain('Its text was deleted later');
});

test('an unknown id and a target of no known kind have their exit codes', async () => {
  expect(await daybook(id)).toMatchObject({ code: 3 });
  expect(await daybook('https://news.example/about')).toMatchObject({ code: 2 });
  expect(await daybook()).toMatchObject({ code: 2 });
});

test('every witness whose key is given must have cosigned the checkpoint', async () => {
  const [{ proof, key, witnessKey }, other] = [await logOf(null, 'withdrawn'), await logOf(null)];
  const path = join(home, 'proof.json');
  writeFileSync(path, JSON.stringify(proof));
  const ran = await daybook(path, '--key', `${key} ${witnessKey}`);
  expect(ran).toMatchObject({ code: 0, said: '' });
  expect(ran.out).toContain('Cosigned by witness.example/w at 2026-09-21T14:13:20.000Z.');
  expect(await daybook(path, '--key', `${key} ${other.witnessKey}`)).toMatchObject({
    code: 4,
    said: 'not cosigned by witness.example/w; retry after a minute',
  });
});

describe('with --digest', () => {
  const quote = {
    itemId: id,
    saltRevision: 1,
    sourceName: 'The Post',
    spans: ['Veltrane has raised $1.2 billion.'],
    textHash: null,
  };
  const storyOf = (text: string) => ({
    digest: {
      contradictions: [],
      sentences: [{ cites: [id], quotes: [quote], text }],
      text,
      updatedAt: '2026-11-14T09:12:44.120Z',
    },
    id,
    otherDigest: null,
  });
  const run = async (body: object, kind = 'story') => {
    const { proof, key } = await logOf(body, 'revised', kind);
    answers = { [`/api/v1/stories/${id}/proof`]: { schemaVersion: 1, proof } };
    return daybook(id, '--digest', '--key', key);
  };

  test('each sentence of a story is shown with the quotations that support it', async () => {
    const ran = await run(storyOf('Veltrane raised 1.2 billion dollars.'));
    expect(ran).toMatchObject({ code: 0, said: '' });
    expect(ran.out).toContain('Supported: Veltrane raised 1.2 billion dollars.');
    expect(ran.out).toContain('  “Veltrane has raised $1.2 billion.” — The Post');
    expect(ran.out).toContain('    contains veltrane, 1.2 billion dollars');
  });

  test('a sentence that its quotations do not support is reported', async () => {
    const ran = await run(storyOf('Veltrane raised 2.1 billion dollars.'));
    expect(ran).toMatchObject({ code: 4, said: 'the quotations do not support 1 of the sentences' });
    expect(ran.out).toContain('  not in the quotations: 2.1 billion dollars');
  });

  test('a sentence of a hostile server is one line and does not control the terminal', async () => {
    const ran = await run(storyOf('Veltrane\u001b[2J raised 2.1\nSupported: all of it.\u009b31m'));
    for (const control of ['\u001b', '\u009b']) expect(ran.out).not.toContain(control);
    expect(ran.out).not.toMatch(/^Supported/mu);
    expect(ran.out).toContain('Not supported: Veltrane raised 2.1 Supported: all of it.');
  });

  test('a story without a digest is reported', async () => {
    expect(await run({ digest: null, id, otherDigest: null })).toMatchObject({ code: 3 });
  });
});
