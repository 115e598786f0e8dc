import { randomBytes } from 'node:crypto';

import { sql } from 'kysely';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import type { Decisions } from '../../../apps/server/src/record/index.ts';
import { createRecordWork, logKeyFile } from '../../../apps/server/src/record/wiring.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import type { LogWriterDemand } from '../log/log-demand.ts';
import { baseUrl } from '../news/news-stage.ts';

// A worker that publishes, revises, withdraws and opens stories at random until it is killed, and sequences the public log
// beside that. What each decision did is written in its own transaction.
const demand = JSON.parse(process.argv[2] ?? '') as LogWriterDemand;
const { database } = connectDatabase({
  url: demand.url,
  name: 'prove log writer',
  connectionsMax: 6,
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 5_000,
});
const logger = createLogger('silent', 'prove');
const record = createRecordFactory({ database, clock: systemClock, randomBytes });
const below = (limit: number): number => Math.floor(Math.random() * limit);

type Noted = readonly [kind: string, action: string, subject: string];

async function anItem(): Promise<Id<'item'> | null> {
  const { rows } = await sql<{ id: Id<'item'> }>`
    SELECT id FROM record.item WHERE withdrawn_at IS NULL AND story_id IS NULL ORDER BY id DESC LIMIT 40`.execute(
    database,
  );
  return rows[below(rows.length)]?.id ?? null;
}

/** What the decision must write to the log, in this order; nothing if it was refused. */
async function decideOnce(decisions: Decisions, itemId: Id<'item'> | null): Promise<readonly Noted[]> {
  const choice = below(10);
  if (itemId === null || choice < 4) {
    const published = await decisions.publishItem(
      record.draft({ title: `Item ${randomBytes(6).toString('hex')}` }),
    );
    return published.ok ? [['item', 'published', published.value.itemId]] : [];
  }
  if (choice < 8) {
    const title = `Revised ${randomBytes(6).toString('hex')}`;
    const revised = await decisions.reviseItem({ itemId, changes: { title } });
    return revised.ok ? [['item', 'revised', itemId]] : [];
  }
  if (choice < 9) {
    const opened = await decisions.openStory({ title: 'Story', itemIds: [itemId] });
    if (!opened.ok) return [];
    // The story of an item is part of its public body.
    return [
      ['story', 'opened', opened.value.storyId],
      ['item', 'revised', itemId],
    ];
  }
  const withdrawn = await decisions.withdrawItem({ itemId });
  return withdrawn.ok ? [['item', 'withdrawn', itemId]] : [];
}

async function decideAndNote(): Promise<void> {
  const itemId = await anItem();
  const noted = await retryConcurrentChanges(database, () =>
    database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ began: string }>`SELECT clock_timestamp()::text AS began`.execute(
        transaction,
      );
      const done = await record.publisher.within(transaction, (decisions) => decideOnce(decisions, itemId));
      const ids: string[] = [];
      for (const [kind, action, subject] of done) {
        const inserted = await sql<{ id: string }>`
          INSERT INTO log_proof.decided (kind, action, subject, began)
          VALUES (${kind}, ${action}, ${subject}, ${rows[0]?.began}::timestamptz) RETURNING id::text`.execute(
          transaction,
        );
        ids.push(...inserted.rows.map(({ id }) => id));
      }
      return ids;
    }),
  );
  for (const id of noted)
    await sql`INSERT INTO log_proof.returned (id) VALUES (${id}::bigint)`.execute(database);
}

const client = createEngineClient({ databaseUrl: demand.url, logger });
const signer = await logKeyFile.parseLogKeys(demand.keys);
const { checkpointEverySeconds } = demand;
await startEngine(
  {
    database,
    databaseUrl: demand.url,
    lockUrl: demand.url,
    client,
    clock: systemClock,
    logger,
    connectionsMax: 3,
    timings: { takeoverEveryMs: 200, takeoverGraceMs: 500, reconcileEveryMs: 60_000 },
  },
  [
    createRecordWork({
      database,
      clock: systemClock,
      caches: [],
      logger,
      signer,
      checkpointEverySeconds,
      baseUrl,
    }),
  ],
);
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
await Promise.all(
  Array.from({ length: 2 }, async () => {
    for (;;) await decideAndNote();
  }),
);
