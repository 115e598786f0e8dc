import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { preparationThread, publicationWork } from '../../../apps/server/src/newsroom/newsroom-work.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import { announceReady } from '../server-usage.ts';

// The share of a worker that publishes, without the engine: publishes whatever has landed, until it is ended.
const { database } = connectDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  name: 'bench publication',
  connectionsMax: 4,
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
});
const clock = { ...systemClock, speed: 1 };
const ids = createIdSource({ clock, randomBytes });
const publisher = createPublisher({ database, clock, ids });
const logger = createLogger('warn', 'bench publication');
const { prepare } = preparationThread({});
const work = publicationWork({ database, clock, ids, publisher, logger, prepare });
const publication = work.sweeps.find(({ name }) => name === 'publish-entries');
announceReady({});
const { signal } = new AbortController();
for (;;) {
  await publication?.run({
    epoch: 1,
    signal,
    enqueue: async () => {},
    transaction: (work) => retryConcurrentChanges(database, () => database.transaction().execute(work)),
  });
  await delay(50);
}
