import { setTimeout as delay } from 'node:timers/promises';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import pg from 'pg';

import {
  connectDatabase,
  isDatabaseUnreachable,
} from '../../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import { migrateEngine } from '../../../apps/server/src/foundation/engine/engine-schema.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import type { ArticleInput } from './article-workflow.ts';
import { articleQueue, articleWorkflow } from './article-workflow.ts';

export interface EngineStage {
  readonly cluster: Cluster;
  readonly applicationUrl: string;
  readonly newsReaderUrl: string;
  /** Reads as the superuser, and waits for a database that is being restarted. */
  readonly query: <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** Enqueues one workflow in a transaction; retries until the database has committed it. */
  readonly enqueueArticle: (id: string, input: ArticleInput) => Promise<void>;
  readonly remove: () => Promise<void>;
}

// No unique keys on purpose: whatever is done twice must show.
const tables = `
  CREATE SCHEMA prove;
  CREATE TABLE prove.mark (workflow text, step text, process integer, version integer, kind text, at timestamptz DEFAULT clock_timestamp());
  CREATE TABLE prove.published (workflow text, process integer, at timestamptz DEFAULT clock_timestamp());
  CREATE TABLE prove.edition (key text, process integer, at timestamptz DEFAULT clock_timestamp());
  CREATE INDEX ON prove.edition (key);
  CREATE INDEX ON prove.mark (process);
  GRANT USAGE ON SCHEMA prove TO daybook_application;
  GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA prove TO daybook_application;`;

export async function setEngineStage(): Promise<EngineStage> {
  const cluster = await startCluster();
  try {
    return await openEngineStage(cluster);
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

async function openEngineStage(cluster: Cluster): Promise<EngineStage> {
  const name = 'daybook_engine';
  const urls = await createLogins({ superuserUrl: cluster.url(), database: name, password: 'prove' });
  const logger = createLogger('silent', 'prove');
  await migrate(urls.owner, await readMigrations());
  await migrateEngine(urls.owner, logger);
  const connection = connectDatabase({
    url: urls.application,
    name: 'prove',
    connectionsMax: 2,
    statementTimeoutMs: 20_000,
    connectTimeoutMs: 5_000,
  });
  const client = createEngineClient({ databaseUrl: urls.application, logger });
  const query = <Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    whenThere(() => queryOnce<Row>(cluster.url(name), text, values));
  await query(tables);
  const workflow = { name: articleWorkflow, queue: articleQueue, run: () => Promise.resolve('') };
  return {
    cluster,
    applicationUrl: urls.application,
    newsReaderUrl: urls.newsReader,
    query,
    enqueueArticle: (id, input) =>
      whenThere(() =>
        connection.database
          .transaction()
          .execute((transaction) => client.enqueue(transaction, workflow, { id, input })),
      ),
    remove: async () => {
      await client.close();
      await connection.close();
      await cluster.remove();
    },
  };
}

async function queryOnce<Row>(url: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values.length > 0 ? [...values] : undefined)).rows as Row[];
  } finally {
    await client.end().catch(() => {});
  }
}

async function whenThere<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      await delay(100);
    }
  }
}
