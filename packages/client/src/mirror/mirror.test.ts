import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { TestServer } from '../../test/ledger-server.ts';
import { item, json, LedgerServer, serve } from '../../test/ledger-server.ts';
import { storeContract } from '../../test/store-contract.ts';
import { createClient } from '../client.ts';
import type { MirrorEvent } from './follow.ts';
import { follow } from './follow.ts';
import { jsonLinesStore, MirrorFileError, setAside } from './json-lines-store.ts';
import { memoryStore } from './memory-store.ts';
import type { CopyStep, MirrorStore } from './mirror-store.ts';
import { sqliteStore } from './sqlite-store.ts';
import { verify, verifyOnline } from './verify.ts';

let folder: string;
let ledger: LedgerServer;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  ledger = new LedgerServer();
  for (let at = 0; at < 25; at += 1) ledger.put(item(`id-${at}`));
  server = await serve(ledger.handle);
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function catchUp(store: MirrorStore): Promise<void> {
  const client = createClient({ baseUrl: server.baseUrl, patience: { retriesMax: 0 } });
  for await (const event of follow({ client, store, once: true })) expect(event.kind).not.toBe('restart');
}

async function titles(store: MirrorStore): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  await store.read(async ({ items }) => {
    for await (const { item: one } of items) found[one.id] = one.title;
  });
  return found;
}

const expected = (): Record<string, string> =>
  Object.fromEntries(Array.from(ledger.items.values(), ({ id, title }) => [id, title]));

const stores: Record<string, { open: () => MirrorStore; reopens: boolean }> = {
  memory: { open: memoryStore, reopens: false },
  'JSON Lines': { open: () => jsonLinesStore(join(folder, 'mirror.jsonl')), reopens: true },
  SQLite: { open: () => sqliteStore(join(folder, 'mirror.db')), reopens: true },
};

describe.each(Object.entries(stores))('a mirror in %s', (_name, { open, reopens }) => {
  it.each(Object.entries(storeContract))('%s', async (_check, check) => {
    await expect(check({ ledger: server.baseUrl, open, reopens })).resolves.toBeUndefined();
  });
});

it('requests the next page of a snapshot while one is stored', async () => {
  const memory = memoryStore();
  const store = {
    ...memory,
    apply: async (step: CopyStep) => {
      if (step.progress.nextPage !== null) await vi.waitUntil(() => ledger.requests >= 2);
      await memory.apply(step);
    },
  };
  const client = createClient({ baseUrl: server.baseUrl });
  for await (const event of follow({ client, store, pageSize: { snapshot: 20 } }))
    if (event.kind === 'exact') break;
  expect(await titles(memory)).toEqual(expected());
});

it('names the item with a wrong byte when verifying JSON Lines', async () => {
  const path = join(folder, 'mirror.jsonl');
  const store = jsonLinesStore(path);
  await catchUp(store);
  await store.close();
  writeFileSync(path, readFileSync(path, 'utf8').replace('title of id-9"', 'title of id-8"'));
  expect(await verify(jsonLinesStore(path))).toMatchObject({ ok: false, differing: ['id-9'] });
});

it('names the wrong items when verifying SQLite', async () => {
  const path = join(folder, 'mirror.db');
  const store = sqliteStore(path);
  await catchUp(store);
  const other = new DatabaseSync(path);
  other.exec(
    `update current_item set json = replace(json, 'title of id-9', 'title of id-8') where id = 'id-9'`,
  );
  other.exec(`update current_item set discovered_at = '2026-11-16T00:00:00.000Z' where id = 'id-11'`);
  other.close();
  await store.close();
  const bytes = readFileSync(path, 'latin1').replaceAll('title of id-10"', 'title of id-10~');
  writeFileSync(path, bytes, 'latin1');
  const damaged = sqliteStore(path);
  const found = await verify(damaged);
  expect([found.ok, [...found.differing].sort()]).toEqual([false, ['id-10', 'id-11', 'id-9']]);
  await damaged.close();
});

it('SQLite shows people the columns of an item, also after a new copy and in a file of version 1', async () => {
  const path = join(folder, 'mirror.db');
  const old = new DatabaseSync(path);
  const generated = "title text as (json ->> '$.title')";
  for (const table of ['item', 'next_item'])
    old.exec(
      `create table ${table} (id text primary key, discovered_at text not null, digest text not null, json text not null, ${generated}) strict, without rowid`,
    );
  old.exec('create table progress (copy text primary key, json text not null) strict');
  old.exec(`insert into item (id, discovered_at, digest, json) values ('old', '', '', '{"title":"Old"}')`);
  old.exec('pragma user_version = 1');
  const shown = (): unknown =>
    old.prepare("select title, source from item where id in ('old', 'id-9')").all();
  const store = sqliteStore(path);
  expect(shown()).toEqual([{ title: 'Old', source: null }]);
  await catchUp(store);
  expect(shown()).toEqual([expect.objectContaining({ title: 'title of id-9' })]);
  await store.close();
  old.close();
});

