import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import type { Config } from './config/config.ts';
import type { CalendarClock } from './foundation/clock.ts';
import type { DatabaseConnection } from './foundation/database/database.ts';
import type { SchemaState } from './foundation/database/migrate.ts';
import { describeMissingLimits } from './foundation/database/session-limits.ts';
import { createEngineClient } from './foundation/engine/engine-client.ts';
import type { EngineDeclarations } from './foundation/engine/engine-declarations.ts';
import { registerEngineMetrics } from './foundation/engine/engine-metrics.ts';
import { startEngine } from './foundation/engine/engine.ts';
import { createHistoryCleanup } from './foundation/engine/history-cleanup.ts';
import { parseCidrList } from './foundation/http/client-address.ts';
import { healthRoutes } from './foundation/http/health-routes.ts';
import { httpBounds } from './foundation/http/http-bounds.ts';
import { createHttpMetrics } from './foundation/http/http-metrics.ts';
import { createHttpServer } from './foundation/http/http-server.ts';
import { createLoadShedder, processCpuMs } from './foundation/http/load-shedder.ts';
import { createLimitCleanup } from './foundation/limits/limit-cleanup.ts';
import type { Logger } from './foundation/logger.ts';
import { registerProcessMetrics } from './foundation/metrics/process-metrics.ts';
import type { Tracer } from './foundation/tracing/tracer.ts';
import { registerTracingMetrics } from './foundation/tracing/tracing-metrics.ts';

export interface WorkerParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: CalendarClock;
  readonly application: DatabaseConnection;
  /** Metrics of the domains are already registered here. */
  readonly registry: Registry;
  /** Null or absent: no traces. */
  readonly tracer?: Tracer | null;
  readonly readSchemaState: () => Promise<SchemaState>;
  /** A sentence if the secret keys do not open the stored values; null if they do. */
  readonly describeSecretFault?: () => Promise<string | null>;
  /** The domains' work; maintenance of the foundation is added here. */
  readonly declarations: readonly EngineDeclarations[];
}

export interface Worker {
  /** Probes and metrics only. */
  readonly server: FastifyInstance;
  readonly stop: () => Promise<void>;
}

const historyDays = 30;
const drainMs = 15_000;

/** Starts the worker; refuses a database of another version or with another secret key. */
export async function buildWorker(parts: WorkerParts): Promise<Worker> {
  const { config, logger, clock, application, registry, tracer = null } = parts;
  if (tracer !== null) registerTracingMetrics(registry, tracer);
  const state = await parts.readSchemaState();
  if (state.kind === 'behind')
    throw new Error(`${state.missing} migrations are not applied: daybook database migrate`);
  if (state.kind === 'incompatible') throw new Error(state.detail);
  const missing = await describeMissingLimits(application.pool);
  const fault = missing ?? (await parts.describeSecretFault?.()) ?? null;
  if (fault !== null) throw new Error(fault);
  const databaseUrl = config.database.applicationUrl;
  const client = createEngineClient({ databaseUrl, logger, tracer });
  let working = true;
  const metrics = registerEngineMetrics(registry, application.database);
  const engine = await startEngine(
    {
      database: application.database,
      databaseUrl,
      throughPooler: config.database.throughPooler,
      lockUrl: config.database.directUrl,
      client,
      clock,
      logger,
      connectionsMax: config.database.connectionsMax,
      tracer,
      onTaskFailed: metrics.taskFailed,
      onRetry: metrics.retried,
    },
    [
      {
        recurringTasks: [
          createHistoryCleanup({ database: application.database, clock, keepDays: historyDays }),
          createLimitCleanup(application.database),
        ],
      },
      ...parts.declarations,
    ],
  );
  const server = await buildProbes(parts, () => working);
  return {
    server,
    stop: async () => {
      working = false;
      await engine.stop(drainMs);
      await client.close();
      await server.close();
    },
  };
}

async function buildProbes(
  { config, logger, registry }: WorkerParts,
  working: () => boolean,
): Promise<FastifyInstance> {
  registerProcessMetrics(registry);
  const shedder = createLoadShedder({
    ...httpBounds,
    loopDelayMaxMs: config.http.loopDelayMaxMs,
    nowMs: () => performance.now(),
    cpuMs: processCpuMs,
  });
  return createHttpServer({
    logger,
    ...httpBounds,
    trustedProxies: [],
    shedder,
    metrics: createHttpMetrics(registry, shedder),
    draining: () => !working(),
    onContractViolation: null,
    routes: healthRoutes({
      // A worker that loses its lock exits, so a running one is working.
      readiness: async () =>
        working() ? { ready: true } : { ready: false, reason: 'The worker is shutting down.' },
      renderMetrics: () => registry.metrics(),
      metricsContentType: registry.contentType,
      metricsReaders: parseCidrList(config.http.metricsReaders),
    }),
  });
}
