import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { testStorage } from '../../../test/identity.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import { dayMs } from '../../foundation/clock.ts';
import { addMs } from '../../foundation/instant.ts';
import { lockTree } from '../projects/project-store.ts';
import type { ProjectId } from '../projects/project.ts';
import { verifyStorage } from '../verify-storage.ts';
import { emptyTrash, removeGarbage } from './empty-trash.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
const kinds = ['folder', 'file'] as const;
type Kind = (typeof kinds)[number];
let made = 0;
const newEntry = (kind: Kind, parent?: string, bytes = 'x') => {
  const name = `e${(made += 1)}`;
  return kind === 'folder'
    ? stage.newFolder(project, name, parent)
    : stage.newFile(project, name, bytes, parent === undefined ? '' : `folderId=${parent}`);
};
const act = (kind: Kind, id: string, verb: 'purge' | 'restore', headers = stage.owner): Promise<Answer> =>
  send('POST', `/api/v1/${kind}s/${id}/${verb}`, headers, verb === 'restore' ? {} : undefined);
const trash = async (kind: Kind, id: string): Promise<void> => {
  expect((await send('DELETE', `/api/v1/${kind}s/${id}`, stage.owner)).status).toBe(204);
};
const empty = (id = project, headers = stage.owner): Promise<Answer> =>
  send('DELETE', `/api/v1/projects/${id}/trash`, headers);
const listed = async (id = project): Promise<string[]> => {
  const answer = await send('GET', `/api/v1/projects/${id}/trash?limit=100`, stage.owner);
  return (answer.json()['data'] as { id: string }[]).map((entry) => entry.id);
};
const usedBytes = async () => (await send('GET', '/api/v1/usage', stage.owner)).json()['usedBytes'] as number;
const rowsLeft = async (ids: readonly string[]): Promise<unknown> => {
  const sql = 'SELECT count(*)::int AS rows FROM storage.entry WHERE id = ANY ($1)';
  return (await stage.database.asSuperuser(sql, [ids]))[0]?.['rows'];
};
/** Started while the project is locked, so that all of them wait for it before one continues. */
const atOnce = async (...requests: readonly (() => Promise<Answer>)[]): Promise<readonly number[]> =>
  (await whileLocked(project, ...requests)).map(({ status }) => status);
const whileLocked = async <Result>(
  id: string,
  ...works: readonly (() => Promise<Result>)[]
): Promise<readonly Result[]> => {
  const { begun } = await stage.access.database.transaction().execute(async (transaction) => {
    await lockTree(transaction, id as ProjectId);
    const answers: Promise<Result>[] = [];
    for (const work of works) {
      answers.push(work());
      await untilWaiting(stage.database, '"storage"."project"', answers.length);
    }
    return { begun: answers };
  });
  return Promise.all(begun);
};
const lastEvent = async (): Promise<unknown> =>
  (await stage.database.asSuperuser('SELECT kind, detail FROM audit.event ORDER BY id DESC LIMIT 1'))[0];

