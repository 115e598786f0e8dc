import type { Config } from '../config/config.ts';
import { systemClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { isDatabaseUnreachable } from '../foundation/database/database.ts';
import type { Logger } from '../foundation/logger.ts';
import { describeSigningKeyFault } from '../identity/wiring.ts';

/** A sentence if the configured secret keys do not open the values of this database; null without accounts. */
export async function describeSecretFault({ identity }: Config, database: Database): Promise<string | null> {
  if (identity.secretKeys.length === 0) return null;
  return describeSigningKeyFault(database, identity.secretKeys, systemClock.now());
}

/** The same at the start of an api process, which continues to serve cached copies while the database is unreachable. */
export async function logSecretFault(config: Config, database: Database, logger: Logger): Promise<void> {
  try {
    const fault = await describeSecretFault(config, database);
    if (fault !== null) logger.error({ fault }, 'the server is not ready');
  } catch (error) {
    if (!isDatabaseUnreachable(error)) logger.error({ err: error }, 'the secret key could not be checked');
  }
}
