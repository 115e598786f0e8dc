import { sql } from 'kysely';
import type pg from 'pg';

import { systemClock } from '../src/foundation/clock.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import { createEngineClient } from '../src/foundation/engine/engine-client.ts';
import type { WorkflowDeclaration } from '../src/foundation/engine/engine-declarations.ts';
import { startEngine } from '../src/foundation/engine/engine.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createRecordFactory, valueOf } from './factories/record-factory.ts';

// A worker with one workflow that publishes and selects an item beside a row of its own. It kills itself at a given
// point: inside the transaction, with COMMIT in flight to the server, or after the commit and before the engine has
// recorded the step.
const [url = '', killAt = 'never'] = process.argv.slice(2);
const kill = (): boolean => process.kill(process.pid, 'SIGKILL');

const { database, pool } = connectDatabase({
  url,
  name: 'publishing worker',
  connectionsMax: 5,
  statementTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
});
let written = false;
pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...given: readonly unknown[]) => Promise<unknown>;
  client.query = ((...given: readonly unknown[]) => {
    const answer = query(...given);
    const [text] = given as [string | pg.QueryConfig | undefined];
    if (written && (typeof text === 'string' ? text : text?.text) === 'commit') {
      if (killAt === 'during-commit') kill();
      if (killAt === 'after-commit') void answer.then(kill);
    }
    return answer;
  }) as typeof client.query;
});
const { publisher, draft } = createRecordFactory({ database, clock: systemClock });

const publish: WorkflowDeclaration<null, string> = {
  name: 'publish',
  queue: { name: 'publishing', pollIntervalMs: 50 },
  run: (context) =>
    context.transaction('publish', async (transaction) => {
      await sql`INSERT INTO foundation.written VALUES ('once')`.execute(transaction);
      const itemId = await publisher.within(transaction, async (decisions) => {
        const published = valueOf(await decisions.publishItem(draft()));
        valueOf(await decisions.selectItem({ itemId: published.itemId, reason: 'It matters.' }));
        return published.itemId;
      });
      written = true;
      if (killAt === 'before-commit') kill();
      return itemId;
    }),
};

const logger = createLogger('silent', 'test');
const client = createEngineClient({ databaseUrl: url, logger });
await startEngine(
  {
    database,
    databaseUrl: url,
    lockUrl: url,
    client,
    clock: systemClock,
    logger,
    connectionsMax: 5,
    timings: { takeoverEveryMs: 50, takeoverGraceMs: 200, reconcileEveryMs: 60_000 },
  },
  [{ workflows: [publish] }],
);
await database
  .transaction()
  .execute((transaction) => client.enqueue(transaction, publish, { id: 'publish-1', input: null }));
