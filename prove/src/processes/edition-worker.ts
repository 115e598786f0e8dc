import { randomBytes } from 'node:crypto';

import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { editionSets } from '../../../apps/server/src/newsroom/editions/compile-edition.ts';
import { createRanking } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import { fileClock } from '../editions/file-clock.ts';

export interface EditionWorkerSettings {
  readonly databaseUrl: string;
  readonly clockFile: string;
}

// Ranks and compiles as a real worker does, by the suite's clock and with short waits. Killed by the suite.
const { databaseUrl, clockFile } = JSON.parse(process.argv[2] ?? '') as EditionWorkerSettings;
const logger = createLogger('error', `report-worker ${process.pid}`);
const { database } = connectDatabase({
  url: databaseUrl,
  name: 'report-worker',
  connectionsMax: 5,
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 10_000,
});
const clock = fileClock(clockFile);
const publisher = createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) });
const editions = editionSets({ clock, publisher, language: 'en', aliases: [] });
process.on('disconnect', () => process.exit(0));
await startEngine(
  {
    database,
    databaseUrl,
    lockUrl: databaseUrl,
    client: createEngineClient({ databaseUrl, logger }),
    clock,
    logger,
    connectionsMax: 5,
    timings: { takeoverEveryMs: 100, takeoverGraceMs: 500, reconcileEveryMs: 150 },
  },
  [
    {
      editions: editions.map((set) => ({
        ...set,
        retryAfterMs: 1_000,
        workflow: { ...set.workflow, queue: { ...set.workflow.queue, pollIntervalMs: 50 } },
      })),
      recurringTasks: [createRanking({ clock, publisher })],
    },
  ],
);
