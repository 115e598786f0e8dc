import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';

import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import type {
  EditionSet,
  WorkflowContext,
  WorkflowDeclaration,
} from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import type { EngineTimings } from '../../../apps/server/src/foundation/engine/engine.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import type { ArticleInput, ArticleStep, ArticleVersion } from '../engine/article-workflow.ts';
import { articleQueue, articleSteps, articleWorkflow } from '../engine/article-workflow.ts';
import type { EditionKind, SimulatedYear } from '../engine/simulated-year.ts';
import { editionsDue, yearClock } from '../engine/simulated-year.ts';

// A worker like the real one, with work that writes down what it does. Killed, frozen and cut off by the suite.
interface WorkerSettings {
  readonly databaseUrl: string;
  readonly paidUrl: string;
  readonly year: SimulatedYear;
  readonly timings: Partial<EngineTimings>;
  readonly version: ArticleVersion;
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
  await pool.query(
    'INSERT INTO prove.mark (workflow, step, process, version, kind) VALUES ($1, $2, $3, $4, $5)',
    [workflow, step, process.pid, settings.version, kind],
  );
}

/** Each step by its kind; `articleSteps` defines the steps of a version and their order. */
function takeStep(context: WorkflowContext, name: ArticleStep, stepMs: number): Promise<unknown> {
  const id = context.workflowId;
  if (name === 'phrase') {
    return context.paid(name, {
      call: async (key, signal) => {
        await mark(id, name, 'start');
        const answer = await fetch(settings.paidUrl, { headers: { 'idempotency-key': key }, signal });
        await mark(id, name, 'end');
        return answer.text();
      },
      fallback: async () => {
        await mark(id, name, 'fallback');
        return 'phrased by rule';
      },
    });
  }
  if (name === 'publish') {
    return context.transaction(name, async (transaction) => {
      await mark(id, name, 'start');
      await sql`INSERT INTO prove.published (workflow, process) VALUES (${id}, ${process.pid})`.execute(
        transaction,
      );
    });
  }
  return context.step(name, async () => {
    await mark(id, name, 'start');
    await delay(stepMs);
    await mark(id, name, 'end');
  });
}

const article: WorkflowDeclaration<ArticleInput, null> = {
  name: articleWorkflow,
  version: settings.version,
  queue: articleQueue,
  run: async (context, { stepMs }) => {
    for (const name of articleSteps[settings.version]) await takeStep(context, name, stepMs);
    return null;
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
const engine = await startEngine(
  {
    database,
    databaseUrl: settings.databaseUrl,
    lockUrl: settings.databaseUrl,
    client: createEngineClient({ databaseUrl: settings.databaseUrl, logger }),
    clock: yearClock(settings.year),
    logger,
    connectionsMax: 10,
    timings: settings.timings,
  },
  [{ workflows: [article], editions: [editionSet('daily'), editionSet('weekly'), editionSet('monthly')] }],
);

// Long enough for a step, too short for an article: other workers continue unfinished work.
const drainMs = 500;
process.once('SIGTERM', () => void engine.stop(drainMs).then(() => process.exit(0)));
