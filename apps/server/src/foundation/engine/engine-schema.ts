import { setTimeout as delay } from 'node:timers/promises';

import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import pg from 'pg';

import type { Logger } from '../logger.ts';
import { sdkLogger } from './sdk-logger.ts';

/** The same for every Daybook process: two that migrate at once take turns. */
const engineMigrationLock = 4_209_210_034;

/** Makes or renews the engine's own tables as the owner, and lets the application work with their rows, no more. */
export async function migrateEngine(ownerUrl: string, logger: Logger): Promise<void> {
  const pool = new pg.Pool({
    connectionString: ownerUrl,
    application_name: 'daybook migrate engine',
    max: 2,
  });
  pool.on('error', () => {});
  const holder = await pool.connect();
  try {
    // Not a waiting lock: a waiter holds a snapshot, and CREATE INDEX CONCURRENTLY waits for every snapshot.
    while (!(await tryLock(holder))) await delay(50);
    await ensureSystemDatabase(ownerUrl, sdkGlobalLogger(logger), pool, 'dbos');
    await holder.query(grants);
  } finally {
    holder.release(true);
    await pool.end();
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    engineMigrationLock,
  ]);
  return rows[0]?.locked === true;
}

type SdkGlobalLogger = Parameters<typeof ensureSystemDatabase>[1];

/** The SDK types its own class here and calls these methods only. */
function sdkGlobalLogger(logger: Logger): SdkGlobalLogger {
  return sdkLogger(logger) as unknown as SdkGlobalLogger;
}

const grants = `
  GRANT USAGE ON SCHEMA dbos TO daybook_application;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA dbos TO daybook_application;
  REVOKE INSERT, UPDATE, DELETE ON dbos.dbos_migrations FROM daybook_application;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA dbos TO daybook_application;
`;
