import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { sha256Bytes } from '../../foundation/hash.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const password = 'three plain words';
let made = 0;
const newLink = async (json: object = { password }, path?: string): Promise<Answer> => {
  const target = path ?? `files/${(await stage.newFile(project, `file ${(made += 1)}.txt`, 'the bytes')).id}`;
  return stage.send('POST', `/api/v1/${target}/links`, stage.owner, json);
};
const secretOf = (link: Answer): string => /shared\/(\w+)/.exec(String(link.json()['url']))?.[1] ?? '';
const open = (link: Answer, rest = '', query = ''): Promise<Answer> =>
  ask(stage.app.port, `/api/v1/shared/${secretOf(link)}${rest}${query}`, {});
const enter = (link: Answer, text: string): Promise<Answer> =>
  ask(stage.app.port, `/api/v1/shared/${secretOf(link)}/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: text }),
  });
const ticketOf = async (link: Answer): Promise<string> =>
  `?ticket=${encodeURIComponent(String((await enter(link, password)).json()['ticket']))}`;
const revoke = (link: Answer): Promise<Answer> =>
  stage.send('DELETE', `/api/v1/links/${String(link.json()['id'])}`, stage.owner);

describe('a link with a password', () => {
  test('says nothing about its content and sends none without a ticket', async () => {
    const link = await newLink();
    expect([link.status, link.json()['hasPassword']]).toEqual([201, true]);
    for (const answer of [
      await open(link),
      await open(link, '/content'),
      await open(link, '', '?ticket=x'),
    ]) {
      expectProblem(answer, 401, 'link_password_required');
      expect(answer.text).not.toMatch(/file \d|the bytes/);
    }
  });

  test('opens with the ticket for its password, and not with the ticket of another link', async () => {
    const [link, other] = [await newLink(), await newLink()];
    const ticket = await ticketOf(link);
    const details = await open(link, '', ticket);
    expect(details.json()).toMatchObject({ kind: 'file', size: 9, hasPassword: true });
    expect(details.headers['x-robots-tag']).toBe('noindex');
    expect((await open(link, '/content', ticket)).text).toBe('the bytes');
    for (const rest of ['', '/content'])
      expectProblem(await open(other, rest, ticket), 401, 'link_password_required');
  });

  test('opens a folder as an archive', async () => {
    const folder = (await stage.newFolder(project, 'shared folder')).id;
    await stage.newFile(project, 'inside.txt', 'in the folder', `folderId=${folder}`);
    const link = await newLink({ password }, `folders/${folder}`);
    expectProblem(await open(link, '/archive'), 401, 'link_password_required');
    const ticket = await ticketOf(link);
    const archive = await open(link, '/archive', ticket);
    expect(archive.text).toContain('in the folder');
    expect((await open(link, '', ticket)).json()).toMatchObject({
      kind: 'folder',
      name: 'shared folder',
      size: Number(archive.headers['content-length']),
    });
  });

  test('401 for a wrong password, and 429 after twenty attempts, also for the right one', async () => {
    const link = await newLink();
    for (let attempt = 0; attempt < 20; attempt += 1)
      expectProblem(await enter(link, 'wrong password'), 401, 'wrong_link_password');
    const limited = await enter(link, password);
    expectProblem(limited, 429, 'rate_limited');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await enter(await newLink(), password)).status).toBe(200);
  });

  test('404 with its ticket once it is revoked, as for an unknown link', async () => {
    const link = await newLink();
    const ticket = await ticketOf(link);
    expect((await revoke(link)).status).toBe(204);
    for (const rest of ['', '/content']) expectProblem(await open(link, rest, ticket), 404, 'not_found');
    expectProblem(await enter(link, password), 404, 'not_found');
  });

  test('stores the password as a hash, and its secret under a hash that earlier releases do not look up', async () => {
    const link = await newLink();
    const [row] = await stage.database.asSuperuser(
      'SELECT password_hash, secret_hash FROM storage.link WHERE id = $1',
      [link.json()['id']],
    );
    expect(String(row?.['password_hash'])).toMatch(/^\$argon2id\$/);
    expect(row?.['secret_hash']).not.toEqual(sha256Bytes(secretOf(link)));
  });

  test('400: for a password of fewer than eight characters', async () => {
    expectProblem(await newLink({ password: 'short' }), 400, 'invalid_request');
  });
});

describe('a link without a password', () => {
  test('describes its content without a ticket, which is no download', async () => {
    const link = await newLink({});
    const details = await open(link);
    expect(details.json()).toEqual({
      kind: 'file',
      name: link.json()['name'],
      size: 9,
      scanState: 'unscanned',
      sharedBy: stage.acme.owner.username,
      expiresAt: link.json()['expiresAt'],
      hasPassword: false,
    });
    expect(details.headers['cache-control']).toBe('no-store');
    const [row] = await stage.database.asSuperuser('SELECT opened_count FROM storage.link WHERE id = $1', [
      link.json()['id'],
    ]);
    expect(row).toEqual({ opened_count: 0 });
  });

  test('409: needs no ticket', async () => {
    expectProblem(await enter(await newLink({}), password), 409, 'conflict');
  });
});

test('404: the page and the ticket of an unknown link', async () => {
  const unknown = `/api/v1/shared/${'0'.repeat(64)}`;
  expectProblem(await ask(stage.app.port, unknown, {}), 404, 'not_found');
});

// Last: the access token of the owner has expired by then.
test('a link asks for its password again after 12 hours', async () => {
  const link = await newLink();
  const ticket = await ticketOf(link);
  stage.clock.advance({ hours: 12 });
  expectProblem(await open(link, '/content', ticket), 401, 'link_password_required');
});
