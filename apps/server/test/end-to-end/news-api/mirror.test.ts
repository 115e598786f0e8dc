import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { JsonValue } from '../../../src/foundation/canonical-json.ts';
import { canonicalJson } from '../../../src/foundation/canonical-json.ts';
import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

type Item = Record<string, JsonValue> & { readonly id: string };
interface Snapshot {
  readonly asOf: string;
  readonly cursor: string;
  readonly count: number;
  readonly hasMore: boolean;
  readonly nextPage: string | null;
  readonly items: readonly Item[];
}
interface Changes {
  readonly cursor: string;
  readonly count: number;
  readonly hasMore: boolean;
  readonly changes: readonly (
    | { op: 'upsert'; item: Item }
    | { op: 'remove'; id: string; changedAt: string }
  )[];
  readonly set?: { readonly version: number; readonly size: number; readonly hash: string };
}

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  app = await startNewsApp({ database, clock });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

async function read<Body>(path: string): Promise<Body> {
  clock.advance({ seconds: 61 });
  const answer = await app.get(path);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json() as Body;
}

async function readSnapshot(limit: number): Promise<{ pages: Snapshot[]; copy: Map<string, Item> }> {
  const pages: Snapshot[] = [];
  for (let page: string | null = ''; page !== null;) {
    const next: Snapshot = await read<Snapshot>(
      `/api/v1/selected/snapshot?limit=${limit}${page === '' ? '' : `&page=${page}`}`,
    );
    pages.push(next);
    page = next.nextPage;
  }
  return { pages, copy: new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])) };
}

async function follow(copy: Map<string, Item>, from: string, limit: number): Promise<Changes> {
  for (let cursor = from; ;) {
    const page = await read<Changes>(`/api/v1/selected/changes?cursor=${cursor}&limit=${limit}`);
    for (const change of page.changes) {
      if (change.op === 'upsert') copy.set(change.item.id, change.item);
      else copy.delete(change.id);
    }
    expect(page.count).toBe(page.changes.length);
    if (!page.hasMore) return page;
    expect(page.set).toBeUndefined();
    ({ cursor } = page);
  }
}

/** The equality check as a client would write it from the description alone. */
function checkOf(copy: ReadonlyMap<string, Item>): { version: number; size: number; hash: string } {
  let sum = 0n;
  for (const item of copy.values()) {
    const fact = {
      id: item.id,
      title: item['title'],
      originalTitle: item['originalTitle'],
      summary: item['summary'],
      source: { name: (item['source'] as Record<string, JsonValue>)['name'] },
      links: { original: (item['links'] as Record<string, JsonValue>)['original'] },
      publishedAt: item['publishedAt'],
      discoveredAt: item['discoveredAt'],
      category: item['category'],
    } as JsonValue;
    sum += BigInt(`0x${createHash('sha256').update(canonicalJson(fact)).digest('hex')}`);
  }
  return { version: 1, size: copy.size, hash: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') };
}

describe('200', () => {
  test('an empty set has an empty snapshot whose cursor is the head', async () => {
    const { pages } = await readSnapshot(500);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ count: 0, hasMore: false, nextPage: null, items: [] });
    const page = await read<Changes>(`/api/v1/selected/changes?cursor=${pages[0]?.cursor}`);
    expect(page).toEqual({
      schemaVersion: 1,
      cursor: pages[0]?.cursor,
      count: 0,
      hasMore: false,
      changes: [],
      set: { version: 1, size: 0, hash: '0'.repeat(64) },
    });
  });

  test('a snapshot lists the selected set once by id; cursor and asOf are those of its first page', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.push(await factory.publishSelected({ hoursAgo: index }));
    await factory.publish();
    const { pages, copy } = await readSnapshot(3);
    expect(pages.map(({ count }) => count)).toEqual([3, 3, 1]);
    expect(new Set(pages.map(({ cursor, asOf }) => `${cursor} ${asOf}`)).size).toBe(1);
    expect([...copy.keys()]).toEqual(ids.toSorted());
  });

  test('a copy that follows the changes equals the set, item by item and by its hash, whatever changes meanwhile', async () => {
    const begun = await read<Snapshot>('/api/v1/selected/snapshot?limit=2');
    const [first, last] = [begun.items[0]?.id, (await readSnapshot(100)).copy.keys().toArray().at(-1)];
    // Between the pages of the snapshot: a revision behind, a withdrawal ahead, an arrival.
    valueOf(
      await factory.publisher.reviseItem({ itemId: first as Id<'item'>, changes: { title: 'Revised' } }),
    );
    valueOf(await factory.publisher.withdrawItem({ itemId: last as Id<'item'> }));
    const arrived = await factory.publishSelected({ title: 'Arrived' });
    const copy = new Map(begun.items.map((item) => [item.id, item]));
    for (let page = begun.nextPage; page !== null;) {
      const next: Snapshot = await read<Snapshot>(`/api/v1/selected/snapshot?limit=2&page=${page}`);
      expect([next.cursor, next.asOf]).toEqual([begun.cursor, begun.asOf]);
      for (const item of next.items) copy.set(item.id, item);
      page = next.nextPage;
    }
    const end = await follow(copy, begun.cursor, 1);
    expect(end.set).toEqual(checkOf(copy));
    expect(copy.get(first as string)?.['title']).toBe('Revised');
    expect(copy.has(last as string)).toBe(false);
    expect(copy.has(arrived)).toBe(true);
    expect(new Map((await readSnapshot(100)).copy)).toEqual(copy);
  });

  test('a difference of one byte in a copy is detected', async () => {
    const { copy, pages } = await readSnapshot(100);
    const { set } = await follow(copy, pages[0]?.cursor as string, 100);
    expect(checkOf(copy)).toEqual(set);
    const [id, item] = copy.entries().next().value as [string, Item];
    copy.set(id, { ...item, summary: `${item['summary'] as string} ` });
    expect(checkOf(copy)).not.toEqual(set);
  });

  test('the feed is compacted: an item that changed often appears once, and withdrawn text never', async () => {
    const { pages } = await readSnapshot(100);
    const id = await factory.publishSelected({ title: 'Secret draft' });
    for (const title of ['One', 'Two', 'Three'])
      valueOf(await factory.publisher.reviseItem({ itemId: id, changes: { title } }));
    const cursor = pages[0]?.cursor as string;
    const page = await read<Changes>(`/api/v1/selected/changes?cursor=${cursor}`);
    expect(page.changes).toEqual([
      expect.objectContaining({ op: 'upsert', item: expect.objectContaining({ id, title: 'Three' }) }),
    ]);
    valueOf(await factory.publisher.withdrawItem({ itemId: id }));
    const after = await read<Changes>(`/api/v1/selected/changes?cursor=${cursor}`);
    expect(after.changes).toEqual([{ op: 'remove', changedAt: expect.stringMatching(/Z$/), id }]);
  });
});

