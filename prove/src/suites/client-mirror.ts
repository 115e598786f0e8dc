import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { MirrorStore } from '@daybook/client/mirror';
import { verify } from '@daybook/client/mirror';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { sqliteStore } from '@daybook/client/mirror/sqlite';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { FaultyProxy } from '../mirror/faulty-proxy.ts';
import { startFaultyProxy } from '../mirror/faulty-proxy.ts';
import type { FollowerDemand } from '../mirror/follower.ts';
import { Follower } from '../mirror/follower.ts';
import type { MirrorStage } from '../mirror/mirror-stage.ts';
import { setMirrorStage } from '../mirror/mirror-stage.ts';
import {
  readSelectedItems,
  readSelectedSet,
  sourceIdsOfWriters,
  startWriter,
} from '../mirror/selected-set.ts';

const speed = 200;
const writers = 2;
const stores = ['json-lines', 'sqlite'] as const;

export const suite: Suite = {
  name: 'client-mirror',
  summary:
    'mirrors of @daybook/client on a faulty network, killed at random moments: exact at rest, and they know it',
  promise:
    'Mirrors on JSON Lines and SQLite follow the real server while writers change the set. Between them stands a proxy that cuts, delays and corrupts answers and answers 429, 503 and 409; the processes are ended with kill -9 at random moments, and the last line of the file is torn. At rest each copy equals the set, item by item, and says so; one wrong byte is named by verify; no request comes sooner than s-maxage or Retry-After allow.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setMirrorStage();
    const folder = mkdtempSync(join(tmpdir(), 'prove-client-mirror-'));
    const proxy = await startFaultyProxy(stage.address, seededRandom(20), speed);
    try {
      await prove(context, stage, proxy, folder);
    } finally {
      await proxy.close();
      await stage.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface MirrorReport {
  kills: number;
  restarts: number;
  readonly demand: FollowerDemand;
}

async function prove(
  context: SuiteContext,
  stage: MirrorStage,
  proxy: FaultyProxy,
  folder: string,
): Promise<void> {
  const { database } = stage.connection;
  const decisions = context.quick ? 600 : 40_000;
  const kills = context.quick ? 4 : 150;
  const writing = Array.from({ length: writers }, (_, seed) =>
    startWriter({
      url: stage.urls.application,
      seed,
      decisions: decisions / writers,
      sourceIds: sourceIdsOfWriters,
    }),
  );
  const reports = stores.map((store): MirrorReport => {
    const demand = { address: proxy.address, store, path: join(folder, `mirror.${store}`), speed };
    return { kills: 0, restarts: 0, demand };
  });
  await Promise.all(reports.map((report, at) => killOften(report, kills, seededRandom(7 + at))));
  await Promise.all(writing);
  const final = await readSelectedSet(database);
  proxy.calm();
  const caughtUp = await Promise.all(
    reports.map(async (report) => {
      const follower = new Follower(report.demand);
      const isThere = await follower.says(
        ({ kind, size, hash }) => kind === 'exact' && size === final.size && hash === final.hash,
      );
      report.restarts += follower.restarts;
      await follower.kill();
      return isThere;
    }),
  );
  reportFaults(context, proxy, reports);
  const items = await readSelectedItems(database, stage.baseUrl);
  context.figure({ name: 'items in the selected set', value: items.size, unit: 'items' });
  context.figure({
    name: 'mirrors that said that they are exact',
    value: caughtUp.filter(Boolean).length,
    unit: 'mirrors',
    goal: { exactly: stores.length },
  });
  for (const { demand } of reports) await reportCopy(context, demand, items);
}

async function killOften(report: MirrorReport, kills: number, random: () => number): Promise<void> {
  const { demand } = report;
  while (report.kills < kills) {
    const follower = new Follower(demand);
    // Some are killed while they open their store and ask for the first time, the others while they work.
    const isEarly = random() < 0.3;
    await follower.says(({ started, kind }) => (isEarly ? started === true : kind !== undefined));
    const events = isEarly ? 0 : Math.floor(random() * 12);
    for (let left = events; left > 0; left -= 1) await follower.says(({ kind }) => kind !== undefined);
    await setTimeout(random() * 200);
    await follower.kill();
    report.kills += 1;
    report.restarts += follower.restarts;
    if (demand.store === 'json-lines' && existsSync(demand.path) && random() < 0.3)
      appendFileSync(demand.path, '{"put":{"id":"torn","tit');
  }
}

function reportFaults({ figure }: SuiteContext, proxy: FaultyProxy, reports: readonly MirrorReport[]): void {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  figure({ name: 'mirrors killed', value: sum(reports.map(({ kills }) => kills)), unit: 'kills' });
  figure({
    name: 'faults of the network',
    value: sum(Object.values(proxy.faults)),
    unit: 'faults',
    goal: { atLeast: 1 },
  });
  figure({ name: 'new copies begun', value: sum(reports.map(({ restarts }) => restarts)), unit: 'copies' });
  figure({ name: 'requests', value: proxy.requests, unit: 'requests' });
  figure({
    name: 'requests sooner than allowed',
    value: proxy.tooSoon,
    unit: 'requests',
    goal: { exactly: 0 },
  });
}

function openStore({ store, path }: FollowerDemand): MirrorStore {
  return store === 'sqlite' ? sqliteStore(path) : jsonLinesStore(path);
}

async function reportCopy(
  context: SuiteContext,
  demand: FollowerDemand,
  items: ReadonlyMap<string, string>,
): Promise<void> {
  const store = openStore(demand);
  const held = new Map<string, string>();
  for await (const { item } of store.items()) held.set(item.id, JSON.stringify(item));
  const { ok } = await verify(store);
  await store.close();
  const ids = new Set([...held.keys(), ...items.keys()]);
  const different = [...ids].filter((id) => held.get(id) !== items.get(id)).length;
  const name = demand.store === 'sqlite' ? 'SQLite' : 'JSON Lines';
  context.figure({
    name: `${name}: items that differ from the set`,
    value: different,
    unit: 'items',
    goal: { exactly: 0 },
  });
  context.figure({
    name: `${name}: verify found it whole`,
    value: ok ? 1 : 0,
    unit: 'copies',
    goal: { exactly: 1 },
  });
  const missed = await missedBytes(demand, [...items.keys()].slice(0, context.quick ? 10 : 50));
  context.figure({
    name: `${name}: wrong bytes that verify did not name`,
    value: missed,
    unit: 'bytes',
    goal: { exactly: 0 },
  });
}

/** Changes one character of an item in the file itself, and looks whether verify names that item. */
async function missedBytes(demand: FollowerDemand, ids: readonly string[]): Promise<number> {
  const whole = readFileSync(demand.path, 'latin1');
  let missed = 0;
  for (const id of ids) {
    writeFileSync(demand.path, changedByte(whole, id), 'latin1');
    const store = openStore(demand);
    const { differing } = await verify(store);
    await store.close();
    if (!differing.includes(id)) missed += 1;
  }
  writeFileSync(demand.path, whole, 'latin1');
  return missed;
}

/** In every place of the file where this item stands, also where an older version of it does. */
function changedByte(text: string, id: string): string {
  return text.replace(new RegExp(`("id":"${id}".{0,4000}?"discoveredAt":")2`, 'gs'), '$13');
}