describe.each(kinds)('POST /api/v1/%ss/{id}/purge', (kind) => {
  test('204: removes the entry and releases its space at once, and records the actor', async () => {
    const before = await usedBytes();
    const { id, name } = await newEntry(kind);
    await trash(kind, id);
    expect((await act(kind, id, 'purge')).status).toBe(204);
    expect(await lastEvent()).toMatchObject({
      kind: 'entry_purged',
      detail: { entryId: id, projectId: project, entryKind: kind, name },
    });
    expect([await rowsLeft([id]), await usedBytes()]).toEqual([0, before]);
    expect(await listed()).not.toContain(id);
    for (const verb of ['purge', 'restore'] as const)
      expectProblem(await act(kind, id, verb), 404, 'not_found');
  });

  test('403 with read permission only', async () => {
    const { id } = await newEntry(kind);
    await trash(kind, id);
    expectProblem(await act(kind, id, 'purge', stage.viewer.headers), 403, 'forbidden');
    expect(await listed()).toContain(id);
  });

  test('404 for non-members, unknown entries, the other kind, and after 30 days', async () => {
    const { id } = await newEntry(kind);
    await trash(kind, id);
    expectProblem(await act(kind, id, 'purge', stage.stranger), 404, 'not_found');
    for (const unknown of [nowhere, 'x']) expectProblem(await act(kind, unknown, 'purge'), 404, 'not_found');
    expectProblem(await act(kind === 'file' ? 'folder' : 'file', id, 'purge'), 404, 'not_found');
    await stage.database.asSuperuser(
      "UPDATE storage.entry SET trashed_at = trashed_at - interval '30 days' WHERE id = $1",
      [id],
    );
    expectProblem(await act(kind, id, 'purge'), 404, 'not_found');
  });

  test('409 for an entry outside the trash, or in it only with its folder', async () => {
    const parent = await newEntry('folder');
    const { id } = await newEntry(kind, parent.id);
    expectProblem(await act(kind, id, 'purge'), 409, 'conflict');
    await trash('folder', parent.id);
    expectProblem(await act(kind, id, 'purge'), 409, 'conflict');
    expect((await act('folder', parent.id, 'restore')).status).toBe(200);
    expect((await send('GET', `/api/v1/${kind}s/${id}`, stage.owner)).status).toBe(200);
  });

  test('purges an entry that was deleted before its folder, and restores the folder', async () => {
    const parent = await newEntry('folder');
    const { id } = await newEntry(kind, parent.id);
    await trash(kind, id);
    await trash('folder', parent.id);
    expect((await act(kind, id, 'purge')).status).toBe(204);
    expect((await act('folder', parent.id, 'restore')).status).toBe(200);
  });

  test('releases the space once for two concurrent purges', async () => {
    const before = await usedBytes();
    const { id } = await newEntry(kind);
    await trash(kind, id);
    const purge = () => act(kind, id, 'purge');
    expect(new Set(await atOnce(purge, purge))).toEqual(new Set([204, 404]));
    expect(await usedBytes()).toBe(before);
  });
});

describe('DELETE /api/v1/projects/{project}/trash', () => {
  test('204: removes everything in the trash, and nothing else; records it once', async () => {
    const { id, name } = await stage.newProject();
    const before = await usedBytes();
    const folder = await stage.newFolder(id, 'folder');
    const kept = await stage.newFile(id, 'kept', '12345');
    const gone = [
      await stage.newFile(id, 'inside', '123', `folderId=${folder.id}`),
      await stage.newFile(id, 'deleted before', '1234', `folderId=${folder.id}`),
      await stage.newFile(id, 'outside', '12345'),
    ].map((file) => file.id);
    for (const file of gone.slice(1)) await trash('file', file);
    await trash('folder', folder.id);
    expect((await empty(id)).status).toBe(204);
    const event = await lastEvent();
    expect(event).toMatchObject({ kind: 'trash_emptied', detail: { projectId: id, name, entries: 3 } });
    expect([await listed(id), await rowsLeft([folder.id, ...gone])]).toEqual([[], 0]);
    expect(await usedBytes()).toBe(before + 5);
    expect((await stage.contentOf(kept.id)).text).toBe('12345');
    expect((await empty(id)).status).toBe(204);
    expect(await lastEvent()).toEqual(event);
  });

  test('204: makes a large trash unrestorable at once, and leaves the rest to the worker', async () => {
    const { id } = await stage.newProject();
    await stage.database.asSuperuser(
      `INSERT INTO storage.entry (project_id, id, kind, name, folded_name, version, created_by, created_at, updated_at, trashed_at)
       SELECT $1, gen_random_uuid(), 'file', number, number, 1, $2, now(), now(), $3::timestamptz
       FROM generate_series(1, 1001) AS number`,
      [id, stage.acme.owner.id, new Date(stage.clock.nowMs()).toISOString()],
    );
    const left = async () =>
      (await stage.database.asSuperuser('SELECT id FROM storage.entry WHERE project_id = $1', [id])).map(
        (row) => String(row['id']),
      );
    expect((await empty(id)).status).toBe(204);
    expect(await listed(id)).toEqual([]);
    const [first, ...others] = await left();
    expect(others).toHaveLength(500);
    expectProblem(await act('file', first ?? '', 'restore'), 404, 'not_found');
    await emptyTrash(stage.upkeep);
    expect(await left()).toEqual([]);
  });

  test('403 with read permission only', async () => {
    expectProblem(await empty(project, stage.viewer.headers), 403, 'forbidden');
  });

  test('403 for a member, who may delete and restore but not purge', async () => {
    const member = await stage.acme.addMember('member');
    const { id } = await newEntry('file');
    expect((await send('DELETE', `/api/v1/files/${id}`, member.headers)).status).toBe(204);
    expectProblem(await act('file', id, 'purge', member.headers), 403, 'forbidden');
    expectProblem(await empty(project, member.headers), 403, 'forbidden');
    expect((await act('file', id, 'restore', member.headers)).status).toBe(200);
  });

  test('404 for non-members, unknown projects, and a project that is in the trash itself', async () => {
    const { id } = await stage.newProject();
    expectProblem(await empty(id, stage.stranger), 404, 'not_found');
    for (const unknown of [nowhere, 'x']) expectProblem(await empty(unknown), 404, 'not_found');
    await send('DELETE', `/api/v1/projects/${id}`, stage.owner);
    expectProblem(await empty(id), 404, 'not_found');
  });
});

