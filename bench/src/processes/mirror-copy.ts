import { DatabaseSync } from 'node:sqlite';

import { createClient } from '@daybook/client';
import { follow } from '@daybook/client/mirror';
import { sqliteStore } from '@daybook/client/mirror/sqlite';
import type { ItemsResponse, SnapshotResponse } from '@daybook/client/types';

// Runs one operation and prints its cost: a separate process, because CPU time and memory are counted per process.
const [how = '', address = '', path = '', times = '1'] = process.argv.slice(2);
const client = createClient({ baseUrl: address });

const works: Record<string, () => Promise<void>> = {
  copy: async () => {
    const store = sqliteStore(path);
    for await (const event of follow({ client, store, once: true, world: unhurried })) void event;
    await store.close();
  },
  'bare copy': async () => {
    const database = new DatabaseSync(path);
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    database.exec(
      'create table item (id text primary key, discovered_at text not null, digest text not null, json text not null) strict, without rowid',
    );
    database.exec('create table progress (copy text primary key, json text not null) strict');
    const insert = database.prepare('insert or replace into item values (?, ?, ?, ?)');
    const advance = database.prepare('insert or replace into progress values (?, ?)');
    for (let page: string | null = ''; page !== null;) {
      const answer = await fetch(
        `${address}/api/v1/selected/snapshot?limit=1000${page === '' ? '' : `&page=${page}`}`,
      );
      const { items, cursor, nextPage } = JSON.parse(await answer.text()) as SnapshotResponse;
      database.exec('begin immediate');
      for (const item of items) insert.run(item.id, item.discoveredAt, '', JSON.stringify(item));
      advance.run('next', JSON.stringify({ cursor, nextPage }));
      database.exec('commit');
      page = nextPage;
    }
    database.close();
  },
  check: async () => {
    const store = sqliteStore(path);
    for (let left = Number(times); left > 0; left -= 1)
      for await (const event of follow({ client, store, once: true, world: unhurried })) void event;
    await store.close();
  },
  call: async () => {
    for (let left = Number(times); left > 0; left -= 1) {
      const answer = await client.listItems({ limit: 20 });
      if (!answer.ok || answer.data.items.length !== 20) throw new Error('not twenty items');
    }
  },
  'bare call': async () => {
    for (let left = Number(times); left > 0; left -= 1) {
      const answer = await fetch(`${address}/api/v1/items?limit=20`);
      const { items } = JSON.parse(await answer.text()) as ItemsResponse;
      if (items.length !== 20) throw new Error('not twenty items');
    }
  },
};
const unhurried = { now: () => 0, wait: () => Promise.resolve() };

await fetch(`${address}/api/v1/items?limit=1`).then((answer) => answer.text());
const before = process.cpuUsage();
const startedAt = performance.now();
await works[how]?.();
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(before);
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMb }));
