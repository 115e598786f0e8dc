import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';

import type { Config } from './config/config.ts';
import { registerCacheMetrics } from './foundation/cache/cache-metrics.ts';
import { CacheTagVersions } from './foundation/cache/cache-tag-versions.ts';
import { RepresentationCache } from './foundation/cache/representation-cache.ts';
import { startVersionWatcher } from './foundation/cache/version-watcher.ts';
import type { Clock } from './foundation/clock.ts';
import { registerDatabaseMetrics } from './foundation/database/database-metrics.ts';
import type { DatabaseConnection } from './foundation/database/database.ts';
import { connectDatabase, isDatabaseUnreachable } from './foundation/database/database.ts';
import { readSchemaState } from './foundation/database/migrate.ts';
import type { Migration } from './foundation/database/migration-files.ts';
import type { NotificationListener } from './foundation/database/notification-listener.ts';
import { describeMissingLimits } from './foundation/database/session-limits.ts';
import { createAnonymousSurface } from './foundation/http/anonymous-surface.ts';
import { parseCidrList } from './foundation/http/client-address.ts';
import type { ContractViolation } from './foundation/http/contract.ts';
import { drain } from './foundation/http/drain.ts';
import { healthRoutes } from './foundation/http/health-routes.ts';
import type { Readiness } from './foundation/http/health-routes.ts';
import type { HttpBounds } from './foundation/http/http-bounds.ts';
import { httpBounds } from './foundation/http/http-bounds.ts';
import { createHttpMetrics } from './foundation/http/http-metrics.ts';
import { createHttpServer } from './foundation/http/http-server.ts';
import { createLoadShedder, processCpuMs } from './foundation/http/load-shedder.ts';
import { createOpenStreams } from './foundation/http/open-stream.ts';
import type { RouteDeclaration } from './foundation/http/route.ts';
import type { Surface } from './foundation/http/surface.ts';
import { createLocalLimiter } from './foundation/limits/local-limiter.ts';
import type { Logger } from './foundation/logger.ts';
import { registerProcessMetrics } from './foundation/metrics/process-metrics.ts';
import { ProblemError } from './foundation/problem.ts';
import type { Tracer } from './foundation/tracing/tracer.ts';
import { registerTracingMetrics } from './foundation/tracing/tracing-metrics.ts';
import type { NewsReplica } from './record/wiring.ts';
import { readCacheTagVersions, registerReplicaMetrics } from './record/wiring.ts';

export interface ApiParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly migrations: readonly Migration[];
  readonly application: DatabaseConnection;
  readonly newsReader: DatabaseConnection;
  readonly notifications: NotificationListener;
  /** Compares itself with the primary at each poll of the versions; null or absent without one. */
  readonly newsReplica?: Pick<NewsReplica, 'isCurrent' | 'readVersions'> | null;
  /** Null or absent: no traces. */
  readonly tracer?: Tracer | null;
  /** A sentence if the secret keys do not open the stored values; null if they do. */
  readonly describeSecretFault?: () => Promise<string | null>;
  readonly onContractViolation: ((violation: ContractViolation) => void) | null;
  /** The routes of all domains; `tools` contains the dependencies that any route may need. */
  readonly routes: (tools: RouteTools) => readonly RouteDeclaration[];
  /** Serves paths that no route declares; without it the server answers them with problem+json. */
  readonly unknownPages?: (tools: RouteTools) => (path: string) => Surface | null;
  /** Replaces the default bounds in tests. */
  readonly bounds?: Partial<HttpBounds>;
  /** How long a request waits for a rebuild before it gets the stale response; longer in tests. */
  readonly staleWaitMs?: number;
}

const cacheEntriesMax = 5_000;

export interface RouteTools {
  readonly anonymous: Surface;
  readonly cache: RepresentationCache;
}

export interface Api {
  readonly server: FastifyInstance;
  /** Drains as `drain` describes, then closes everything except the database. */
  readonly stop: () => Promise<void>;
}

function createRegistry({ application, newsReader, tracer = null }: ApiParts): Registry {
  const registry = new Registry();
  registerProcessMetrics(registry);
  registerDatabaseMetrics(registry, { application: application.pool, news_reader: newsReader.pool });
  if (tracer !== null) registerTracingMetrics(registry, tracer);
  return registry;
}

