import { randomBytes } from 'node:crypto';

import type * as newswireModule from '@daybook/newswire';

import type * as databaseModule from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type * as idsModule from '../../../apps/server/src/foundation/ids.ts';
import type * as instantModule from '../../../apps/server/src/foundation/instant.ts';
import type * as recordModule from '../../../apps/server/src/record/wiring.ts';
import type * as simulationModule from '../../../apps/simulation/src/dispatched-item.ts';

export interface ReleasedLoad {
  /** Of the release's source, with its packages. */
  readonly root: string;
  readonly urls: DatabaseUrls;
  /** At most; fewer if they are not imported within this time. */
  readonly items: number;
  readonly withinMs: number;
}

const dayMs = 86_400_000;
const itemsPerDay = 10_000;

/** Imports items of the last days with the code of an older release, as its operators would have. */
const { root, urls, items, withinMs } = JSON.parse(process.argv[2] ?? '') as ReleasedLoad;
const load = async <Module>(path: string): Promise<Module> => (await import(`${root}/${path}`)) as Module;
const { connectDatabase } = await load<typeof databaseModule>(
  'apps/server/src/foundation/database/database.ts',
);
const { createIdSource } = await load<typeof idsModule>('apps/server/src/foundation/ids.ts');
const { instantFromMs } = await load<typeof instantModule>('apps/server/src/foundation/instant.ts');
const { bulkImport, rollWindow } = await load<typeof recordModule>('apps/server/src/record/wiring.ts');
const { createWorld } = await load<typeof newswireModule>('packages/newswire/src/index.ts');
// The release named these functions otherwise.
const { itemOf, tellDispatch } = await load<{
  readonly itemOf: (told: unknown) => ReturnType<typeof simulationModule.itemOf>;
  readonly tellDispatch: (dispatch: newswireModule.Dispatch) => unknown;
}>('apps/simulation/src/told-dispatch.ts');

const nowMs = Date.now();
const clock = { now: () => instantFromMs(nowMs), nowMs: () => nowMs };
const connect = (url: string): ReturnType<typeof connectDatabase> =>
  connectDatabase({
    url,
    name: 'prove upgrade load',
    connectionsMax: 2,
    statementTimeoutMs: 3_600_000,
    connectTimeoutMs: 10_000,
  });
const [owner, application] = [connect(urls.owner), connect(urls.application)];
await rollWindow(application.database, clock.now());
await bulkImport.rebuildingSearchIndex(owner.database, () =>
  bulkImport.importItems(
    { pool: application.pool, clock, ids: createIdSource({ clock, randomBytes }) },
    toldItems(),
  ),
);
await owner.pool.query('VACUUM (ANALYZE)');
await Promise.all([owner.close(), application.close()]);

function* toldItems(): Generator<ReturnType<typeof itemOf>> {
  const days = Math.max(2, Math.ceil(items / itemsPerDay) + 1);
  const perDay = Math.ceil(items / (days - 1));
  const world = createWorld({ seed: 31, startsAt: nowMs - days * dayMs, days, itemsPerDay: perDay });
  let told = 0;
  for (const dispatch of world.dispatches()) {
    if (told === items || performance.now() > withinMs) return;
    told += 1;
    const item = itemOf(tellDispatch(dispatch));
    yield dispatch.selected
      ? { ...item, selection: { reason: dispatch.reason ?? 'Chosen by an editor.' } }
      : item;
  }
}
