import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import type { ProjectId } from '../projects/project.ts';
import { childrenQuery } from './entry-store.ts';
import { searchQuery } from './entry-tree-store.ts';
import type { EntryId } from './entry.ts';
import { searchByName } from './read-entries.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const nowhere = '01980000-0000-7000-8000-000000000000';
const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);

describe('sort=name', () => {
  const named = ['b', 'A', 'ä', 'B2', 'a1', '中', 'C'];
  const inOrder = ['A', 'a1', 'b', 'B2', 'C', 'ä', '中'];
  const walk = async (path: string, direction: 'forward' | 'backward'): Promise<readonly string[]> => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const rest: string = cursor === null ? '' : `&cursor=${cursor}`;
      const answer = await send('GET', `${path}&limit=2&direction=${direction}${rest}`, stage.owner);
      const { data, pagination } = answer.json() as unknown as {
        readonly data: readonly { readonly name: string }[];
        readonly pagination: { hasMore: boolean; nextCursor: string; prevCursor: string };
      };
      pages.push(data.map(({ name }) => name));
      cursor = direction === 'forward' ? pagination.nextCursor : pagination.prevCursor;
      if (!pagination.hasMore) cursor = null;
    } while (cursor !== null);
    return (direction === 'forward' ? pages : pages.reverse()).flat();
  };

  test.each(['forward', 'backward'] as const)('200: %s, case-insensitively', async (direction) => {
    const { id } = await stage.newProject();
    const folder = await stage.newFolder(id, 'in here');
    for (const name of named) await stage.newFolder(id, name, folder.id);
    const path = `/api/v1/projects/${id}/children?sort=name&folderId=${folder.id}`;
    expect(await walk(path, direction)).toEqual(inOrder);
    const found = `/api/v1/projects/${id}/search?sort=name&folderId=${folder.id}&name=b`;
    expect(await walk(found, direction)).toEqual(['b', 'B2']);
  });

  test('400: for a cursor of the other order', async () => {
    const first = await send('GET', `/api/v1/projects/${project}/children?limit=1`, stage.owner);
    const { nextCursor } = first.json()['pagination'] as { nextCursor: string };
    const other = `/api/v1/projects/${project}/children?sort=name&cursor=${nextCursor}`;
    expectProblem(await send('GET', other, stage.owner), 400, 'invalid_cursor');
  });
});

describe('GET …/search', () => {
  const found = async (
    id: string,
    name: string,
    rest = '',
    headers: Parameters<TestStorage['send']>[2] = stage.owner,
  ): Promise<unknown> => {
    const path = `/api/v1/projects/${id}/search?sort=name&name=${encodeURIComponent(name)}${rest}`;
    const answer = await send('GET', path, headers);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return (answer.json()['data'] as { name: string }[]).map((one) => one.name);
  };

  test('200: matches any part of a name at any depth, in any script; all words must occur', async () => {
    const { id } = await stage.newProject();
    const outer = await stage.newFolder(id, 'Jahresbericht');
    const inner = await stage.newFolder(id, '50%_ok', outer.id);
    await stage.newFile(id, '年度预算报告 2026.txt', 'x', `folderId=${inner.id}`);
    await stage.newFile(id, 'Straße nach Bericht.txt', 'x');
    expect(await found(id, 'BERICHT')).toEqual(['Jahresbericht', 'Straße nach Bericht.txt']);
    expect(await found(id, 'bericht strasse')).toEqual(['Straße nach Bericht.txt']);
    for (const part of ['预算', '告', '2026', '年度 .TXT']) {
      expect(await found(id, part)).toEqual(['年度预算报告 2026.txt']);
    }
    expect(await found(id, '0%_O')).toEqual(['50%_ok']);
    expect(await found(id, '%')).toEqual(['50%_ok']);
    expect(await found(id, 'e_i')).toEqual([]);
    expect(await found(id, 'txt', `&folderId=${outer.id}`)).toEqual(['年度预算报告 2026.txt']);
    const elsewhere = (await stage.newProject()).id;
    expect(await found(elsewhere, 'bericht')).toEqual([]);
  });

  test('200: omits trashed entries and their descendants; finds them again once restored', async () => {
    const { id } = await stage.newProject();
    const outer = await stage.newFolder(id, 'outer');
    const inner = await stage.newFolder(id, 'inner', outer.id);
    await stage.newFile(id, 'needle', 'x', `folderId=${inner.id}`);
    expect(await found(id, 'needle')).toEqual(['needle']);
    await send('DELETE', `/api/v1/folders/${outer.id}`, stage.owner);
    expect(await found(id, 'needle')).toEqual([]);
    await send('POST', `/api/v1/folders/${outer.id}/restore`, stage.owner, {});
    expect(await found(id, 'needle', '', stage.viewer.headers)).toEqual(['needle']);
  });

  test('finds exactly the entries that policies name, at any depth, in full pages', async () => {
    const { id } = await stage.newProject();
    const given = await stage.newFolder(id, 'hit given');
    const kept = await stage.newFolder(id, 'hit kept');
    const deep = await stage.newFolder(id, 'hit deep', given.id);
    const one = await stage.newFile(id, 'hit one', 'x', `folderId=${kept.id}`);
    await stage.newFile(id, 'hit below', 'x', `folderId=${deep.id}`);
    await stage.newFile(id, 'hit beside', 'x', `folderId=${kept.id}`);
    await stage.newFile(id, 'hit outside', 'x');
    const own = `/organizations/${stage.acme.key}/projects/${id}`;
    const search = async (resources: readonly string[], folderId: string | null = null) => {
      const { deps, asked } = stage.actingUnder([own, ...resources.map((rest) => `${own}${rest}`)]);
      const page = { limit: 3, sort: 'name' as const };
      const request = { ...asked, projectId: id, folderId, name: 'HIT', page };
      const { data, pagination } = await searchByName(deps, request, (entry) => entry.name);
      return [...data, ...(pagination.hasMore ? ['…'] : [])];
    };
    expect(await search([])).toEqual([]);
    expect(await search([`/folders/${given.id}/**`])).toEqual(['hit below', 'hit deep']);
    expect(await search([`/folders/${given.id}/**`, `/files/${one.id}`])).toEqual([
      'hit below',
      'hit deep',
      'hit one',
    ]);
    expect(await search([`/folders/${kept.id}/files/${one.id}`, `/folders/${given.id}`])).toEqual([
      'hit given',
      'hit one',
    ]);
    expect(await search(['/folders/*/files/*'])).toEqual(['hit below', 'hit beside', 'hit one']);
    expect(await search(['/**'])).toEqual(['hit below', 'hit beside', 'hit deep', '…']);
    expect(await search(['/**'], deep.id)).toEqual(['hit below']);
  });

  test.each(['', '%20', 'a%00b', '%E2%80%AE'])('400: %j is no part of a name', async (name) => {
    const path = `/api/v1/projects/${project}/search?name=${name}`;
    expectProblem(await send('GET', path, stage.owner), 400, 'invalid_request');
  });

  test('400: for a cursor of other words; 404: for non-members, and a folder of another project', async () => {
    const { id } = await stage.newProject();
    for (const name of ['aa', 'ab']) await stage.newFolder(id, name);
    const path = `/api/v1/projects/${id}/search`;
    const first = await send('GET', `${path}?name=a&limit=1`, stage.owner);
    const { nextCursor } = first.json()['pagination'] as { nextCursor: string };
    const next = await send('GET', `${path}?name=A&limit=1&cursor=${nextCursor}`, stage.owner);
    expect(next.json()['data']).toMatchObject([{ name: 'aa' }]);
    const other = `${path}?name=b&cursor=${nextCursor}`;
    expectProblem(await send('GET', other, stage.owner), 400, 'invalid_cursor');
    expectProblem(await send('GET', `${path}?name=a`, stage.stranger), 404, 'not_found');
    expectProblem(await send('GET', `${path}?name=a&folderId=${nowhere}`, stage.owner), 404, 'not_found');
  });
});