describe('200 changes since a time', () => {
  const sinceOf = (ms: number): string => encodeURIComponent(new Date(ms).toISOString());

  test('every change at and after the time is listed once over all pages, whatever its kind', async () => {
    const [old, selected, revised] = await Promise.all([
      factory.publishSelected({ title: 'Stays' }),
      factory.publish({ title: 'Selected later', hoursAgo: 5 }),
      factory.publishSelected({ title: 'Revised later' }),
    ]);
    const [withdrawn, unselected] = [await factory.publishSelected(), await factory.publishSelected()];
    clock.advance({ minutes: 10 });
    const since = clock.nowMs();
    valueOf(await factory.publisher.selectItem({ itemId: selected, reason: 'First' }));
    valueOf(await factory.publisher.reviseItem({ itemId: revised, changes: { title: 'Revised' } }));
    valueOf(await factory.publisher.withdrawItem({ itemId: withdrawn }));
    clock.advance({ minutes: 1 });
    valueOf(await factory.publisher.unselectItem({ itemId: unselected }));
    const found: string[] = [];
    const first = await read<Changes>(`/api/v1/selected/changes?since=${sinceOf(since)}&limit=2`);
    for (let page = first; ;) {
      found.push(...page.changes.map((change) => (change.op === 'upsert' ? change.item.id : change.id)));
      if (!page.hasMore) break;
      page = await read<Changes>(`/api/v1/selected/changes?cursor=${page.cursor}&limit=2`);
    }
    expect(found).toEqual([selected, revised, withdrawn, unselected]);
    expect(found).not.toContain(old);
    const later = await read<Changes>(`/api/v1/selected/changes?since=${sinceOf(since + 1)}`);
    expect(later.changes).toEqual([expect.objectContaining({ op: 'remove', id: unselected })]);
  });

  test('a time before the first change lists all, one after the last change nothing, with the set', async () => {
    const { copy } = await readSnapshot(100);
    const all = await read<Changes>('/api/v1/selected/changes?since=2020-01-01T00:00:00Z');
    expect(all.changes.filter(({ op }) => op === 'upsert')).toHaveLength(copy.size);
    clock.advance({ seconds: 1 });
    const none = await read<Changes>(`/api/v1/selected/changes?since=${sinceOf(clock.nowMs())}`);
    expect([none.changes, none.set]).toEqual([[], checkOf(copy)]);
  });
});

