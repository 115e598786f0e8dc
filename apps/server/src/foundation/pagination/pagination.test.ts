import { randomBytes } from 'node:crypto';

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { invalidCursor } from '../http/http-problems.ts';
import { defineRoute } from '../http/route.ts';
import type { RouteDeclaration } from '../http/route.ts';
import type { Surface } from '../http/surface.ts';
import { parseTimestamptz } from '../instant.ts';
import { createCursorKeys } from './cursor-keys.ts';
import type { Page } from './page-envelope.ts';
import { presentPage } from './page-envelope.ts';
import { selectPage } from './page-query.ts';
import { readPageRequest } from './page-request.ts';
import { pageSchema, sortedPageQueryProperties } from './page-schema.ts';
import { bigintRowId } from './row-id.ts';

type NoteTables = {
  note: { id: bigint; created_at: string; tenant: string; colour: string };
  tag: { note_id: bigint; id: bigint; created_at: string };
};

const keys = createCursorKeys([randomBytes(32)]);
const surface: Surface = { name: 'closed', cors: null, admit: null, problems: [] };
const NoteSchema = Type.Object({ id: Type.Integer(), tag: Type.Integer() });

/** A list as a feature would write it: joined, filtered, of one tenant. */
const listNotes = (): RouteDeclaration =>
  defineRoute({
    method: 'GET',
    path: '/{tenant}/notes',
    surface,
    operationId: 'listNotes',
    summary: 'Notes.',
    tag: 'notes',
    params: Type.Object({ tenant: Type.String() }),
    query: Type.Object(
      { ...sortedPageQueryProperties, colour: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    responses: { 200: { description: 'A page.', schema: pageSchema(NoteSchema, 'Notes') } },
    problems: [invalidCursor],
    handle: async ({ params: { tenant }, query: { colour, ...page } }) => {
      const request = readPageRequest(page, {
        keys,
        ids: bigintRowId,
        route: 'listNotes',
        tenant,
        filters: { colour: colour ?? null },
      });
      const base = database.database
        .withTables<NoteTables>()
        .selectFrom('note')
        .innerJoin('tag', 'tag.note_id', 'note.id')
        .select(['note.id', 'note.created_at', 'note.colour', 'tag.id as tagId'])
        .where('note.tenant', '=', tenant);
      const filtered = colour === undefined ? base : base.where('note.colour', '=', colour);
      const rows = await selectPage(filtered, request, {
        createdAt: 'note.created_at',
        id: 'note.id',
        name: 'note.colour',
      }).execute();
      const entities = rows.map(({ id, created_at, colour: sortName, tagId }) => {
        const createdAt = parseTimestamptz(created_at);
        if (!createdAt.ok) throw new Error(created_at);
        return { id, createdAt: createdAt.value, sortName, tagId };
      });
      return presentPage(request, entities, ({ id, tagId }) => ({ id: Number(id), tag: Number(tagId) }));
    },
  });

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser(`
    CREATE TABLE public.note (id bigint PRIMARY KEY, created_at timestamptz NOT NULL, tenant text, colour text);
    CREATE TABLE public.tag (note_id bigint, id bigint, created_at timestamptz NOT NULL DEFAULT now());
    GRANT SELECT ON public.note, public.tag TO PUBLIC;
    GRANT USAGE ON SCHEMA public TO PUBLIC`);
  // 1,050 red ones fill the last page of 42 or of 50 exactly. Three notes to a microsecond, of ids that do not rise with time; 2,100 of one tenant so that page 100 exists.
  await database.asSuperuser(`
    INSERT INTO public.note
    SELECT (n * 7919) % 100003, timestamptz '2026-11-15 00:00:00.123456Z' + (n / 3) * interval '1 microsecond',
      CASE WHEN n <= 2100 THEN 'acme' ELSE 'other' END, CASE WHEN n % 2 = 0 THEN 'red' ELSE 'blue' END
    FROM generate_series(1, 2150) AS n`);
  await database.asSuperuser('INSERT INTO public.tag SELECT id, -id FROM public.note');
  app = await startTestApp({ database, routes: () => [listNotes()] });
});