describe('reads only the entries of the page out of many', () => {
  let place: { readonly projectId: ProjectId; readonly folderId: EntryId | null };
  beforeAll(async () => {
    const { id } = await stage.newProject();
    const folder = await stage.newFolder(id, 'many');
    for (const parent of [null, folder.id])
      await stage.database.asSuperuser(
        `INSERT INTO storage.entry (project_id, id, parent_id, kind, name, folded_name, created_by, created_at, updated_at)
         SELECT $1, gen_random_uuid(), $2, 'folder', 'entry ' || n, 'entry ' || n, created_by, now() - n * interval '1 s', now()
         FROM storage.project, generate_series(1, 5000) AS n WHERE project.id = $1`,
        [id, parent],
      );
    await stage.database.asSuperuser('ANALYZE storage.entry');
    place = { projectId: id as ProjectId, folderId: folder.id as unknown as EntryId };
  });
  const pageOf = (sort: 'createdAt' | 'name', cursorOf?: string) => {
    const list = {
      keys: stage.access.cursorKeys,
      ids: uuidRowId<'entry'>(),
      route: 'r',
      tenant: '',
      filters: null,
    };
    const first = readPageRequest<EntryId>({ sort }, list);
    if (cursorOf === undefined) return first;
    const beside = { id: place.folderId as EntryId, createdAt: stage.clock.now(), sortName: cursorOf };
    return { ...first, start: { beside } };
  };
  const all = { folder: 'all', file: 'all' } as const;

  test.each(['project', 'folder'] as const)(
    'uses an index for a page of a %s, in both orders',
    async (where) => {
      const here = where === 'folder' ? place : { ...place, folderId: null };
      const { database } = stage.database;
      for (const start of [undefined, 'entry 4321']) {
        const newest = await childrenQuery(database, here, all, pageOf('createdAt', start)).explain('text');
        expect(JSON.stringify(newest)).toMatch(/entry_listed/);
        expect(JSON.stringify(newest)).not.toContain('Sort');
        const named = await childrenQuery(database, here, all, pageOf('name', start)).explain('text');
        expect(JSON.stringify(named)).toMatch(/Presorted Key: [^"]*folded_name/);
        expect(JSON.stringify(named)).toMatch(/entry_live_name/);
      }
    },
  );

  test('uses the index of name parts for a search', async () => {
    const where = { ...place, folderId: null, readable: 'all' as const };
    const plan = await searchQuery(stage.database.database, where, ['4321'], pageOf('name')).explain('text');
    expect(JSON.stringify(plan)).toContain('entry_name_grams');
  });
});