it('ignores a torn last line of JSON Lines', async () => {
  const path = join(folder, 'mirror.jsonl');
  const store = jsonLinesStore(path);
  await catchUp(store);
  await store.close();
  const whole = readFileSync(path, 'utf8');
  appendFileSync(path, '{"put":{"id":"half"},"digest":"0"}\n{"progress":{"curs');
  const again = jsonLinesStore(path);
  expect(await again.get('half')).toBeNull();
  await catchUp(again);
  expect(readFileSync(path, 'utf8').startsWith(`${whole}{"progress"`)).toBe(true);
  expect(await titles(again)).toEqual(expected());
  await again.close();
});

/** Files take no bytes behind this size meanwhile, as on a full disk: a write is cut short, the next one refused. */
function withFileSizeLimit<Result>(sizeMax: number, work: () => Result): Result {
  const limit = (size: string): void => {
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`]);
  };
  // Without a listener it ends the process.
  process.once('SIGXFSZ', () => {});
  limit(String(sizeMax));
  try {
    return work();
  } finally {
    limit('unlimited');
  }
}

it('ignores a step of JSON Lines that a full disk truncated, and reads the next one', async () => {
  const path = join(folder, 'mirror.jsonl');
  const store = jsonLinesStore(path);
  await catchUp(store);
  const progress = await store.progress('current');
  if (progress === null) throw new Error('there is no copy');
  const { size } = statSync(path);
  const step: CopyStep = {
    copy: 'current',
    put: [{ item: item('half'), digest: '0', seal: '0' }],
    remove: [],
    progress,
  };
  await expect(withFileSizeLimit(size + 10, () => store.apply(step))).rejects.toThrow('EFBIG');
  expect(statSync(path).size).toBe(size + 10);
  expect(await store.get('half')).toBeNull();
  ledger.put(item('later'));
  await catchUp(store);
  await store.close();
  const again = jsonLinesStore(path);
  expect(await titles(again)).toEqual(expected());
  expect((await verify(again)).ok).toBe(true);
  await again.close();
});

it('does not change JSON Lines while reading: another process may be writing the last line', async () => {
  const path = join(folder, 'mirror.jsonl');
  const store = jsonLinesStore(path);
  await catchUp(store);
  appendFileSync(path, '{"put":{"id":"half"},"dig');
  const before = readFileSync(path, 'utf8');
  const reader = jsonLinesStore(path);
  expect((await verify(reader)).ok).toBe(true);
  await Promise.all([reader.close(), store.close()]);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

it('searches SQLite, also for words of two Chinese characters', async () => {
  ledger.put({ ...item('zh', '新的大模型发布'), discoveredAt: '2026-11-16T00:00:00.000Z' });
  const store = sqliteStore(join(folder, 'mirror.db'));
  await catchUp(store);
  expect(store.search('模型').map(({ id }) => id)).toEqual(['zh']);
  expect(store.search('TITLE id-1 of', 3)).toHaveLength(3);
  expect(store.search('100% nothing_')).toEqual([]);
  expect(store.latest(1).map(({ id }) => id)).toEqual(['zh']);
  await store.close();
});

async function eventsOf(store: MirrorStore): Promise<readonly MirrorEvent[]> {
  const client = createClient({ baseUrl: server.baseUrl, patience: { retriesMax: 0 } });
  return Array.fromAsync(follow({ client, store, once: true }));
}

it('asks again past the caches if a page of changes is older than a page before it', async () => {
  const cached = new Map<string, string>();
  const read = async (url: string): Promise<string> => {
    const body = cached.get(url) ?? (await (await fetch(server.baseUrl + url)).text());
    if (!url.includes('page=')) cached.set(url, body);
    return body;
  };
  const cache = await serve(({ url = '' }, response) => {
    void read(url).then((body) => json(response, JSON.parse(body), { 'cache-control': 'public' }));
  });
  const client = createClient({ baseUrl: cache.baseUrl });
  const options = { client, once: true, pageSize: { snapshot: 20 } };
  await Array.fromAsync(follow({ ...options, store: memoryStore() }));
  // Sorted last, so on the second page of the snapshot, which is read anew.
  ledger.put(item('id-9', 'changed'));
  const store = memoryStore();
  const events = await Array.fromAsync(follow({ ...options, store }));
  expect(events.map(({ kind }) => kind)).toEqual(['snapshot', 'snapshot', 'exact']);
  expect(await titles(store)).toEqual(expected());
  await cache.close();
});

describe('a repair', () => {
  /** 400 items in 8 ranges of 50. */
  async function damagedCopy(damage: string): Promise<MirrorStore> {
    for (let at = 0; at < 375; at += 1) ledger.put(item(`more-${String(at).padStart(3, '0')}`));
    const path = join(folder, 'mirror.db');
    const store = sqliteStore(path);
    await catchUp(store);
    const other = new DatabaseSync(path);
    other.exec(damage);
    other.close();
    ledger.itemsSent = 0;
    return store;
  }

  it('reads the ranges that differ and not the others', async () => {
    const store = await damagedCopy(`
      update current_item set json = replace(json, '"score":50', '"score":51') where id = 'more-100';
      delete from current_item where id = 'more-101'`);
    expect(await eventsOf(store)).toMatchObject([
      { kind: 'repair', ranges: 1 },
      { kind: 'exact', size: 400 },
    ]);
    expect(ledger.itemsSent).toBeLessThanOrEqual(2 * 50);
    expect((await store.get('more-100'))?.item.score).toBe(50);
    await store.close();
  });

  it('reads no item where only the progress is damaged', async () => {
    const store = await damagedCopy('update progress set json = substr(json, 3)');
    expect((await eventsOf(store)).map(({ kind }) => kind)).toEqual(['repair', 'exact']);
    expect(ledger.itemsSent).toBe(0);
    await store.close();
  });

  it('reads everything again from a server without ranges', async () => {
    ledger.hasBuckets = false;
    const store = await damagedCopy("delete from current_item where id = 'more-100'");
    expect((await eventsOf(store)).map(({ kind }) => kind)).toEqual(['restart', 'snapshot', 'exact']);
    await store.close();
  });

  it('keeps the intact lines of a damaged JSON Lines file', async () => {
    const path = join(folder, 'mirror.jsonl');
    const store = jsonLinesStore(path);
    await catchUp(store);
    await store.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('{"put":{"id":"id-9"', '#"put":{"id":"id-9"'));
    ledger.itemsSent = 0;
    const again = jsonLinesStore(path);
    expect((await eventsOf(again)).map(({ kind }) => kind)).toEqual(['repair', 'exact']);
    expect(ledger.itemsSent).toBeLessThan(10);
    expect(await titles(again)).toEqual(expected());
    await again.close();
  });
});

it.each([
  ['SQLite', sqliteStore],
  ['JSON Lines', jsonLinesStore],
])(
  'refuses a file that is no mirror in %s, and setAside keeps it under another name',
  async (_name, open) => {
    const path = join(folder, 'mirror');
    writeFileSync(path, 'my thesis\n'.repeat(1000));
    expect(() => open(path)).toThrow(MirrorFileError);
    expect(readFileSync(setAside(path), 'utf8')).toContain('my thesis');
    const store = open(path);
    await catchUp(store);
    expect(await titles(store)).toEqual(expected());
    await store.close();
  },
);

it('refuses a database of another program', () => {
  const path = join(folder, 'other.db');
  const other = new DatabaseSync(path);
  other.exec('create table notes (text)');
  other.close();
  expect(() => sqliteStore(path)).toThrow(MirrorFileError);
});

it('refuses a SQLite mirror that was cut off', async () => {
  const path = join(folder, 'mirror.db');
  const store = sqliteStore(path);
  await catchUp(store);
  await store.close();
  writeFileSync(path, readFileSync(path).subarray(0, 6000));
  expect(() => sqliteStore(path)).toThrow(MirrorFileError);
});

it('is in step while following, with the time of the last verification, and repairs what is damaged meanwhile', async () => {
  const path = join(folder, 'mirror.db');
  const store = sqliteStore(path);
  const other = new DatabaseSync(path);
  let now = 1000;
  const world = {
    now: () => now,
    wait: () => {
      now += 60_000;
      if (now === 121_000)
        other.exec("update current_item set json = replace(json, 'title of', 'tide of') where id = 'id-7'");
      return Promise.resolve();
    },
  };
  const client = createClient({ baseUrl: server.baseUrl });
  const kinds: string[] = [];
  for await (const event of follow({ client, store, world })) {
    kinds.push(event.kind === 'in-step' ? `in-step since ${event.verifiedAt}` : event.kind);
    if (kinds.length === 6) break;
  }
  expect(kinds).toEqual([
    'snapshot',
    'exact',
    'in-step since 1000',
    'repair',
    'exact',
    'in-step since 121000',
  ]);
  expect(await titles(store)).toEqual(expected());
  other.close();
  await store.close();
});

it('compares a copy with the set of the server, with the changes that it lacks', async () => {
  const store = memoryStore();
  await catchUp(store);
  const client = createClient({ baseUrl: server.baseUrl });
  ledger.put(item('id-3', 'changed'));
  ledger.remove('id-4');
  expect(await verifyOnline(store, client)).toMatchObject({ ok: true, behind: 2, isServersSet: true });
  ledger.epoch += 1;
  expect(await verifyOnline(store, client)).toMatchObject({ ok: true, behind: null, isServersSet: false });
  const other = { server: 'https://other.example' };
  await expect(verifyOnline(store, client, other)).rejects.toThrow(/belongs to/);
});