afterAll(async () => {
  await app.stop();
  await database.drop();
});

type NotePage = Page<{ id: number; tag: number }>;
const get = (query: string, tenant = 'acme'): Promise<Answer> => ask(app.port, `/${tenant}/notes${query}`);
const pageOf = async (query: string, tenant = 'acme'): Promise<NotePage> => {
  const answer = await get(query, tenant);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json() as unknown as NotePage;
};
const idsOf = (page: NotePage): number[] => page.data.map(({ id }) => id);
const inOrder = async (where: string): Promise<number[]> =>
  (
    await database.asSuperuser(
      `SELECT id::int AS id FROM public.note WHERE ${where} ORDER BY created_at DESC, id DESC`,
    )
  ).map((row) => Number(row['id']));

describe('200', () => {
  test('returns the 20 newest with both cursors without parameters', async () => {
    const page = await pageOf('');
    expect(idsOf(page)).toEqual((await inOrder("tenant = 'acme'")).slice(0, 20));
    expect(page.pagination).toEqual({
      hasMore: true,
      nextCursor: expect.any(String),
      prevCursor: expect.any(String),
    });
  });

  test('shows every row once, in one order, forward to the end and back', async () => {
    const expected = await inOrder("tenant = 'acme' AND colour = 'red'");
    const there: number[] = [];
    let page = await pageOf('?colour=red&limit=42');
    while (page.data.length > 0) {
      there.push(...idsOf(page));
      expect(page.pagination.hasMore).toBe(there.length < expected.length);
      page = await pageOf(`?colour=red&limit=42&cursor=${page.pagination.nextCursor}`);
    }
    expect(there).toEqual(expected);
    expect(page.pagination).toEqual({ hasMore: false, nextCursor: null, prevCursor: null });

    const back: number[] = [];
    page = await pageOf('?colour=red&limit=50&direction=backward');
    while (page.data.length > 0) {
      back.unshift(...idsOf(page));
      expect(page.pagination.hasMore).toBe(back.length < expected.length);
      page = await pageOf(`?colour=red&limit=50&direction=backward&cursor=${page.pagination.prevCursor}`);
    }
    expect(back).toEqual(expected);
    expect(page.pagination).toEqual({ hasMore: false, nextCursor: null, prevCursor: null });
  });

  test('shows every row once, in one order, by name, forward to the end and back', async () => {
    const rows = await database.asSuperuser(
      "SELECT id::int AS id FROM public.note WHERE tenant = 'acme' ORDER BY colour, id",
    );
    const expected = rows.map((row) => Number(row['id']));
    const walk = async (direction: 'forward' | 'backward'): Promise<readonly number[]> => {
      const seen: number[] = [];
      let page = await pageOf(`?sort=name&limit=100&direction=${direction}`);
      while (page.data.length > 0) {
        if (direction === 'forward') seen.push(...idsOf(page));
        else seen.unshift(...idsOf(page));
        expect(page.pagination.hasMore).toBe(seen.length < expected.length);
        const { nextCursor, prevCursor } = page.pagination;
        const cursor = direction === 'forward' ? nextCursor : prevCursor;
        page = await pageOf(`?sort=name&limit=100&direction=${direction}&cursor=${cursor}`);
      }
      return seen;
    };
    expect(await walk('forward')).toEqual(expected);
    expect(await walk('backward')).toEqual(expected);
  });

  test('accepts a cursor for either direction and any limit', async () => {
    const expected = await inOrder("tenant = 'acme'");
    const { pagination } = await pageOf('?limit=50');
    expect(idsOf(await pageOf(`?limit=7&cursor=${pagination.nextCursor}`))).toEqual(expected.slice(50, 57));
    const before = await pageOf(`?limit=7&direction=backward&cursor=${pagination.nextCursor}`);
    expect(idsOf(before)).toEqual(expected.slice(42, 49));
  });

  test('caps a limit above 100 at 100', async () => {
    expect((await pageOf('?limit=101')).data).toHaveLength(100);
    expect((await pageOf('?limit=999999999')).data).toHaveLength(100);
  });

  test('reaches page 100 by offset and continues from there with cursors', async () => {
    const expected = await inOrder("tenant = 'acme'");
    const page = await pageOf('?page=100');
    expect(idsOf(page)).toEqual(expected.slice(1980, 2000));
    const next = await pageOf(`?cursor=${page.pagination.nextCursor}`);
    expect(idsOf(next)).toEqual(expected.slice(2000, 2020));
  });

  test('returns an empty page without cursors to a tenant without rows', async () => {
    expect(await pageOf('', 'nobody')).toEqual({
      data: [],
      pagination: { hasMore: false, nextCursor: null, prevCursor: null },
    });
  });
});