test('purges a folder with all descendants, shares and links', async () => {
  const before = await usedBytes();
  const outer = await newEntry('folder');
  const inner = await newEntry('folder', outer.id);
  const file = await newEntry('file', inner.id, '12345');
  const early = await newEntry('file', inner.id, '12345');
  const given = { member: stage.viewer.username, level: 'write' };
  for (const path of [`folders/${outer.id}`, `files/${file.id}`])
    expect((await send('POST', `/api/v1/${path}/shares`, stage.owner, given)).status).toBe(201);
  const link = await send('POST', `/api/v1/files/${file.id}/links`, stage.owner, {});
  await trash('file', early.id);
  await trash('folder', outer.id);
  expect((await act('folder', outer.id, 'purge')).status).toBe(204);
  expect(await rowsLeft([outer.id, inner.id, file.id, early.id])).toBe(0);
  expect(await usedBytes()).toBe(before);
  const shares = await stage.database.asSuperuser(
    'SELECT FROM access.share WHERE resource LIKE ANY ($1::text[])',
    [[outer.id, file.id].map((id) => `%${id}%`)],
  );
  const links = await stage.database.asSuperuser('SELECT FROM storage.link WHERE id = $1', [
    link.json()['id'],
  ]);
  expect([shares, links]).toEqual([[], []]);
  const { pathname } = new URL(String(link.json()['url']));
  expectProblem(await ask(stage.app.port, pathname, {}), 404, 'not_found');
});

test('hides a large purged folder from everyone at once, and leaves its removal to the worker', async () => {
  const before = await usedBytes();
  const folders = [(await newEntry('folder')).id];
  for (let depth = 2; depth <= 60; depth += 1) folders.push((await newEntry('folder', folders.at(-1))).id);
  const [root = '', inner = ''] = folders;
  await newEntry('file', inner, '12345');
  const early = await newEntry('file', inner, '12345');
  await trash('file', early.id);
  await trash('folder', root);
  expect((await act('folder', root, 'purge')).status).toBe(204);
  expect(await rowsLeft([root, inner, early.id])).toBe(3);
  const shown = await listed();
  for (const id of [root, early.id]) expect(shown).not.toContain(id);
  for (const [kind, id] of [
    ['folder', root],
    ['folder', inner],
    ['file', early.id],
  ] as const)
    for (const verb of ['purge', 'restore'] as const)
      expectProblem(await act(kind, id, verb), 404, 'not_found');
  await emptyTrash(stage.upkeep);
  expect([await rowsLeft(folders), await usedBytes()]).toEqual([0, before]);
});

