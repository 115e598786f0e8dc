import { accessRoutes, describePlatformApi, platformDescriptionRoute } from '../access/wiring.ts';
import type { answers } from '../agents/index.ts';
import { agentsRoutes } from '../agents/index.ts';
import type { ScheduleDeps } from '../agents/schedules/index.ts';
import type { Api, ApiParts, RouteTools } from '../api.ts';
import { buildApi } from '../api.ts';
import type { Config } from '../config/config.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import { readMigrations } from '../foundation/database/migration-files.ts';
import { startNotificationListener } from '../foundation/database/notification-listener.ts';
import { httpProblems } from '../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import { problemsOf } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import { createLogger } from '../foundation/logger.ts';
import { startTracing } from '../foundation/tracing/start-tracing.ts';
import { describeAccountsApi, identityRoutes, organizations } from '../identity/index.ts';
import type { Mailing } from '../mailing/index.ts';
import type { NewsDeps } from '../news/index.ts';
import {
  describedNewsRoutes,
  describeNewsApi,
  logFileRoutes,
  mcpRoute,
  newsRoutes,
  skillRoutes,
} from '../news/index.ts';
import type { DeskDeps } from '../newsroom/desk/index.ts';
import { createRecordReader, searchesRunningMax } from '../record/wiring.ts';
import type { DescribedApi, SiteTools } from '../site/index.ts';
import {
  accountPages,
  answerPages,
  platformPages,
  siteRoutes,
  unknownPageSurface,
  watchPages,
} from '../site/index.ts';
import { describeStorageApi, storageRoutes } from '../storage/wiring.ts';
import { describeWatchApi, watchRoutes } from '../watch/wiring.ts';
import type { Accounts } from './accounts.ts';
import { startAccounts } from './accounts.ts';
import { openAnswerModels } from './answer-models.ts';
import { createAnswerSources } from './answer-sources.ts';
import type { RunningProcess } from './connections.ts';
import { connect } from './connections.ts';
import { openHubRoutes } from './hub-routes.ts';
import { openMailing } from './mailing.ts';
import { openNewsReplica } from './news-replica.ts';
import { openDesk } from './newsroom.ts';
import { createScheduleFiles } from './schedule-files.ts';
import { describeSecretFault, logSecretFault } from './secret-fault.ts';
import { savedSearchDeps } from './watch.ts';

/** Connects the dependencies of an api process and listens. */
export async function startApi(config: Config): Promise<RunningProcess & { readonly address: string }> {
  const logger = createLogger(config.log.level, 'api');
  const tracer = await startTracing(config.tracing, 'api', logger);
  const application = connect(config, config.database.applicationUrl, 'daybook api', { tracer });
  const newsReader = connect(config, config.database.newsReaderUrl, 'daybook news', { tracer });
  const searching = { connectionsMax: searchesRunningMax, tracer };
  const search = connect(config, config.database.newsReaderUrl, 'daybook search', searching);
  const notifications = startNotificationListener({ url: config.database.directUrl });
  const { database } = application;
  const accounts = await startAccounts(config, application, notifications, logger);
  const clock = createCalendarClock(config.simulatedTime);
  const answerModels = openAnswerModels(config, database, logger);
  const openedDesk = accounts === null ? null : openDesk(config, database, clock);
  const desk = openedDesk?.deps ?? null;
  if (desk !== null) await organizations.reserveOrganizationKey(desk.database, desk.organization);
  const newsReplica = openNewsReplica(config, logger, tracer);
  const primary = createRecordReader({ ...newsReader, searchDatabase: search.database });
  const news = {
    ...config.news,
    record: newsReplica?.readerBeside(primary) ?? primary,
    clock,
    ...config.site,
  };
  const parts: ApiParts = {
    config,
    logger,
    clock,
    migrations: await readMigrations(),
    application,
    newsReader,
    newsReplica: newsReplica?.replica ?? null,
    notifications,
    tracer,
    describeSecretFault: () => describeSecretFault(config, database),
    onContractViolation: config.contractChecks
      ? (violation) => logger.error({ err: violation }, 'contract')
      : null,
    routes: (tools) => [
      ...publicRoutes(tools, news, accounts, openMailing(config, database, clock), desk, answerModels.models),
      ...openHubRoutes(config, database, clock),
    ],
    unknownPages: (tools) => unknownPages({ ...tools, ...news }),
  };
  const api: Api = await buildApi(parts);
  void logSecretFault(config, database, logger);
  const address = await api.server.listen({ host: config.http.host, port: config.http.port });
  return {
    logger,
    address,
    stop: async () => {
      await api.stop();
      await openedDesk?.close();
      await answerModels.close();
      const connections = [application, newsReader, search, newsReplica];
      await Promise.all([notifications.stop(), ...connections.map((one) => one?.close())]);
      await tracer?.stop();
    },
  };
}

