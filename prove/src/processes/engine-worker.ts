import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';

import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import type {
  EditionSet,
  WorkflowDeclaration,
} from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import type { ArticleInput, ArticleStep } from '../engine/article-workflow.ts';
import { articleQueue, articleWorkflow } from '../engine/article-workflow.ts';
import type { EditionKind, SimulatedYear } from '../engine/simulated-year.ts';
import { editionsDue, yearClock } from '../engine/simulated-year.ts';

// A worker like the real one, with work that writes down what it does. Killed, frozen and cut off by the suite.
interface WorkerSettings {
  readonly databaseUrl: string;
  readonly paidUrl: string;
  readonly year: SimulatedYear;
}
const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;
const logger = createLogger('warn', `engine-worker ${process.pid}`);
const { database, pool } = connectDatabase({
  url: settings.databaseUrl,
  name: 'engine-worker',
  connectionsMax: 10,
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 10_000,
});

/** Outside any fence and any transaction: what the process did, whether or not it was entitled to. */
async function mark(workflow: string, step: string, kind: 'start' | 'end' | 'fallback'): Promise<void> {
  await pool.query('INSERT INTO prove.mark (workflow, step, process, kind) VALUES ($1, $2, $3, $4)', [
    workflow,
    step,
    process.pid,
    kind,
  ]);
}

const article: WorkflowDeclaration<ArticleInput, string> = {
  name: articleWorkflow,
  queue: articleQueue,
  run: async (context, { stepMs }) => {
    const id = context.workflowId;
    const work = (name: ArticleStep): Promise<void> =>
      context.step(name, async () => {
        await mark(id, name, 'start');
        await delay(stepMs);
        await mark(id, name, 'end');
      });
    await work('gather');
    await work('extract');
    const text = await context.paid('phrase', {
      call: async (key, signal) => {
        await mark(id, 'phrase', 'start');
        const answer = await fetch(settings.paidUrl, { headers: { 'idempotency-key': key }, signal });
        await mark(id, 'phrase', 'end');
        return answer.text();
      },
      fallback: async () => {
        await mark(id, 'phrase', 'fallback');
        return 'phrased by rule';
      },
    });
    await work('check');
    await context.transaction('publish', async (transaction) => {
      await mark(id, 'publish', 'start');
      await sql`INSERT INTO prove.published (workflow, process) VALUES (${id}, ${process.pid})`.execute(
        transaction,
      );
    });
    return text;
  },
};

const editionSet = (kind: EditionKind): EditionSet => ({
  name: kind,
  due: (nowMs) => editionsDue(kind, nowMs),
  existing: async (transaction, keys) => {
    const { rows } = await sql<{ key: string }>`
      SELECT DISTINCT key FROM prove.edition WHERE key = ANY(${keys})`.execute(transaction);
    return new Set(rows.map((row) => row.key));
  },
  retryAfterMs: 5_000,
  workflow: {
    name: kind,
    queue: { name: 'editions', runningPerProcessMax: 10, pollIntervalMs: 250 },
    run: async (context, { key }) => {
      const text = await context.step('compile', async () => `edition ${key}`);
      await context.transaction('publish', async (transaction) => {
        await sql`INSERT INTO prove.edition (key, process) VALUES (${key}, ${process.pid})`.execute(
          transaction,
        );
      });
      return text;
    },
  },
});

process.on('disconnect', () => process.exit(0));
await startEngine(
  {
    database,
    databaseUrl: settings.databaseUrl,
    lockUrl: settings.databaseUrl,
    client: await createEngineClient({ databaseUrl: settings.databaseUrl, logger }),
    clock: yearClock(settings.year),
    logger,
    applicationVersion: 'prove',
    connectionsMax: 10,
    timings: { reconcileEveryMs: 1_000 },
  },
  { workflows: [article], editions: [editionSet('daily'), editionSet('weekly'), editionSet('monthly')] },
);
