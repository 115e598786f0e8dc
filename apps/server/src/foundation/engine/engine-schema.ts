import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import pg from 'pg';

import { ownerSession, retryOnLockTimeout } from '../database/owner-session.ts';
import { takeSessionLock } from '../database/session-lock.ts';
import type { Logger } from '../logger.ts';
import { sdkLogger } from './sdk-logger.ts';

/** The same for every Daybook process: two that migrate at once run one after the other. */
const engineMigrationLock = 4_209_210_034;

/** Creates or updates the engine's tables as the owner, and grants the application access to their rows. */
export async function migrateEngine(ownerUrl: string, logger: Logger): Promise<void> {
  const pool = new pg.Pool({ ...ownerSession(ownerUrl, 'daybook migrate engine'), max: 2 });
  pool.on('error', () => {});
  const holder = await pool.connect();
  try {
    await takeSessionLock(holder, engineMigrationLock);
    // The SDK records each finished migration and resumes where it was interrupted.
    await retryOnLockTimeout(() => ensureSystemDatabase(ownerUrl, sdkGlobalLogger(logger), pool, 'dbos'));
    await buildIndex(holder);
    await retryOnLockTimeout(() => holder.query(grants));
  } finally {
    holder.release(true);
    await pool.end();
  }
}

/** Waits for open transactions without a limit, which blocks no session; drops an interrupted build first. */
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

/** The SDK declares its own class here and calls only these methods. */
function sdkGlobalLogger(logger: Logger): SdkGlobalLogger {
  return sdkLogger(logger) as unknown as SdkGlobalLogger;
}

/** Few rows: only work that was started, requeued and waits. See `workflow-release-store.ts`. */
const boundWorkIndex = `
  CREATE INDEX CONCURRENTLY daybook_bound_work ON dbos.workflow_status (application_version)
  WHERE status IN ('ENQUEUED', 'DELAYED') AND application_version IS NOT NULL`;

const grants = `
  GRANT USAGE ON SCHEMA dbos TO daybook_application;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA dbos TO daybook_application;
  REVOKE INSERT, UPDATE, DELETE ON dbos.dbos_migrations FROM daybook_application;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA dbos TO daybook_application;
`;
