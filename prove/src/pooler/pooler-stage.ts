import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { migrateDatabase } from '../../../apps/server/src/wiring/migrate-database.ts';
import { stageSecretKey } from '../../../apps/server/test/accounts-stage.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import type { RecordFactory } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';
import type { Pgbouncer } from './pgbouncer.ts';
import { startPgbouncer } from './pgbouncer.ts';

export interface PoolerStage {
  readonly pooler: Pgbouncer;
  /** `daybook api`, all through the pooler. */
  readonly apis: readonly DaybookChild[];
  /** `daybook worker`, likewise; one that is killed has a successor behind it. */
  readonly workers: DaybookChild[];
  readonly startWorker: () => Promise<DaybookChild>;
  /** Straight to PostgreSQL, for looking behind the scenes. */
  readonly superuser: DatabaseConnection;
  /** The application's login through the pooler. */
  readonly pooledUrl: string;
  /** The two logins through the pooler, as a process connects. */
  readonly application: DatabaseConnection;
  readonly newsReader: DatabaseConnection;
  /** Publishes through the pooler. */
  readonly factory: RecordFactory;
  /** The secret in the mail to an address, as soon as it has come. */
  readonly mailedToken: (address: string) => Promise<string>;
  /** Lines that any process has logged as an error. */
  readonly loggedErrors: () => readonly string[];
  readonly remove: () => Promise<void>;
}

const workerCount = 2;

/** A whole installation behind PgBouncer in transaction mode. */
export async function setPoolerStage(root: string, apiCount: number): Promise<PoolerStage> {
  const cluster = await startCluster();
  const undo: (() => Promise<unknown>)[] = [() => cluster.remove()];
  try {
    return await prepareStage(root, apiCount, cluster, undo);
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  }
}

async function prepareStage(
  root: string,
  apiCount: number,
  cluster: Cluster,
  undo: (() => Promise<unknown>)[],
): Promise<PoolerStage> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  await migrateDatabase(urls.owner, createLogger('silent', 'prove'));
  const [poolerPort = 0, ...ports] = await freePorts(2 + apiCount + workerCount);
  const logins = [urls.application, urls.newsReader];
  const pooler = await startPgbouncer({ root, port: poolerPort, databasePort: cluster.port, logins });
  undo.push(pooler.stop);
  const connections = connectAll(cluster.url('daybook'), logins.map(pooler.through));
  undo.push(() => Promise.all(connections.map(({ close }) => close())));
  const [superuser, application, newsReader] = connections as [
    DatabaseConnection,
    DatabaseConnection,
    DatabaseConnection,
  ];
  const factory = createRecordFactory({ database: application.database, clock: systemClock });
  await fillRecord(factory, 60);
  await fillDays(factory);
  const mail = await startMailbox();
  undo.push(mail.stop);

  const settings = settingsOf(logins.map(pooler.through), urls.application, mail.url);
  const started: DaybookChild[] = [];
  const start = async (command: 'api' | 'worker'): Promise<DaybookChild> => {
    const child = await startDaybook(root, command, ports.pop() ?? 0, settings);
    started.push(child);
    return child;
  };
  undo.push(() => Promise.all(started.map(({ stop }) => stop())));
  const startAll = (command: 'api' | 'worker', count: number): Promise<DaybookChild[]> =>
    Promise.all(Array.from({ length: count }, () => start(command)));
  const [apis, workers] = await Promise.all([startAll('api', apiCount), startAll('worker', workerCount)]);
  return {
    pooler,
    pooledUrl: settings.DATABASE_URL,
    superuser,
    application,
    newsReader,
    factory,
    apis,
    workers,
    startWorker: () => start('worker'),
    mailedToken: mail.tokenFor,
    loggedErrors: () => started.flatMap(({ logFile }) => errorsIn(logFile)),
    remove: async () => {
      for (const step of undo.toReversed()) await step();
    },
  };
}

/** Items for every daily that is due, at whatever hour the workers start: an empty one is logged as an error. */
async function fillDays(factory: RecordFactory): Promise<void> {
  for (let hoursAgo = 1; hoursAgo < 8 * 24; hoursAgo += 6) {
    await factory.publishSelected({ title: `Found ${hoursAgo} hours before the start`, hoursAgo });
  }
}

function settingsOf(
  [applicationUrl = '', newsReaderUrl = '']: readonly string[],
  directUrl: string,
  smtpUrl: string,
) {
  return {
    DATABASE_URL: applicationUrl,
    DATABASE_READER_URL: newsReaderUrl,
    DATABASE_DIRECT_URL: directUrl,
    DAYBOOK_SECRET_KEY: stageSecretKey,
    DAYBOOK_SMTP_URL: smtpUrl,
    DAYBOOK_BASE_URL: 'http://daybook.example',
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1',
    DAYBOOK_RATE_PER_MINUTE: '1000000000',
    DAYBOOK_DRAIN_NOTICE_MS: '0',
  };
}

function connectAll(superuserUrl: string, pooled: readonly string[]): readonly DatabaseConnection[] {
  const common = { name: 'prove', connectionsMax: 4, connectTimeoutMs: 10_000 };
  return [
    connectDatabase({ ...common, url: superuserUrl }),
    // As long as the login lets a statement run, this side waits for it.
    ...pooled.map((url) =>
      connectDatabase({ ...common, url, throughPooler: true, statementTimeoutMs: 60_000 }),
    ),
  ];
}

async function startMailbox(): Promise<{
  readonly url: string;
  readonly tokenFor: (address: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}> {
  const tokens = new Map<string, string>();
  const { url, stop } = await startMailServer((source, recipients) => {
    const token = /[?]token=([0-9a-f]{64})/.exec(source.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1];
    for (const recipient of recipients) if (token !== undefined) tokens.set(recipient, token);
  });
  const tokenFor = async (address: string): Promise<string> => {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const token = tokens.get(address);
      if (token !== undefined) return token;
      if (performance.now() > deadline) throw new Error(`no mail came to ${address}`);
      await delay(20);
    }
  };
  return { url, stop, tokenFor };
}

function errorsIn(logFile: string): readonly string[] {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":"error"') || /^\S*Error/.test(line));
}
