import { Registry } from 'prom-client';

import { registerScheduleMetrics, scheduleMails } from '../agents/schedules/index.ts';
import type { Config } from '../config/config.ts';
import { registerBackupMetrics } from '../foundation/backups/backup-metrics.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import { createCalendarClock, systemClock } from '../foundation/clock.ts';
import { registerDatabaseMetrics } from '../foundation/database/database-metrics.ts';
import type { Database } from '../foundation/database/database.ts';
import { readSchemaState } from '../foundation/database/migrate.ts';
import { readMigrations } from '../foundation/database/migration-files.ts';
import { cloudflareCache } from '../foundation/edge/cloudflare.ts';
import type { EdgeCache } from '../foundation/edge/edge-cache.ts';
import { fastlyCache } from '../foundation/edge/fastly.ts';
import { varnishCache } from '../foundation/edge/varnish.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import type { Logger } from '../foundation/logger.ts';
import { createLogger } from '../foundation/logger.ts';
import { registerMailMetrics } from '../foundation/mail/mail-metrics.ts';
import { startTracing } from '../foundation/tracing/start-tracing.ts';
import { accountMailLimits } from '../identity/wiring.ts';
import { ingestWork, registerIngestMetrics } from '../ingest/index.ts';
import { deliveryLimits } from '../mailing/index.ts';
import {
  newsroomEditions,
  newsroomWork,
  preparationThread,
  registerNewsroomMetrics,
} from '../newsroom/index.ts';
import {
  createRecordWork,
  readLogSigner,
  readLogWitnesses,
  registerLogMetrics,
  registerPurgeMetrics,
  registerWindowMetrics,
} from '../record/wiring.ts';
import { registerStorageMetrics } from '../storage/wiring.ts';
import { registerWatchMetrics, watchMailLimits } from '../watch/wiring.ts';
import { buildWorker } from '../worker.ts';
import { accountWork } from './accounts.ts';
import { openAgentWork } from './agent-work.ts';
import type { RunningProcess } from './connections.ts';
import { connect } from './connections.ts';
import { openIngest } from './ingest.ts';
import { mailWork, openAlertMail } from './mailing.ts';
import { registerInstallationMetrics } from './metrics/installation-metrics.ts';
import { openNewsroom } from './newsroom.ts';
import { describeSecretFault } from './secret-fault.ts';
import { openWatchWork } from './watch.ts';

/** Enough for about a hundred polls a second of publishers that answer within one; beyond that, start more workers. */
const domainsAtOnceMax = 100;

/** Connects the dependencies of a worker process and starts it. */
export async function startWorker(config: Config): Promise<RunningProcess> {
  const logger = createLogger(config.log.level, 'worker');
  const tracer = await startTracing(config.tracing, 'worker', logger);
  const application = connect(config, config.database.applicationUrl, 'daybook worker', {
    tracer,
    // No client waits for the result: late is better than failed.
    connectTimeoutMs: 10_000,
  });
  const migrations = await readMigrations();
  const clock = createCalendarClock(config.simulatedTime);
  const { database } = application;
  const ingest = openIngest(config, database, clock);
  const newsroom = openNewsroom(config, database, clock);
  const preparation = preparationThread(newsroom);
  const agents = await openAgentWork(config, application, clock, logger);
  const registry = new Registry();
  // Before the gauges that queries read: during a scrape these wait for connections themselves.
  registerDatabaseMetrics(registry, { application: application.pool });
  const ingestMetrics = registerIngestMetrics(registry, { database, clock });
  const editions = newsroomEditions(newsroom);
  const metrics = registerNewsroomMetrics(registry, { database, clock, editions });
  registerQueriedMetrics(registry, config, database, clock);
  const worker = await buildWorker({
    config,
    logger,
    clock,
    application,
    tracer,
    registry,
    readSchemaState: () => readSchemaState(application.pool, migrations),
    describeSecretFault: () => describeSecretFault(config, database),
    declarations: [
      await openRecordWork(config, database, clock, logger),
      await accountWork(config, application, logger),
      agents.declarations,
      mailWork(config, database, clock, logger),
      openWatchWork(config, database, clock, logger),
      ingestWork({ ...ingest.deps, metrics: ingestMetrics, logger, domainsMax: domainsAtOnceMax }),
      newsroomWork({
        ...newsroom,
        prepare: preparation.prepare,
        metrics,
        logger,
        alertMail: openAlertMail(config),
      }),
    ],
  });
  await worker.server.listen({ host: config.http.host, port: config.http.workerPort });
  return {
    logger,
    stop: async () => {
      await worker.stop();
      await agents.close();
      await preparation.close();
      await ingest.close();
      await application.close();
      await tracer?.stop();
    },
  };
}

async function openRecordWork(
  config: Config,
  database: Database,
  clock: CalendarClock,
  logger: Logger,
): Promise<EngineDeclarations> {
  const caches = edgeCaches(config.edge);
  const { baseUrl } = config.news;
  return createRecordWork({ ...(await readLogSigning(config)), database, clock, caches, logger, baseUrl });
}

/** Who signs and who cosigns checkpoints of the public log. */
async function readLogSigning({ newsroom: { publicLog } }: Config) {
  return {
    signer: publicLog === null ? null : await readLogSigner(publicLog),
    witnesses: await readLogWitnesses(publicLog?.witnesses ?? []),
  };
}

/** Gauges that queries read when a scraper asks. */
function registerQueriedMetrics(
  registry: Registry,
  config: Config,
  database: Database,
  clock: CalendarClock,
): void {
  registerMailMetrics(registry, database, {
    editions: deliveryLimits.table,
    accounts: accountMailLimits.table,
    searches: watchMailLimits.table,
    schedules: scheduleMails.scheduleMailLimits.table,
  });
  registerStorageMetrics(registry, database, config.storage?.quotaBytes ?? 0);
  registerPurgeMetrics(registry, database);
  registerLogMetrics(registry, database);
  registerBackupMetrics(registry, database, systemClock);
  registerWindowMetrics(registry, database, clock);
  registerInstallationMetrics(registry, database, config);
  registerWatchMetrics(registry, database);
  registerScheduleMetrics(registry, database);
}

/** The shared caches that purge copies by tag. */
function edgeCaches({ varnish, fastly, cloudflare }: Config['edge']): readonly EdgeCache[] {
  return [
    ...varnish.map(varnishCache),
    ...(fastly === null ? [] : [fastlyCache(fastly)]),
    ...(cloudflare === null ? [] : [cloudflareCache(cloudflare)]),
  ];
}