describe('400', () => {
  test.each(['0', '-1', '+5', '1e2', '2.5', '', 'ten', '%20'])('limit=%s', async (limit) => {
    expectProblem(await get(`?limit=${limit}`), 400, 'invalid_request');
  });

  test.each([
    ['page=0', 'page'],
    ['page=101', 'nextCursor'],
    ['page=1&direction=backward', 'prevCursor'],
    ['direction=sideways', 'direction'],
    ['cursor=a&cursor=b', 'cursor'],
  ])('%s is refused with the invalid parameter', async (query, name) => {
    expect(expectProblem(await get(`?${query}`), 400, 'invalid_request')['detail']).toContain(name);
  });

  test('refuses a page together with a cursor, even a valid one, and points to the cursor', async () => {
    const { pagination } = await pageOf('');
    const problem = expectProblem(
      await get(`?page=2&cursor=${pagination.nextCursor}`),
      400,
      'invalid_request',
    );
    expect(problem['detail']).toContain('cursor');
    expect(problem['errors']).toEqual([expect.objectContaining({ in: 'query', name: 'page' })]);
  });

  test('refuses a cursor that is empty, cut, altered, of another tenant or of other filters with invalid_cursor', async () => {
    const cursor = String((await pageOf('')).pagination.nextCursor);
    const altered = `${cursor.slice(0, 12)}${cursor[12] === 'A' ? 'B' : 'A'}${cursor.slice(13)}`;
    for (const text of ['', cursor.slice(0, -1), `${cursor}A`, altered]) {
      expectProblem(await get(`?cursor=${text}`), 400, 'invalid_cursor');
    }
    expectProblem(await get(`?cursor=${cursor}`, 'other'), 400, 'invalid_cursor');
    expectProblem(await get(`?cursor=${cursor}&colour=red`), 400, 'invalid_cursor');
    expectProblem(await get(`?cursor=${cursor}&sort=name`), 400, 'invalid_cursor');
    const named = String((await pageOf('?sort=name')).pagination.nextCursor);
    expectProblem(await get(`?cursor=${named}`), 400, 'invalid_cursor');
  });
});

test('enters the index at the cursor on a deep page and reads no row before it', async () => {
  await database.asSuperuser('CREATE INDEX ON public.note (tenant, created_at, id)');
  await database.asSuperuser('ANALYZE public.note');
  for (const direction of ['forward', 'backward'] as const) {
    const request = {
      list: { keys, ids: bigintRowId, route: 'r', tenant: 'acme', filters: null },
      limit: 20,
      direction,
      sort: 'createdAt' as const,
      start: { beside: { createdAt: middleOf(await database.asSuperuser(middleSql)), id: 5n } },
    };
    const query = database.database
      .withTables<NoteTables>()
      .selectFrom('note')
      .select('note.id')
      .where('note.tenant', '=', 'acme');
    const plan = await selectPage(query, request, { createdAt: 'note.created_at', id: 'note.id' }).explain(
      'text',
    );
    const text = JSON.stringify(plan);
    expect(text).toMatch(/Index Cond: .*ROW\(created_at, id\) [<>] ROW/);
    expect(text).not.toContain('Sort');
  }
});

const middleSql = "SELECT created_at::text AS at FROM public.note WHERE tenant = 'acme' OFFSET 1000 LIMIT 1";

function middleOf(rows: readonly Record<string, unknown>[]) {
  const at = parseTimestamptz(String(rows[0]?.['at']));
  if (!at.ok) throw new Error('no row');
  return at.value;
}
