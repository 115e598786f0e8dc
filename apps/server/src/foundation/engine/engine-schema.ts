import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import pg from 'pg';

import { ownerSession, retryOnLockTimeout } from '../database/owner-session.ts';
import { takeSessionLock } from '../database/session-lock.ts';
import type { Logger } from '../logger.ts';
import { sdkLogger } from './sdk-logger.ts';

/** The same for every Daybook process: two that migrate at once take turns. */
const engineMigrationLock = 4_209_210_034;

/** Makes or renews the engine's own tables as the owner, and lets the application work with their rows, no more. */
export async function migrateEngine(ownerUrl: string, logger: Logger): Promise<void> {
  const pool = new pg.Pool({ ...ownerSession(ownerUrl, 'daybook migrate engine'), max: 2 });
  pool.on('error', () => {});
  const holder = await pool.connect();
  try {
    await takeSessionLock(holder, engineMigrationLock);
    // The SDK notes each of its migrations when it is done, and goes on where it was interrupted.
    await retryOnLockTimeout(() => ensureSystemDatabase(ownerUrl, sdkGlobalLogger(logger), pool, 'dbos'));
    await buildIndex(holder);
    await retryOnLockTimeout(() => holder.query(grants));
  } finally {
    holder.release(true);
    await pool.end();
  }
}

/** Waits for open transactions as long as it takes, which holds up nobody; a try that was cut off is cleared away. */
async function buildIndex(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('dbos.daybook_bound_work')`,
  );
  if (rows[0]?.valid === true) return;
  await client.query('SET lock_timeout = 0');
  await client.query('DROP INDEX CONCURRENTLY IF EXISTS dbos.daybook_bound_work');
  await client.query(boundWorkIndex);
  await client.query('RESET lock_timeout');
}

type SdkGlobalLogger = Parameters<typeof ensureSystemDatabase>[1];

/** The SDK types its own class here and calls these methods only. */
function sdkGlobalLogger(logger: Logger): SdkGlobalLogger {
  return sdkLogger(logger) as unknown as SdkGlobalLogger;
}

/** Few rows: only work that was begun, put back and waits. See `workflow-release-store.ts`. */
const boundWorkIndex = `
  CREATE INDEX CONCURRENTLY daybook_bound_work ON dbos.workflow_status (application_version)
  WHERE status IN ('ENQUEUED', 'DELAYED') AND application_version IS NOT NULL`;

const grants = `
  GRANT USAGE ON SCHEMA dbos TO daybook_application;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA dbos TO daybook_application;
  REVOKE INSERT, UPDATE, DELETE ON dbos.dbos_migrations FROM daybook_application;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA dbos TO daybook_application;
`;
