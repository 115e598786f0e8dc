import type { Api, ApiParts } from './api.ts';
import { buildApi } from './api.ts';
import type { Config } from './config/config.ts';
import { systemClock } from './foundation/clock.ts';
import type { DatabaseConnection } from './foundation/database/database.ts';
import { connectDatabase } from './foundation/database/database.ts';
import { readMigrations } from './foundation/database/migration-files.ts';
import type { Logger } from './foundation/logger.ts';
import { createLogger } from './foundation/logger.ts';

export interface RunningProcess {
  readonly logger: Logger;
  readonly stop: () => Promise<void>;
}

/** Connects everything an api process needs and listens. */
export async function startApi(config: Config): Promise<RunningProcess & { readonly address: string }> {
  const logger = createLogger(config.log.level, 'api');
  const application = connect(config, config.database.applicationUrl, 'daybook api');
  const newsReader = connect(config, config.database.newsReaderUrl, 'daybook news');
  const parts: ApiParts = {
    config,
    logger,
    clock: systemClock,
    migrations: await readMigrations(),
    application,
    newsReader,
    onContractViolation: config.contractChecks
      ? (violation) => logger.error({ err: violation }, 'contract')
      : null,
    routes: () => [],
  };
  const api: Api = await buildApi(parts);
  const address = await api.server.listen({ host: config.http.host, port: config.http.port });
  return {
    logger,
    address,
    stop: async () => {
      await api.stop();
      await Promise.all([application.close(), newsReader.close()]);
    },
  };
}

function connect(config: Config, url: string, name: string): DatabaseConnection {
  return connectDatabase({
    url,
    name,
    connectionsMax: config.database.connectionsMax,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 3_000,
  });
}