/** Builds the HTTP server; the caller makes it listen. */
export async function buildApi(parts: ApiParts): Promise<Api> {
  const { config, logger, tracer = null } = parts;
  const bounds = { ...httpBounds, ...parts.bounds };
  const registry = createRegistry(parts);
  const shedder = createLoadShedder({
    ...bounds,
    loopDelayMaxMs: config.http.loopDelayMaxMs,
    nowMs: () => performance.now(),
    cpuMs: processCpuMs,
  });
  const { cache, versions, stopWatching } = await startCache(parts, registry);
  const streams = createOpenStreams();
  let draining = false;
  const readiness = createReadiness(parts, versions, () => draining);
  const tools: RouteTools = { anonymous: anonymousSurface(config), cache };
  const server = await createHttpServer({
    logger,
    trustedProxies: config.http.trustedProxies,
    shedder,
    metrics: createHttpMetrics(registry, shedder),
    streams,
    tracer,
    draining: () => draining,
    ...bounds,
    onContractViolation: parts.onContractViolation,
    cached: cache.targets,
    // Applies also where another domain has routes below the path: their routes keep their own surface.
    unknownAddresses: [{ below: '/api/v1', surface: tools.anonymous }],
    unknownPages: parts.unknownPages?.(tools),
    routes: [
      ...healthRoutes({
        readiness,
        renderMetrics: () => registry.metrics(),
        metricsContentType: registry.contentType,
        metricsReaders: parseCidrList(config.http.metricsReaders),
      }),
      ...parts.routes(tools),
    ],
  });
  return {
    server,
    stop: async () => {
      await drain({
        server,
        streams,
        logger,
        noticeMs: config.http.drainNoticeMs,
        finishMs: bounds.drainFinishMs,
        beginDraining: () => {
          draining = true;
        },
      });
      shedder.stop();
      await stopWatching();
    },
  };
}

async function startCache(
  { config, logger, clock, notifications, newsReplica = null, staleWaitMs = 250 }: ApiParts,
  registry: Registry,
): Promise<{ cache: RepresentationCache; versions: CacheTagVersions; stopWatching: () => Promise<void> }> {
  const versions = new CacheTagVersions();
  const cache = new RepresentationCache({
    versions,
    nowMs: clock.nowMs,
    entriesMax: cacheEntriesMax,
    bytesMax: config.cache.bytesMax,
    freshForMs: 60_000,
    rebuildEveryMs: 2_000,
    staleWaitMs,
    onBuildError: (key, error) => {
      // A problem is a normal response, and the watcher logs an unreachable database once.
      if (!(error instanceof ProblemError) && !isDatabaseUnreachable(error))
        logger.error({ key, err: error }, 'a copy could not be built');
    },
  });
  registerCacheMetrics(registry, cache, versions);
  if (newsReplica !== null) registerReplicaMetrics(registry, newsReplica);
  const poller = connectDatabase({
    url: config.database.newsReaderUrl,
    name: 'daybook cache poll',
    connectionsMax: 1,
    statementTimeoutMs: 2_000,
    connectTimeoutMs: 2_000,
    throughPooler: config.database.throughPooler,
  });
  const watcher = await startVersionWatcher({
    versions,
    readVersions: () =>
      newsReplica === null
        ? readCacheTagVersions(poller.database)
        : newsReplica.readVersions(poller.database),
    notifications,
    pollEveryMs: 500,
    onPolled: () => cache.dropPurged(),
    onUnreachable: (error) =>
      logger.error({ err: error }, 'the database is unreachable; cached responses are still served'),
    onReachable: () => logger.info('the database answers'),
  });
  return {
    cache,
    versions,
    stopWatching: async () => {
      await watcher.stop();
      await poller.close();
    },
  };
}

/** A database that becomes unreachable later does not make the process unready: it still serves cached copies, as do its peers. */
function createReadiness(
  parts: ApiParts,
  versions: CacheTagVersions,
  draining: () => boolean,
): () => Promise<Readiness> {
  let databaseChecked = false;
  return async () => {
    if (draining()) return { ready: false, reason: 'The server is shutting down.' };
    if (databaseChecked) return { ready: true };
    if (versions.databaseUnreachable) return { ready: false, reason: 'the database has not answered yet' };
    const state = await readSchemaState(parts.application.pool, parts.migrations);
    if (state.kind === 'incompatible') return { ready: false, reason: state.detail };
    if (state.kind === 'behind')
      return { ready: false, reason: `${state.missing} migrations are not applied` };
    for (const { pool } of [parts.application, parts.newsReader]) {
      const missing = await describeMissingLimits(pool);
      if (missing !== null) return { ready: false, reason: missing };
    }
    const fault = await parts.describeSecretFault?.();
    if (typeof fault === 'string') return { ready: false, reason: fault };
    databaseChecked = true;
    return { ready: true };
  };
}

function anonymousSurface(config: Config): Surface {
  const limiter = createLocalLimiter(config.anonymous);
  return createAnonymousSurface({
    requestsPerMinute: config.anonymous.requestsPerMinute,
    takeToken: (key) => limiter.take(key, performance.now()),
    deniedAddresses: parseCidrList(config.anonymous.deniedAddresses),
    deniedUserAgents: config.anonymous.deniedUserAgents,
  });
}