/** All routes of an api process; each error that any of them can raise has its page. */
export function publicRoutes(
  tools: RouteTools,
  news: NewsDeps & Pick<SiteTools, 'language' | 'securityContact'>,
  accounts: Accounts | null = null,
  mailing: Mailing | null = null,
  desk: DeskDeps | null = null,
  answerModels: answers.AnswerModels | null = null,
): readonly RouteDeclaration[] {
  const newsApi = newsRoutes(tools, news);
  const answerSources = createAnswerSources(news, fileAccess(accounts));
  const accountsApi = accounts === null ? [] : identityRoutes(accounts.identity, tools.anonymous);
  const answering = { answerSources, answerModels, ...scheduling(accounts, mailing) };
  const platformApi = accounts === null ? [] : platformRoutes(accounts, tools.anonymous, answering);
  const storageApi = accounts === null ? [] : filesRoutes(accounts, tools.anonymous);
  const watch = accounts === null ? null : savedSearchDeps(accounts, news);
  const watchApi = watch === null ? [] : watchRoutes(watch, tools.anonymous);
  const pages = accounts === null ? [] : consolePages(accounts, tools.anonymous, answering, desk);
  const apis = describedApis(news, { newsApi, accountsApi, platformApi, storageApi, watchApi });
  const routes = [
    ...newsApi,
    mcpRoute(tools, news),
    ...skillRoutes(tools),
    ...logFileRoutes(tools, news),
    ...accountsApi,
    ...platformApi,
    ...storageApi,
    ...watchApi,
    ...pages,
    ...(accounts === null || watch === null
      ? []
      : watchPages(accounts.identity, tools.anonymous, watch, mailing !== null)),
  ];
  const problems = [...httpProblems, ...routes.flatMap(problemsOf)];
  const site = { ...tools, ...news, ...mailOffers(mailing), savesSearches: accounts !== null };
  return [...routes, ...siteRoutes(site, problems, apis, mailing, desk, watch)];
}

/** What agents answer with, and where schedules deliver. */
type Answering = Pick<answers.AnswerDeps, 'answerSources' | 'answerModels'> &
  Pick<ScheduleDeps, 'scheduleFiles' | 'sendsMail'>;

function scheduling(
  accounts: Accounts | null,
  mailing: Mailing | null,
): Pick<ScheduleDeps, 'scheduleFiles' | 'sendsMail'> {
  const storage = accounts?.storage ?? null;
  const scheduleFiles =
    accounts === null || storage === null ? null : createScheduleFiles({ ...accounts.access, ...storage });
  return { scheduleFiles, sendsMail: mailing !== null };
}

/** Null where the installation stores no files. */
function fileAccess(accounts: Accounts | null): Accounts['access'] | null {
  return accounts === null || accounts.storage === null ? null : accounts.access;
}

type Routes = readonly RouteDeclaration[];
type ServedApi = DescribedApi & { readonly routes: Routes };

/** The APIs with their descriptions; one without routes is not served. */
function describedApis(
  news: NewsDeps,
  of: Readonly<Record<'newsApi' | 'accountsApi' | 'platformApi' | 'storageApi' | 'watchApi', Routes>>,
): readonly ServedApi[] {
  const { newsApi, accountsApi, platformApi, storageApi, watchApi } = of;
  const { baseUrl } = news;
  return [
    {
      name: 'news',
      path: '/openapi-v1.json',
      routes: newsApi,
      describe: () => describeNewsApi(describedNewsRoutes(newsApi, news), baseUrl),
    },
    {
      name: 'accounts',
      path: '/openapi-accounts.json',
      routes: accountsApi,
      describe: () => describeAccountsApi(accountsApi, baseUrl),
    },
    {
      name: 'platform',
      path: '/openapi-platform.json',
      routes: platformApi,
      describe: () => describePlatformApi(platformApi, baseUrl),
    },
    {
      name: 'storage',
      path: '/openapi-storage.json',
      routes: storageApi,
      describe: () => describeStorageApi(storageApi, baseUrl),
    },
    {
      name: 'watch',
      path: '/openapi-watch.json',
      routes: watchApi,
      describe: () => describeWatchApi(watchApi, baseUrl),
    },
  ].filter((api) => api.routes.length > 0) as readonly ServedApi[];
}

/** The pages of accounts and organizations. */
function consolePages(
  { identity, access, storage }: Accounts,
  anonymous: RouteTools['anonymous'],
  answering: Answering,
  desk: DeskDeps | null,
): readonly RouteDeclaration[] {
  return [
    ...accountPages(identity, anonymous),
    ...platformPages(identity, access, anonymous, storage, desk),
    ...answerPages(identity, access, anonymous, storage, answering, desk),
  ];
}

/** The mail features that the pages link to. */
function mailOffers(mailing: Mailing | null): Pick<SiteTools, 'offersMail' | 'takesErrorReports'> {
  return { offersMail: mailing !== null, takesErrorReports: mailing?.errorReports ?? false };
}

/** API paths keep problem+json; any other unknown path was typed or followed by a person. */
const programPaths =
  /^\/(?:api\/|dm\/|agent\/|feeds\/|log\/|auth\/|websub\/|\.well-known\/|livez|readyz|metrics)/;

export function unknownPages(tools: SiteTools): (path: string) => Surface | null {
  const pages = unknownPageSurface(tools);
  return (path) => (programPaths.test(path) ? null : pages(path));
}

/** Projects, folders and files, if the installation has storage. */
export function filesRoutes(
  { identity, access, storage }: Accounts,
  anonymous: RouteTools['anonymous'],
): readonly RouteDeclaration[] {
  if (storage === null) return [];
  return storageRoutes({ ...access, ...storage, surface: identity.dataSurface }, anonymous, identity.baseUrl);
}

/** Everything under `/dm/api`, of all domains, with one description. */
export function platformRoutes(
  { identity, access }: Accounts,
  anonymous: RouteTools['anonymous'],
  answering: Answering,
): readonly RouteDeclaration[] {
  const routes = [...accessRoutes(access), ...agentsRoutes({ ...access, ...answering })];
  return [...routes, platformDescriptionRoute(anonymous, routes, identity.baseUrl)];
}