interface Buckets {
  readonly cursor: string;
  readonly set: { readonly version: number; readonly size: number; readonly hash: string };
  readonly count: number;
  readonly buckets: readonly {
    readonly after: string;
    readonly size: number;
    readonly hash: string;
    readonly page: string;
  }[];
}

describe('200 buckets', () => {
  test('the ranges contain every id once, with the size and sum of their items', async () => {
    const { copy } = await readSnapshot(100);
    const { buckets, set, count } = await read<Buckets>('/api/v1/selected/buckets');
    expect([count, set]).toEqual([buckets.length, checkOf(copy)]);
    expect(buckets[0]?.after).toBe('00000000-0000-0000-0000-000000000000');
    const found = buckets.map(({ after }, at) => {
      const next = buckets[at + 1]?.after ?? 'z';
      const { size, hash } = checkOf(new Map([...copy].filter(([id]) => id > after && id <= next)));
      return { after, size, hash };
    });
    expect(found).toEqual(buckets.map(({ after, size, hash }) => ({ after, size, hash })));
  });

  test('the page of a range begins with its first item, and its cursor is that of the sums', async () => {
    const ids = [...(await readSnapshot(100)).copy.keys()];
    const { buckets, cursor } = await read<Buckets>('/api/v1/selected/buckets');
    const last = buckets.at(-1);
    const page = await read<Snapshot>(`/api/v1/selected/snapshot?limit=100&page=${last?.page}`);
    expect([page.cursor, page.items.map(({ id }) => id)]).toEqual([cursor, ids.slice(-(last?.size ?? 0))]);
  });

  test('a set of more items than ranges has 1,024 ranges of equal size', async () => {
    await database.asSuperuser(`
      CREATE TEMPORARY TABLE source_item AS SELECT * FROM record.item WHERE selected LIMIT 1;
      INSERT INTO record.reading_group SELECT (g).* FROM (
        SELECT jsonb_populate_record(grouped, jsonb_build_object('id',
          '019a0000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'), 'representative_id', NULL)) AS g
        FROM record.reading_group AS grouped, source_item, generate_series(1, 5000) AS n
        WHERE grouped.id = source_item.group_id) AS made;
      INSERT INTO record.item SELECT (i).* FROM (
        SELECT jsonb_populate_record(source_item, jsonb_build_object(
          'id', '019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
          'group_id', '019a0000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))) AS i
        FROM source_item, generate_series(1, 5000) AS n) AS made;
      UPDATE record.ledger_head SET set_size = (SELECT count(*) FROM record.item WHERE selected)`);
    const { buckets, set } = await read<Buckets>('/api/v1/selected/buckets');
    const sizes = buckets.map(({ size }) => size);
    expect([buckets.length, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([1024, set.size]);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});

describe('409 snapshot_required', () => {
  test.each([
    ['missing', ''],
    ['empty', '?cursor='],
    ['unreadable', '?cursor=hello'],
    ['long', `?cursor=${'A'.repeat(4000)}`],
  ])('a %s cursor', async (_, query) => {
    expectProblem(await app.get(`/api/v1/selected/changes${query}`), 409, 'snapshot_required');
  });

  test('a cursor or a snapshot page from before a restored backup', async () => {
    const begun = await read<Snapshot>('/api/v1/selected/snapshot?limit=1');
    await database.asSuperuser('UPDATE record.ledger_head SET epoch = gen_random_uuid()');
    expectProblem(await app.get(`/api/v1/selected/changes?cursor=${begun.cursor}`), 409, 'snapshot_required');
    expectProblem(
      await app.get(`/api/v1/selected/snapshot?limit=1&page=${begun.nextPage}`),
      409,
      'snapshot_required',
    );
  });

  test('a position the ledger has not reached', async () => {
    const { cursor } = await read<Snapshot>('/api/v1/selected/snapshot?limit=1');
    const bytes = Buffer.from(cursor, 'base64url');
    bytes.writeBigInt64BE(2n ** 62n, 17);
    const ahead = bytes.toString('base64url');
    expectProblem(await app.get(`/api/v1/selected/changes?cursor=${ahead}`), 409, 'snapshot_required');
  });
});

describe('400', () => {
  test.each([
    'snapshot?limit=0',
    'snapshot?limit=1001',
    'changes?limit=101',
    'changes?limit=0',
    'snapshot?offset=1',
    'changes?since=yesterday',
    'changes?since=2026-11-15T08:00:00Z&cursor=x',
  ])('invalid_request: %s', async (path) => {
    expectProblem(await app.get(`/api/v1/selected/${path}`), 400, 'invalid_request');
  });

  test('invalid_cursor: a snapshot page that was not issued here', async () => {
    expectProblem(await app.get('/api/v1/selected/snapshot?page=x'), 400, 'invalid_cursor');
  });
});
