import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { createCheckedSecret } from '../../foundation/checked-secret.ts';
import { removeEndedLinks } from './change-links.ts';

let stage: TestStorage;
let project: string;
/** May create links, without being an owner. */
let member: TestMember;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
  member = await stage.acme.addMember('member');
});
afterAll(() => stage.stop());

type Headers = TestMember['headers'];
const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
let named = 0;
const newFile = (bytes = 'shared') => stage.newFile(project, `file ${(named += 1)}`, bytes);
const create = (path: string, headers: Headers = member.headers, json: object = {}): Promise<Answer> =>
  send('POST', `/api/v1/${path}/links`, headers, json);
const pathOf = (link: Answer): string => new URL(String(link.json()['url'])).pathname;
const open = (link: Answer, headers: Headers = {}): Promise<Answer> =>
  ask(stage.app.port, pathOf(link), { headers });
const setRole = async (who: TestMember, role: string): Promise<void> => {
  const path = `/dm/api/core/rbac/members/${who.username}?platform_key=${stage.acme.key}`;
  expect((await send('PATCH', path, stage.owner, { role })).status).toBe(200);
  stage.age();
};
const rowsOf = (link: Answer) =>
  stage.database.asSuperuser('SELECT * FROM storage.link WHERE id = $1', [link.json()['id']]);

