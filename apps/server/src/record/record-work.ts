import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import type { ArchiveFileDeps } from './archive-files/write-archive-files.ts';
import { createArchiveFiling } from './archive-files/write-archive-files.ts';
import { createWindowUpkeep } from './items/window-upkeep.ts';
import type { CosignLogDeps } from './log/cosign-log.ts';
import { createLogCosigning } from './log/cosign-log.ts';
import type { SequenceLogDeps } from './log/sequence-log.ts';
import { createLogSequencing } from './log/sequence-log.ts';
import type { PurgeEdgesDeps } from './purges/purge-edges.ts';
import { createEdgePurging } from './purges/purge-edges.ts';
import { createRankingUpkeep } from './rankings/ranking-upkeep.ts';

/** The background work of the record: window partitions, old rankings, purges, the public log, files of the archive. */
export function createRecordWork(
  deps: PurgeEdgesDeps & SequenceLogDeps & ArchiveFileDeps & Partial<Pick<CosignLogDeps, 'witnesses'>>,
): EngineDeclarations {
  return {
    recurringTasks: [createWindowUpkeep(deps), createRankingUpkeep(deps)],
    sweeps: [
      createEdgePurging(deps),
      createLogSequencing(deps),
      createLogCosigning({ ...deps, witnesses: deps.witnesses ?? [] }),
      createArchiveFiling(deps),
    ],
  };
}
