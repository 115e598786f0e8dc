import type { Access } from './access/index.ts';
import {
  accessRoutes,
  createAccess,
  createAuthorize,
  platformDescriptionRoute,
  watchPermissions,
} from './access/index.ts';
import { agentsRoutes } from './agents/index.ts';
import type { Api, ApiParts, RouteTools } from './api.ts';
import { buildApi } from './api.ts';
import type { Config } from './config/config.ts';
import { systemClock } from './foundation/clock.ts';
import type { DatabaseConnection } from './foundation/database/database.ts';
import { connectDatabase } from './foundation/database/database.ts';
import { migrate, readSchemaState } from './foundation/database/migrate.ts';
import type { Migration } from './foundation/database/migration-files.ts';
import { readMigrations } from './foundation/database/migration-files.ts';
import { createEngineClient } from './foundation/engine/engine-client.ts';
import { migrateEngine } from './foundation/engine/engine-schema.ts';
import type { EngineDeclarations } from './foundation/engine/engine.ts';
import { httpProblems } from './foundation/http/http-problems.ts';
import type { RouteDeclaration } from './foundation/http/route.ts';
import { problemsOf } from './foundation/http/route.ts';
import type { Logger } from './foundation/logger.ts';
import { createLogger } from './foundation/logger.ts';
import type { CursorKeys } from './foundation/pagination/cursor-keys.ts';
import { createCursorKeys, deriveCursorSecrets } from './foundation/pagination/cursor-keys.ts';
import type { Identity } from './identity/index.ts';
import {
  createIdentity,
  createSmtpSender,
  identityRoutes,
  identityWork,
  watchCredentials,
} from './identity/index.ts';
import type { NewsDeps } from './news/index.ts';
import { newsRoutes, searchesRunningMax } from './news/index.ts';
import { createWindowUpkeep } from './record/index.ts';
import { accountPages, platformPages, siteRoutes } from './site/index.ts';
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
  const accounts = await startAccounts(config, application, logger);
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
      publicRoutes(
        tools,
        {
          ...config.news,
          database: newsReader.database,
          pool: newsReader.pool,
          searchDatabase: search.database,
          clock: systemClock,
        },
        accounts,
      ),
  };
  const api: Api = await buildApi(parts);
  const address = await api.server.listen({ host: config.http.host, port: config.http.port });
  return {
    logger,
    address,
    stop: async () => {
      await api.stop();
      await accounts?.stop();
      await Promise.all([application.close(), newsReader.close(), search.close()]);
    },
  };
}

/** Everything an api process serves; each error that any of it can raise has its page. */
export function publicRoutes(
  tools: RouteTools,
  news: NewsDeps,
  accounts: Accounts | null = null,
): readonly RouteDeclaration[] {
  const accountRoutes =
    accounts === null
      ? []
      : [
          ...identityRoutes(accounts.identity, tools.anonymous),
          ...accountPages(accounts.identity, tools.anonymous),
          ...platformRoutes(accounts, tools.anonymous),
          ...platformPages(accounts.identity, accounts.access, tools.anonymous),
        ];
  const routes = [...newsRoutes(tools, news), ...accountRoutes];
  return [...routes, ...siteRoutes(tools, [...httpProblems, ...routes.flatMap(problemsOf)])];
}

/** Everything under `/dm/api`, whichever domain it belongs to, and one description of it all. */
export function platformRoutes(
  { identity, access }: Accounts,
  anonymous: RouteTools['anonymous'],
): readonly RouteDeclaration[] {
  const routes = [...accessRoutes(access), ...agentsRoutes(access)];
  return [...routes, platformDescriptionRoute(anonymous, routes, identity.baseUrl)];
}

export interface Accounts {
  readonly identity: Identity;
  readonly access: Access;
}

/** Accounts, unless the installation has no secret key and so serves news alone. */
async function startAccounts(
  config: Config,
  { database }: DatabaseConnection,
  logger: Logger,
): Promise<(Accounts & { readonly stop: () => Promise<void> }) | null> {
  if (config.identity.secretKeys.length === 0) {
    logger.warn('DAYBOOK_SECRET_KEY is not set: there are no accounts');
    return null;
  }
  const engine = await createEngineClient({ databaseUrl: config.database.applicationUrl, logger });
  const identity = await createIdentity({
    database,
    clock: systemClock,
    engine,
    authorize: createAuthorize(database),
    settings: config.identity,
  });
  const access = createAccess({ identity, cursorKeys: cursorKeysOf(config) });
  const { authenticator } = identity;
  const listenUrl = config.database.directUrl;
  const watches = [
    watchCredentials({ listenUrl, authenticator }),
    watchPermissions({ listenUrl, forget: access.forget }),
  ];
  return {
    identity,
    access,
    stop: async () => {
      await Promise.all(watches.map((watch) => watch.stop()));
      await engine.close();
    },
  };
}

export function cursorKeysOf({ pagination, identity }: Config): CursorKeys {
  const bytes = (keys: readonly string[]): Buffer[] => keys.map((key) => Buffer.from(key, 'hex'));
  return createCursorKeys(
    pagination.cursorKeys.length > 0
      ? bytes(pagination.cursorKeys)
      : deriveCursorSecrets(bytes(identity.secretKeys)),
  );
}

/** For a command that does one thing with accounts and ends. */
export async function withIdentity(
  config: Config,
  work: (identity: Identity) => Promise<void>,
): Promise<void> {
  const logger = createLogger('warn', 'admin');
  const application = connect(config, config.database.applicationUrl, 'daybook admin');
  const accounts = await startAccounts(config, application, logger);
  try {
    if (accounts === null) throw new Error('set DAYBOOK_SECRET_KEY: without it there are no accounts');
    await work(accounts.identity);
  } finally {
    await accounts?.stop();
    await application.close();
  }
}

function accountWork(config: Config, { database }: DatabaseConnection): EngineDeclarations {
  if (config.identity.secretKeys.length === 0) return { workflows: [], editions: [] };
  const sendMail =
    config.mail.smtpUrl === ''
      ? null
      : createSmtpSender({ url: config.mail.smtpUrl, from: config.mail.from });
  return identityWork({ database, clock: systemClock, settings: config.identity, sendMail });
}

/** Changes when the steps of a workflow change: a workflow is continued only by the version that began it. */
const workflowVersion = '1';

/** Connects everything a worker process needs and begins to work. */
export async function startWorker(config: Config): Promise<RunningProcess> {
  const logger = createLogger(config.log.level, 'worker');
  const application = connect(config, config.database.applicationUrl, 'daybook worker');
  const migrations = await readMigrations();
  const accounts = accountWork(config, application);
  const worker = await buildWorker({
    config,
    logger,
    clock: systemClock,
    application,
    applicationVersion: workflowVersion,
    readSchemaState: () => readSchemaState(application.pool, migrations),
    declarations: {
      workflows: accounts.workflows,
      editions: [
        createWindowUpkeep({ database: application.database, clock: systemClock }),
        ...accounts.editions,
      ],
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
    preparesStatements: config.database.directUrl === config.database.applicationUrl,
  });
}
