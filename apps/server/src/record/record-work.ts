import type { Clock } from '../foundation/clock.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createWindowUpkeep } from './items/window-upkeep.ts';
import type { PurgeEdgesDeps } from './purges/purge-edges.ts';
import { createEdgePurging } from './purges/purge-edges.ts';
import { createRankingUpkeep } from './rankings/ranking-upkeep.ts';

/** The background work of the record: window partitions, old rankings and purges of shared caches. */
export function createRecordWork(deps: PurgeEdgesDeps & { readonly clock: Clock }): EngineDeclarations {
  return {
    recurringTasks: [createWindowUpkeep(deps), createRankingUpkeep(deps)],
    sweeps: [createEdgePurging(deps)],
  };
}
