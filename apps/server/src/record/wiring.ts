/** For api.ts, wiring and the commands: functions that open, maintain and check the record. */
export * as bulkImport from './bulk-import.ts';
export { readWithdrawals } from './corrections/withdrawal-store.ts';
export { recomposeItems } from './item-decisions/recompose-items.ts';
export { rollWindow } from './items/window-store.ts';
export { startNewEpoch } from './ledger/ledger-store.ts';
export { nextOrigin, startLogEpoch } from './log/log-epoch.ts';
export { readEpochHead } from './log/log-epoch-store.ts';
export { registerLogMetrics } from './log/log-metrics.ts';
export * as logKeyFile from './log/log-keys.ts';
export { readLogSigner } from './log/log-signer.ts';
export { createPublisher } from './publish.ts';
export { registerPurgeMetrics } from './purges/purge-metrics.ts';
export { replayRanking } from './rankings/replay-ranking.ts';
export type { RankingReplay } from './rankings/replay-ranking.ts';
export { createRecordReader, searchesRunningMax } from './reader.ts';
export { createRecordWork } from './record-work.ts';
export { readCacheTagVersions } from './representation-version-store.ts';
export { verifyRecord } from './verify.ts';