test('keeps the bytes and the space of a copy of a purged entry', async () => {
  const { id } = await newEntry('file', undefined, 'shared');
  const copied = await send('POST', `/api/v1/files/${id}/copy`, stage.owner, { name: `copy of ${id}` });
  const before = await usedBytes();
  await trash('file', id);
  expect((await act('file', id, 'purge')).status).toBe(204);
  await removeGarbage({ ...stage.upkeep, settings: { ...testStorage, graceDays: 0 } });
  expect((await stage.contentOf(copied.json()['id'])).text).toBe('shared');
  expect(await usedBytes()).toBe(before);
});

test('completes either a restore or a concurrent purge, never a part of both', async () => {
  for (const first of ['restore', 'purge'] as const) {
    const folder = await newEntry('folder');
    const file = await newEntry('file', folder.id, 'whole');
    await trash('folder', folder.id);
    const verbs = first === 'restore' ? (['restore', 'purge'] as const) : (['purge', 'restore'] as const);
    const statuses = await atOnce(...verbs.map((verb) => () => act('folder', folder.id, verb)));
    const [restored, purged] = first === 'restore' ? statuses : statuses.toReversed();
    const isThere = restored === 200;
    expect([restored, purged]).toEqual(isThere ? [200, 409] : [404, 204]);
    expect(await rowsLeft([folder.id, file.id])).toBe(isThere ? 2 : 0);
    expect((await stage.contentOf(file.id)).status).toBe(isThere ? 200 : 404);
  }
  const findings = await verifyStorage(stage.upkeep);
  expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
});

describe('POST /api/v1/projects/{project}/purge', () => {
  const purge = (id: string, headers = stage.owner) => send('POST', `/api/v1/projects/${id}/purge`, headers);

  test('204: a purged project cannot be restored, and the worker frees its storage', async () => {
    const before = await usedBytes();
    const { id } = await stage.newProject();
    await stage.newFile(id, 'file', '12345');
    expectProblem(await purge(id), 409, 'conflict');
    await send('DELETE', `/api/v1/projects/${id}`, stage.owner);
    expect((await purge(id)).status).toBe(204);
    expect(await lastEvent()).toMatchObject({ kind: 'project_purged', detail: { projectId: id } });
    expectProblem(await send('POST', `/api/v1/projects/${id}/restore`, stage.owner), 404, 'not_found');
    expectProblem(await purge(id), 404, 'not_found');
    await emptyTrash(stage.upkeep);
    expect(await usedBytes()).toBe(before);
  });

  test('completes either a restore or a concurrent permanent deletion, never a part of both', async () => {
    const later = { now: () => addMs(stage.clock.now(), 31 * dayMs), nowMs: stage.clock.nowMs };
    const restore = (id: string) => async () =>
      (await send('POST', `/api/v1/projects/${id}/restore`, stage.owner)).status;
    const others = {
      purge: (id: string) => async () => (await purge(id)).status,
      worker: () => async () => void (await emptyTrash({ ...stage.upkeep, clock: later })),
    };
    for (const other of ['purge', 'worker'] as const)
      for (const isFirst of [true, false]) {
        const { id } = await stage.newProject();
        const file = await stage.newFile(id, 'file', 'whole');
        await send('DELETE', `/api/v1/projects/${id}`, stage.owner);
        const works = [restore(id), others[other](id)];
        const answers = await whileLocked(id, ...(isFirst ? works : works.toReversed()));
        expect(answers).toContain(isFirst ? 200 : 404);
        expect((await stage.contentOf(file.id)).status).toBe(isFirst ? 200 : 404);
      }
  });

  test('403 for a member, 404 for non-members', async () => {
    const { id } = await stage.newProject();
    const member = await stage.acme.addMember('member');
    await send('DELETE', `/api/v1/projects/${id}`, member.headers);
    expectProblem(await purge(id, member.headers), 403, 'forbidden');
    expectProblem(await purge(id, stage.stranger), 404, 'not_found');
  });
});
