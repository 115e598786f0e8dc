import type { Api, ApiParts, RouteTools } from './api.ts';
import { buildApi } from './api.ts';
import type { Config } from './config/config.ts';
import { systemClock } from './foundation/clock.ts';
import type { DatabaseConnection } from './foundation/database/database.ts';
import { connectDatabase } from './foundation/database/database.ts';
import { migrate, readSchemaState } from './foundation/database/migrate.ts';
import type { Migration } from './foundation/database/migration-files.ts';
import { readMigrations } from './foundation/database/migration-files.ts';
import { migrateEngine } from './foundation/engine/engine-schema.ts';
import { httpProblems } from './foundation/http/http-problems.ts';
import type { RouteDeclaration } from './foundation/http/route.ts';
import { problemsOf } from './foundation/http/route.ts';
import type { Logger } from './foundation/logger.ts';
import { createLogger } from './foundation/logger.ts';
import type { NewsDeps } from './news/index.ts';
import { newsRoutes, searchesRunningMax } from './news/index.ts';
import { createWindowUpkeep } from './record/index.ts';
import { siteRoutes } from './site/index.ts';
import { buildWorker } from './worker.ts';

const connectTimeoutMs = 3_000;
/** A search that takes longer than this is of use to nobody and in the way of others. */
const searchTimeoutMs = 2_000;

export interface RunningProcess {
  readonly logger: Logger;
  readonly stop: () => Promise<void>;
}

/** Connects everything an api process needs and listens. */
export async function startApi(config: Config): Promise<RunningProcess & { readonly address: string }> {
  const logger = createLogger(config.log.level, 'api');
  const application = connect(config, config.database.applicationUrl, 'daybook api');
  const newsReader = connect(config, config.database.newsReaderUrl, 'daybook news');
  const search = connectDatabase({
    url: config.database.newsReaderUrl,
    name: 'daybook search',
    connectionsMax: searchesRunningMax,
    statementTimeoutMs: searchTimeoutMs,
    connectTimeoutMs,
  });
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
    routes: (tools) =>
      publicRoutes(tools, {
        ...config.news,
        database: newsReader.database,
        searchDatabase: search.database,
        clock: systemClock,
      }),
  };
  const api: Api = await buildApi(parts);
  const address = await api.server.listen({ host: config.http.host, port: config.http.port });
  return {
    logger,
    address,
    stop: async () => {
      await api.stop();
      await Promise.all([application.close(), newsReader.close(), search.close()]);
    },
  };
}

/** Everything an api process serves; each error that any of it can raise has its page. */
export function publicRoutes(tools: RouteTools, news: NewsDeps): readonly RouteDeclaration[] {
  const routes = newsRoutes(tools, news);
  return [...routes, ...siteRoutes(tools, [...httpProblems, ...routes.flatMap(problemsOf)])];
}

/** Changes when the steps of a workflow change: a workflow is continued only by the version that began it. */
const workflowVersion = '1';

/** Connects everything a worker process needs and begins to work. */
export async function startWorker(config: Config): Promise<RunningProcess> {
  const logger = createLogger(config.log.level, 'worker');
  const application = connect(config, config.database.applicationUrl, 'daybook worker');
  const migrations = await readMigrations();
  const worker = await buildWorker({
    config,
    logger,
    clock: systemClock,
    application,
    applicationVersion: workflowVersion,
    readSchemaState: () => readSchemaState(application.pool, migrations),
    declarations: {
      workflows: [],
      editions: [createWindowUpkeep({ database: application.database, clock: systemClock })],
    },
  });
  await worker.server.listen({ host: config.http.host, port: config.http.workerPort });
  return {
    logger,
    stop: async () => {
      await worker.stop();
      await application.close();
    },
  };
}

/** Brings our tables and the engine's up to date, as the owner. */
export async function migrateDatabase(ownerUrl: string, logger: Logger): Promise<readonly Migration[]> {
  const applied = await migrate(ownerUrl, await readMigrations());
  await migrateEngine(ownerUrl, logger);
  return applied;
}

function connect(config: Config, url: string, name: string): DatabaseConnection {
  return connectDatabase({
    url,
    name,
    connectionsMax: config.database.connectionsMax,
    statementTimeoutMs: 10_000,
    connectTimeoutMs,
  });
}