describe('POST /api/v1/files/{id}/links and /api/v1/folders/{id}/links', () => {
  test('201: returns a URL for seven days, only this once, and stores its hash', async () => {
    const { id, name } = await newFile();
    const link = await create(`files/${id}`);
    expect([link.status, link.headers['cache-control']]).toEqual([201, 'no-store']);
    const { url, pageUrl, ...shown } = link.json();
    expect(shown).toMatchObject({ entryId: id, kind: 'file', name, createdBy: member.username });
    expect(shown).toMatchObject({ projectId: project, openedCount: 0, lastOpenedAt: null });
    const lifeMs = Date.parse(String(shown['expiresAt'])) - Date.parse(String(shown['createdAt']));
    expect(lifeMs).toBe(7 * 86_400_000);
    const secret = /\/api\/v1\/shared\/([0-9a-f]{64})\/content$/.exec(String(url))?.[1] ?? 'none';
    expect(new URL(String(pageUrl)).pathname).toBe(`/shared/${secret}`);
    const listed = await send('GET', `/api/v1/files/${id}/links`, member.headers);
    expect(listed.json()['data']).toEqual([shown]);
    expect(JSON.stringify(await rowsOf(link))).not.toContain(secret);
  });

  test('201: accepts an expiry of up to 90 days', async () => {
    const { id } = await newFile();
    const expiresAt = new Date(stage.clock.nowMs() + 90 * 86_400_000).toISOString();
    const link = await create(`files/${id}`, member.headers, { expiresAt });
    expect(link.json()['expiresAt']).toBe(expiresAt.replace('Z', '000Z'));
  });

  test('400: for an expiry that is past, too late, or invalid', async () => {
    const { id } = await newFile();
    const now = stage.clock.nowMs();
    for (const expiresAt of [
      new Date(now).toISOString(),
      new Date(now + 90 * 86_400_000 + 1).toISOString(),
      '2026-13-01T00:00:00Z',
      'tomorrow',
    ])
      expectProblem(await create(`files/${id}`, member.headers, { expiresAt }), 400, 'invalid_request');
  });

  test('401 without a credential', async () => {
    expectProblem(await create(`files/${nowhere}`, {}), 401, 'unauthenticated');
  });

  test('403 with permission to read but not to share', async () => {
    const { id } = await newFile();
    expectProblem(await create(`files/${id}`, stage.viewer.headers), 403, 'forbidden');
  });

  test('404: for non-members, guests, the other kind and trashed entries', async () => {
    const { id } = await newFile();
    const guest = await stage.acme.addMember('guest');
    for (const headers of [stage.stranger, guest.headers])
      expectProblem(await create(`files/${id}`, headers), 404, 'not_found');
    expectProblem(await create(`folders/${id}`), 404, 'not_found');
    await send('DELETE', `/api/v1/files/${id}`, stage.owner);
    expectProblem(await create(`files/${id}`), 404, 'not_found');
  });

  test('409: allows a hundred at a time, also for concurrent requests', async () => {
    const { id } = await newFile();
    await stage.database.asSuperuser(
      `INSERT INTO storage.link (id, project_id, entry_id, secret_hash, created_by, created_at, expires_at)
       SELECT gen_random_uuid(), project_id, id, sha256(convert_to(id::text || number, 'UTF8')), created_by,
         '2026-01-01', '2100-01-01' FROM storage.entry, generate_series(1, 98) AS number WHERE id = $1`,
      [id],
    );
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(`files/${id}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 201, 409, 409, 409]);
  });

  test('413 and 415: for a body that is too large, or of another type', async () => {
    const { id } = await newFile();
    const large = await create(`files/${id}`, member.headers, { expiresAt: 'x'.repeat(70_000) });
    expectProblem(large, 413, 'payload_too_large');
    const headers = { ...member.headers, 'content-type': 'text/csv' };
    const csv = await ask(stage.app.port, `/api/v1/files/${id}/links`, {
      method: 'POST',
      headers,
      body: 'a',
    });
    expectProblem(csv, 415, 'unsupported_media_type');
  });
});

describe('GET …/links', () => {
  test('200: lists the links of a folder, and of a whole project, with cursors', async () => {
    const { id: own } = await stage.newProject();
    const folder = await stage.newFolder(own, 'folder');
    const file = await stage.newFile(own, 'file', 'x');
    const first = await create(`folders/${folder.id}`);
    stage.clock.advance({ seconds: 1 });
    const ids = [first, await create(`files/${file.id}`)].map((link) => link.json()['id']);
    const idsOf = (answer: Answer) => (answer.json()['data'] as { id: string }[]).map(({ id }) => id);
    expect(idsOf(await send('GET', `/api/v1/folders/${folder.id}/links`, stage.owner))).toEqual([ids[0]]);
    const path = `/api/v1/projects/${own}/links?limit=1`;
    const newest = await send('GET', path, stage.viewer.headers);
    expect([idsOf(newest), newest.json()['pagination']]).toMatchObject([[ids[1]], { hasMore: true }]);
    const { nextCursor } = newest.json()['pagination'] as { nextCursor: string };
    expect(idsOf(await send('GET', `${path}&cursor=${nextCursor}`, stage.owner))).toEqual([ids[0]]);
    expectProblem(await send('GET', `${path}&cursor=x`, stage.owner), 400, 'invalid_cursor');
  });

  test('403 and 404: without permission for links, and without permission to read the entry', async () => {
    const { id } = await newFile();
    const guest = await stage.acme.addMember('guest');
    const paths = [`/api/v1/files/${id}/links`, `/api/v1/projects/${project}/links`];
    for (const path of paths) {
      expectProblem(await send('GET', path, guest.headers), 404, 'not_found');
      expectProblem(await send('GET', path, stage.stranger), 404, 'not_found');
    }
    await givePolicy(guest, ['Daybook.Storage/Projects/read', 'Daybook.Storage/Files/read']);
    for (const path of paths) expectProblem(await send('GET', path, guest.headers), 403, 'forbidden');
    // The links of a project are listed completely or not at all.
    await givePolicy(guest, ['Daybook.Storage/Shares/read'], [`/projects/${project}`]);
    expectProblem(await send('GET', paths[1] ?? '', guest.headers), 403, 'forbidden');
  });
});

let policies = 0;
async function givePolicy(
  who: TestMember,
  actions: readonly string[],
  paths: readonly string[] = [`/projects/${project}`, `/projects/${project}/**`],
): Promise<void> {
  const { key } = stage.acme;
  const name = `policy ${(policies += 1)}`;
  const resources = paths.map((path) => `/organizations/${key}${path}`);
  const rbac = '/dm/api/core/rbac';
  const policy = { platform_key: key, name, actions, resources };
  const { id } = (await send('POST', `${rbac}/policies/`, stage.owner, policy)).json();
  const group = { platform_key: key, name, users_to_add: [who.username], policies_to_add: [id] };
  expect((await send('POST', `${rbac}/groups/`, stage.owner, group)).status).toBe(201);
  stage.age();
}

describe('DELETE /api/v1/links/{link}', () => {
  const revoke = (id: unknown, headers: Headers = member.headers) =>
    send('DELETE', `/api/v1/links/${String(id)}`, headers);

  test('204: ends the link at once', async () => {
    const link = await create(`files/${(await newFile()).id}`);
    expect((await open(link)).status).toBe(200);
    expect((await revoke(link.json()['id'], stage.owner)).status).toBe(204);
    expectProblem(await open(link), 404, 'not_found');
    expectProblem(await revoke(link.json()['id']), 404, 'not_found');
  });

  test('401, 403, 404: without a credential, with read permission only, for non-members and unknown ids', async () => {
    const link = await create(`files/${(await newFile()).id}`);
    const { id } = link.json();
    expectProblem(await revoke(id, {}), 401, 'unauthenticated');
    expectProblem(await revoke(id, stage.viewer.headers), 403, 'forbidden');
    expectProblem(await revoke(id, stage.stranger), 404, 'not_found');
    for (const unknown of [nowhere, 'x']) expectProblem(await revoke(unknown), 404, 'not_found');
    expect((await open(link)).status).toBe(200);
  });
});

describe('GET /api/v1/shared/{secret}/content', () => {
  test('200, 206, 304, 416 without any credential, as an attachment in a sandbox, and no cookie', async () => {
    const { id, etag } = await newFile('<script>alert(1)</script>');
    const link = await create(`files/${id}`);
    const whole = await open(link);
    expect([whole.status, whole.text]).toEqual([200, '<script>alert(1)</script>']);
    expect(whole.headers).toMatchObject({
      etag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(/^attachment; /),
      'content-type': 'application/octet-stream',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const name of ['set-cookie', 'access-control-allow-origin'])
      expect(whole.headers).not.toHaveProperty(name);
    const part = await open(link, { range: 'bytes=1-6' });
    expect([part.status, part.text]).toEqual([206, 'script']);
    expect((await open(link, { 'if-none-match': String(etag) })).status).toBe(304);
    expectProblem(await open(link, { range: 'bytes=99-' }), 416, 'range_not_satisfiable');
  });

  test('counts openings, but neither later ranges nor HEAD', async () => {
    const { id } = await newFile();
    const link = await create(`files/${id}`);
    for (const headers of [{}, { range: 'bytes=0-2' }, {}]) await open(link, headers);
    await open(link, { range: 'bytes=3-' });
    await ask(stage.app.port, pathOf(link), { method: 'HEAD' });
    const listed = await send('GET', `/api/v1/files/${id}/links`, stage.owner);
    const lastOpenedAt = expect.any(String) as string;
    expect(listed.json()['data']).toMatchObject([{ openedCount: 3, lastOpenedAt }]);
  });

  test('returns the current content after a new version', async () => {
    const { id, name } = await newFile('one');
    const link = await create(`files/${id}`);
    await stage.newFile(project, String(name), 'two', 'ifTaken=version');
    expect((await open(link)).text).toBe('two');
  });

  test('returns the same 404 for unknown, altered and expired links, the other kind, and trashed entries', async () => {
    const { id } = await newFile();
    const link = await create(`files/${id}`);
    const path = pathOf(link);
    const told = new Set<string>();
    const hidden = async (address: string): Promise<void> => {
      const answer = await ask(stage.app.port, address, {});
      expectProblem(answer, 404, 'not_found');
      told.add(String(answer.json()['detail']));
    };
    await hidden(`/api/v1/shared/${createCheckedSecret()}/content`);
    await hidden('/api/v1/shared/x/content');
    await hidden(path.replace(/.\/content/, (end) => (end.startsWith('0') ? '1/content' : '0/content')));
    await hidden(path.replace('content', 'archive'));
    await send('DELETE', `/api/v1/files/${id}`, stage.owner);
    await hidden(path);
    await send('POST', `/api/v1/files/${id}/restore`, stage.owner, {});
    expect((await open(link)).status).toBe(200);
    await stage.database.asSuperuser(
      "UPDATE storage.link SET created_at = '2020-01-01', expires_at = '2020-01-02' WHERE id = $1",
      [link.json()['id']],
    );
    await hidden(path);
    expect(told.size).toBe(1);
    await removeEndedLinks(stage.upkeep);
    expect(await rowsOf(link)).toEqual([]);
  });

  test('404 once its creator may not share or has left, and when the key that created it ends', async () => {
    const maker = await stage.acme.addMember('member');
    const { id } = await newFile();
    const link = await create(`files/${id}`, maker.headers);
    expect((await open(link)).status).toBe(200);
    await setRole(maker, 'viewer');
    expectProblem(await open(link), 404, 'not_found');
    await setRole(maker, 'member');
    expect((await open(link)).status).toBe(200);
    const key = (await send('POST', '/api/v1/api-keys', maker.headers, { name: 'k' })).json();
    const byKey = await create(`files/${id}`, { 'x-api-key': String(key['key']) });
    expect((await open(byKey)).status).toBe(200);
    await send('DELETE', `/api/v1/api-keys/${String(key['id'])}`, maker.headers);
    expectProblem(await open(byKey), 404, 'not_found');
    expect((await open(link)).status).toBe(200);
    const path = `/dm/api/core/rbac/members/${maker.username}?platform_key=${stage.acme.key}`;
    expect((await send('DELETE', path, stage.owner)).status).toBe(204);
    stage.age();
    expectProblem(await open(link), 404, 'not_found');
  });

  test('the limit of the API key that created a link applies to its visitors', async () => {
    const folder = await stage.newFolder(project, 'of a limited key');
    await stage.newFile(project, 'withheld.txt', 'withheld', `folderId=${folder.id}`);
    const { id } = await stage.newFile(project, 'named.txt', 'named', `folderId=${folder.id}`);
    const above = `/organizations/${stage.acme.key}/projects/${project}/folders/${folder.id}`;
    const permissions = [
      { actions: ['Daybook.Storage/Folders/read', 'Daybook.Storage/Shares/create'], resources: [above] },
      {
        actions: ['Daybook.Storage/Files/read', 'Daybook.Storage/Shares/create'],
        resources: [`${above}/files/${id}`],
      },
    ];
    const key = await send('POST', '/api/v1/api-keys', member.headers, { name: 'limited', permissions });
    const headers = { 'x-api-key': String(key.json()['key']) };
    const archive = await open(await create(`folders/${folder.id}`, headers));
    expect([archive.status, archive.text.includes('named.txt')]).toEqual([200, true]);
    expect(archive.text).not.toContain('withheld');
    const link = await create(`files/${id}`, headers);
    expect((await open(link)).text).toBe('named');
    // Outside of the folder the key can no longer read the file.
    expect((await send('PATCH', `/api/v1/files/${id}`, stage.owner, { folderId: null })).status).toBe(200);
    expectProblem(await open(link), 404, 'not_found');
  });

  test('409: for unscanned content, also if its uploader created the link', async () => {
    const { id } = await newFile();
    const link = await create(`files/${id}`, stage.owner);
    await stage.database.asSuperuser(
      `UPDATE storage.blob SET scan_state = 'waiting'
       WHERE key = (SELECT blob_key FROM storage.version WHERE file_id = $1)`,
      [id],
    );
    expect((await stage.contentOf(id)).status).toBe(200);
    expectProblem(await open(link), 409, 'not_scanned');
  });

  test('does not count an opening as activity of its creator', async () => {
    const maker = await stage.acme.addMember('member');
    const link = await create(`files/${(await newFile()).id}`, maker.headers);
    const seen = 'SELECT last_seen_at FROM identity.organization_membership WHERE account_id = $1';
    const before = await stage.database.asSuperuser(seen, [maker.id]);
    stage.clock.advance({ minutes: 10 });
    expect((await open(link)).status).toBe(200);
    expect(await stage.database.asSuperuser(seen, [maker.id])).toEqual(before);
  });
});

describe('GET /api/v1/shared/{secret}/archive', () => {
  test('200: contains what its creator may read below the folder now', async () => {
    const { id: own } = await stage.newProject();
    const folder = await stage.newFolder(own, 'shared folder');
    const inside = await stage.newFolder(own, 'inside', folder.id);
    await stage.newFile(own, 'near.txt', 'near', `folderId=${folder.id}`);
    await stage.newFile(own, 'far.txt', 'far', `folderId=${inside.id}`);
    const whole = await open(await create(`folders/${folder.id}`));
    expect([whole.status, whole.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(whole.headers['content-disposition']).toContain('shared folder.zip');
    expect(whole.text).toMatch(/near\.txt[\s\S]*far\.txt|far\.txt[\s\S]*near\.txt/);
    const guest = await stage.acme.addMember('guest');
    const above = `/projects/${own}/folders/${folder.id}`;
    const actions = ['Daybook.Storage/Folders/read', 'Daybook.Storage/Shares/create'];
    await givePolicy(guest, actions, [above]);
    await givePolicy(guest, ['Daybook.Storage/Files/read'], [`${above}/files/*`]);
    const narrow = await open(await create(`folders/${folder.id}`, guest.headers));
    expect(narrow.text).toContain('near.txt');
    expect(narrow.text).not.toContain('far.txt');
  });

  test('404: for a file, and an unknown secret', async () => {
    const link = await create(`files/${(await newFile()).id}`);
    const address = pathOf(link).replace('content', 'archive');
    expectProblem(await ask(stage.app.port, address, {}), 404, 'not_found');
  });

  test('409: for more entries than an archive may have', async () => {
    const { id: own } = await stage.newProject();
    const folder = await stage.newFolder(own, 'full');
    await stage.database.asSuperuser(
      `INSERT INTO storage.entry (project_id, id, parent_id, kind, name, folded_name, created_by, created_at, updated_at)
       SELECT project_id, gen_random_uuid(), id, 'folder', 'n' || number, 'n' || number, created_by, now(), now()
       FROM storage.entry, generate_series(1, 10001) AS number WHERE id = $1`,
      [folder.id],
    );
    const link = await create(`folders/${folder.id}`);
    expectProblem(await open(link), 409, 'archive_too_large');
  });
});
