import type { AddressInfo } from 'node:net';

import type { RouteTools } from '../../apps/server/src/api.ts';
import { buildApi } from '../../apps/server/src/api.ts';
import type { Config } from '../../apps/server/src/config/config.ts';
import { readConfig } from '../../apps/server/src/config/config.ts';
import type { Clock } from '../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../apps/server/src/foundation/database/database.ts';
import { readMigrations } from '../../apps/server/src/foundation/database/migration-files.ts';
import { startNotificationListener } from '../../apps/server/src/foundation/database/notification-listener.ts';
import type { RouteDeclaration } from '../../apps/server/src/foundation/http/route.ts';
import type { Logger } from '../../apps/server/src/foundation/logger.ts';
import type { Tracer } from '../../apps/server/src/foundation/tracing/tracer.ts';

export interface MeasuredParts extends RouteTools {
  readonly config: Config;
  readonly newsReader: DatabaseConnection;
}

/** The shipped api without a rate limit for its single client; returns its port. */
export async function listenMeasuredApi(
  deps: { readonly logger: Logger; readonly clock: Clock; readonly tracer?: Tracer | null },
  routes: (parts: MeasuredParts) => readonly RouteDeclaration[],
): Promise<number> {
  const config = readConfig({
    ...process.env,
    DAYBOOK_RATE_PER_MINUTE: '1000000000',
    // Other load on a shared machine must not make it refuse the measured requests.
    DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
  });
  const newsReader = connectForBench(config.database.newsReaderUrl, 'bench news', deps.tracer);
  const { server } = await buildApi({
    ...deps,
    config,
    migrations: await readMigrations(),
    application: connectForBench(config.database.applicationUrl, 'bench'),
    newsReader,
    notifications: startNotificationListener({ url: config.database.directUrl }),
    onContractViolation: null,
    routes: (tools) => routes({ ...tools, config, newsReader }),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

export function connectForBench(url: string, name: string, tracer: Tracer | null = null): DatabaseConnection {
  return connectDatabase({
    url,
    name,
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    tracer,
  });
}
