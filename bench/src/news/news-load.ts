import { randomBytes } from 'node:crypto';

import type { Dispatch } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';

import { dayMs, hourMs } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';
import { bulkImport, createPublisher, rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { itemOf, dispatchedItem } from '../../../apps/simulation/src/dispatched-item.ts';
import { loadedAtMs } from './news-moment.ts';
import { topicsToRank } from './news-ranking.ts';

export interface NewsSet {
  /** Items of the last seven days. */
  readonly inWindow: number;
  /** Older ones, which are only in the archive. */
  readonly older: number;
  /** How many of the older ones are selected: the first representatives of their reading groups. */
  readonly olderSelected: number;
}

const windowDays = 7;
/** The gap is a day longer than the window, so that no older item is in the window. */
const olderUntilMs = loadedAtMs - 9 * dayMs;
const olderPerDay = 10_000;

/** The world that fills the window; search terms are drawn from it. */
export function windowWorld(inWindow: number): ReturnType<typeof createWorld> {
  const itemsPerDay = Math.ceil(inWindow / windowDays);
  return createWorld({ seed: 7, startsAt: loadedAtMs - windowDays * dayMs, days: windowDays, itemsPerDay });
}

/** Through the record's own bulk import, then a ranking through its publisher, then what autovacuum would do. */
export async function loadNewsSet(
  urls: DatabaseUrls,
  set: NewsSet,
  note: (text: string) => void,
): Promise<void> {
  const [owner, application] = [connect(urls.owner), connect(urls.application)];
  const now = instantFromMs(loadedAtMs);
  const clock = { now: () => now, nowMs: () => loadedAtMs };
  const ids = createIdSource({ clock, randomBytes });
  try {
    await rollWindow(application.database, now);
    const load = (items: Iterable<bulkImport.ItemToImport>) =>
      bulkImport.importItems({ pool: application.pool, clock, ids }, counted(items, note));
    await bulkImport.rebuildingSearchIndex(owner.database, async () => {
      if (set.older > 0) await load(olderItems(set));
      await load(windowItems(set));
    });
    const publisher = createPublisher({ database: application.database, clock, ids });
    const ranked = await publisher.publishRanking({ candidates: await topicsToRank(application.pool) });
    if (!ranked.ok) throw new Error(`the ranking was refused: ${ranked.reason}`);
    await owner.pool.query('VACUUM (ANALYZE)');
  } finally {
    await Promise.all([owner.close(), application.close()]);
  }
}

function* windowItems({ inWindow }: NewsSet): Generator<bulkImport.ItemToImport> {
  let loaded = 0;
  for (const dispatch of windowWorld(inWindow).dispatches()) {
    const { selected, reason } = dispatch;
    const item = itemOf(dispatchedItem(dispatch));
    if (item.discoveredAt > instantFromMs(loadedAtMs) || loaded === inWindow) return;
    loaded += 1;
    yield selected ? { ...item, selection: { reason: reason ?? 'Chosen by an editor.' } } : item;
  }
}

function* olderItems({ older, olderSelected }: NewsSet): Generator<bulkImport.ItemToImport> {
  const days = Math.ceil(older / olderPerDay) + 1;
  const startsAt = olderUntilMs - days * dayMs;
  let [loaded, selected] = [0, 0];
  for (const dispatch of createWorld({ seed: 8, startsAt, days, itemsPerDay: olderPerDay }).dispatches()) {
    if (loaded === older) return;
    loaded += 1;
    const item = itemOf(dispatchedItem(fromAnotherWorld(dispatch)));
    if (dispatch.representative && selected < olderSelected) {
      selected += 1;
      yield { ...item, selection: { reason: dispatch.reason ?? 'Chosen by an editor.' } };
    } else yield item;
  }
  throw new Error(`the world has ${loaded} dispatches of ${older}`);
}

/** Worlds name their dispatches by hour and number, so two of them use the same names. */
function fromAnotherWorld(dispatch: Dispatch): Dispatch {
  return { ...dispatch, key: `older ${dispatch.key}`, groupKey: `older ${dispatch.groupKey}` };
}

const noteEvery = 250_000;

function* counted<Value>(values: Iterable<Value>, note: (text: string) => void): Generator<Value> {
  let count = 0;
  for (const value of values) {
    yield value;
    count += 1;
    if (count % noteEvery === 0) note(`${count.toLocaleString('en-US')} items loaded`);
  }
}

function connect(url: string): DatabaseConnection {
  return connectDatabase({
    url,
    name: 'bench load',
    connectionsMax: 2,
    statementTimeoutMs: hourMs,
    connectTimeoutMs: 10_000,
  });
}
