import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BucketServer } from '@daybook/local-bucket';
import { startBucketServer } from '@daybook/local-bucket';
import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import { readConfig } from '../../../apps/server/src/config/config.ts';
import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { createCalendarClock, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { instantFromMs, isoMilliseconds } from '../../../apps/server/src/foundation/instant.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { requestSubscription, saveSubscription } from '../../../apps/server/src/mailing/index.ts';
import { openMailing } from '../../../apps/server/src/wiring/mailing.ts';
import { migrateDatabase } from '../../../apps/server/src/wiring/migrate-database.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { freePorts } from '../http/api-child.ts';
import type { EdgeProgram } from '../http/edge-program.ts';
import { startNginx } from '../http/nginx.ts';
import type { SmallDisk } from '../mirror/small-disk.ts';
import { mountSmallDisk } from '../mirror/small-disk.ts';
import { untilRight } from '../news/watch-withdrawal.ts';
import type { Pgbouncer } from '../pooler/pgbouncer.ts';
import { startPgbouncer } from '../pooler/pgbouncer.ts';
import type { Newswire } from '../upgrade/newswire.ts';
import { startNewswire } from '../upgrade/newswire.ts';
import { runCommand } from '../upgrade/released-program.ts';
import type { FaultyRoute } from './faulty-route.ts';
import { startFaultyRoute } from './faulty-route.ts';
import type { Supervised } from './supervised.ts';
import { startSupervised } from './supervised.ts';

/** Everything that an operator of a large installation runs, with what a suite needs to break it. */
export interface ChaosInstallation {
  readonly edgePort: number;
  readonly apis: readonly Supervised[];
  readonly workers: readonly Supervised[];
  readonly nginx: EdgeProgram;
  readonly cluster: Cluster;
  /** The folder of the database’s files. */
  readonly databaseFolder: string;
  readonly pooler: {
    readonly pid: () => number;
    readonly kill: () => Promise<void>;
    readonly start: () => Promise<void>;
  };
  readonly bucket: BucketServer;
  /** From the processes to PgBouncer, past it to PostgreSQL, and to the bucket. */
  readonly routes: Readonly<Record<'pooled' | 'direct' | 'bucket', FaultyRoute>>;
  /** Of the database, and of the workers’ record of the log; null where the machine cannot mount any. */
  readonly disks: Readonly<Record<'database' | 'log', SmallDisk>> | null;
  readonly wire: Newswire;
  readonly clock: CalendarClock;
  readonly superuser: DatabaseConnection;
  readonly mails: readonly ReceivedMail[];
  /** Ends publishing; returns the addresses that were not published within two minutes. */
  readonly finishWire: (excused: ReadonlySet<string>) => Promise<readonly string[]>;
  readonly subscribers: readonly string[];
  /** Runs a command of `daybook` past all faults. */
  readonly run: (...words: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly source: string;
}

export const password = 'a long sentence for the first account';
/** The owner of the newsroom, and of an organization with a small quota. */
export const accounts = { editor: 'editor@example.org', hoarder: 'hoarder@example.org' } as const;
export const quotaBytes = 4_000_000;
const processCount = 3;
const subscriberCount = 4;
const publishEveryMs = 2_000;

export interface ChaosPlan {
  readonly root: string;
  readonly folder: string;
  /** The calendar at the start, and how fast it runs. */
  readonly calendarStartsAtMs: number;
  readonly speed: number;
}

type Closing = (() => Promise<unknown>)[];

export async function startChaosInstallation(plan: ChaosPlan): Promise<ChaosInstallation> {
  const closing: Closing = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    return { ...(await start(plan, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(plan: ChaosPlan, closing: Closing): Promise<Omit<ChaosInstallation, 'stop'>> {
  const { root } = plan;
  const stored = await startStores(plan, closing);
  const outside = await startOutside(plan, closing);
  const { cluster, bucket, superuser, urls, disks, databaseFolder } = stored;
  const { clock, wire, mails } = outside;
  const [edgePort = 0, poolerPort = 0, ...ports] = await freePorts(2 + 4 * processCount);
  const local = settingsOf(plan, { ...stored, ...outside, edgePort });
  const run = (...words: readonly string[]): Promise<string> => runCommand(root, words, local);
  await fill(plan, { local, wire, superuser });
  const logins = [urls.application, urls.newsReader];
  const pooler = await startPooler(root, { poolerPort, cluster, logins }, closing);
  const routes = await startRoutes({ poolerPort, cluster, bucket }, closing);
  const settings = {
    ...local,
    DATABASE_URL: through(urls.application, routes.pooled),
    DATABASE_READER_URL: through(urls.newsReader, routes.pooled),
    DATABASE_DIRECT_URL: through(urls.application, routes.direct),
    ...bucketSettings(bucket, `http://127.0.0.1:${routes.bucket.port}`),
  };
  const processes = await startProcesses(root, ports, settings, closing);
  const nginx = await startNginx(root, edgePort, ports.slice(0, processCount));
  closing.push(nginx.stop);
  const publishing = wire.publishTo(cluster.url('daybook'));
  closing.push(async () => publishing.stop());
  const subscribers = await subscribe(local, { clock, mails });
  const parts = { ...processes, nginx, cluster, databaseFolder, pooler, bucket, routes, disks };
  return {
    edgePort,
    ...parts,
    wire,
    clock,
    superuser,
    mails,
    subscribers,
    run,
    finishWire: publishing.finish,
  };
}

/** The database with its disk, and the bucket. */
async function startStores({ folder }: ChaosPlan, closing: Closing) {
  const disks = mountDisks(folder, closing);
  const databaseFolder = join(disks?.database.folder ?? folder, 'database');
  const settings = { max_wal_size: '128MB', min_wal_size: '64MB' };
  const cluster = await startCluster({ folder: databaseFolder, settings });
  closing.push(() => cluster.stop('immediate'));
  const bucket = await startBucketServer();
  closing.push(bucket.remove);
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  await migrateDatabase(urls.owner, createLogger('silent', 'prove'));
  const superuser = connectDatabase({
    url: cluster.url('daybook'),
    name: 'prove chaos',
    connectionsMax: 4,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 30_000,
  });
  superuser.pool.on('error', () => {});
  closing.push(superuser.close);
  return { disks, databaseFolder, cluster, bucket, urls, superuser };
}

/** Publishers and a mail server, and the calendar of all. */
async function startOutside({ calendarStartsAtMs, speed }: ChaosPlan, closing: Closing) {
  const time = { shows: instantFromMs(calendarStartsAtMs), startedAt: systemClock.now(), speed };
  const clock = createCalendarClock(time);
  const wire = await startNewswire({ nowMs: clock.nowMs, publishEveryMs });
  const mails: ReceivedMail[] = [];
  const mail = await startMailServer((source, [to = '']) =>
    mails.push({ to, source, subject: /^Subject: (.*)$/m.exec(source)?.[1]?.trim() ?? '' }),
  );
  closing.push(wire.close, mail.stop);
  return { time, clock, wire, mails, mailUrl: mail.url };
}

type Stores = Awaited<ReturnType<typeof startStores>>;
type Outside = Awaited<ReturnType<typeof startOutside>>;

/** Of commands, which connect past all faults. */
function settingsOf(
  { folder, speed }: ChaosPlan,
  { urls, bucket, disks, wire, mailUrl, time, edgePort }: Stores & Outside & { readonly edgePort: number },
): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DATABASE_OWNER_URL: urls.owner,
    ...bucketSettings(bucket, bucket.url),
    DAYBOOK_BASE_URL: `http://localhost:${edgePort}`,
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1/32',
    DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
    DAYBOOK_NEWSROOM_ORGANIZATION: 'newsroom',
    DAYBOOK_EXAMPLE_PORT: String(wire.port),
    DAYBOOK_SMTP_URL: mailUrl,
    DAYBOOK_LOG_KEY_FILE: join(folder, 'log.key'),
    DAYBOOK_LOG_STATE_FILE: join(disks?.log.folder ?? folder, 'log.signed'),
    DAYBOOK_RATE_PER_MINUTE: '1000000',
    DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_LOG_LEVEL: 'warn',
    DAYBOOK_CLOCK_START: isoMilliseconds(time.shows),
    DAYBOOK_CLOCK_STARTED_AT: isoMilliseconds(time.startedAt),
    DAYBOOK_CLOCK_SPEED: String(speed),
  };
}

async function startRoutes(
  { poolerPort, cluster, bucket }: Readonly<{ poolerPort: number; cluster: Cluster; bucket: BucketServer }>,
  closing: Closing,
): Promise<ChaosInstallation['routes']> {
  const { hostname, port } = new URL(bucket.url);
  const routes = {
    pooled: await startFaultyRoute({ host: '127.0.0.1', port: poolerPort }),
    direct: await startFaultyRoute({ host: '127.0.0.1', port: cluster.port }),
    bucket: await startFaultyRoute({ host: hostname, port: Number(port) }),
  };
  for (const route of Object.values(routes)) closing.push(route.close);
  return routes;
}

function mountDisks(folder: string, closing: Closing): ChaosInstallation['disks'] {
  const database = mountSmallDisk(join(folder, 'database-disk'), '900m');
  const log = mountSmallDisk(join(folder, 'log-disk'), '1m');
  for (const disk of [database, log]) if (disk !== null) closing.push(async () => disk.unmount());
  return database === null || log === null ? null : { database, log };
}

function bucketSettings(bucket: BucketServer, url: string): Readonly<Record<string, string>> {
  return {
    DAYBOOK_STORAGE_BUCKET: bucket.bucket,
    DAYBOOK_STORAGE_BUCKET_URL: url,
    DAYBOOK_STORAGE_BUCKET_REGION: bucket.region,
    DAYBOOK_STORAGE_BUCKET_KEY_ID: bucket.accessKeyId,
    DAYBOOK_STORAGE_BUCKET_SECRET: bucket.secretAccessKey,
  };
}

function through(url: string, { port }: FaultyRoute): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

async function fill(
  { root, folder }: ChaosPlan,
  of: {
    readonly local: Readonly<Record<string, string>>;
    readonly wire: Newswire;
    readonly superuser: DatabaseConnection;
  },
): Promise<void> {
  const { local, wire, superuser } = of;
  for (const [username, organization] of [
    ['editor', 'newsroom'],
    ['hoarder', 'attic'],
  ] as const) {
    const words = ['admin', 'create-owner', '--username', username, '--organization', organization];
    await runCommand(root, [...words, '--email', accounts[username]], local, `${password}\n`);
  }
  await runCommand(root, ['log', 'keygen'], local);
  const list = join(folder, 'sources.opml');
  await writeFile(list, wire.opml());
  await runCommand(root, ['sources', 'import', list], local);
  await superuser.pool.query(
    `INSERT INTO storage.usage (organization_id, quota_bytes) SELECT id, $1 FROM identity.organization WHERE key = 'attic'
     ON CONFLICT (organization_id) DO UPDATE SET quota_bytes = excluded.quota_bytes`,
    [quotaBytes],
  );
}

async function startPooler(
  root: string,
  {
    poolerPort,
    cluster,
    logins,
  }: Readonly<{ poolerPort: number; cluster: Cluster; logins: readonly string[] }>,
  closing: Closing,
): Promise<ChaosInstallation['pooler']> {
  const begin = (): Promise<Pgbouncer> =>
    startPgbouncer({ root, port: poolerPort, databasePort: cluster.port, logins });
  let running = await begin();
  closing.push(() => running.stop());
  return {
    pid: () => running.pid,
    kill: () => running.stop(),
    start: async () => {
      running = await begin();
    },
  };
}

async function startProcesses(
  root: string,
  ports: readonly number[],
  settings: Readonly<Record<string, string>>,
  closing: Closing,
): Promise<{ readonly apis: readonly Supervised[]; readonly workers: readonly Supervised[] }> {
  const of = (command: 'api' | 'worker', from: number): Promise<readonly Supervised[]> =>
    Promise.all(
      Array.from({ length: processCount }, (_, at) => {
        const [port = 0, hookPort = 0] = [ports[from + at], ports[2 * processCount + from + at]];
        return startSupervised(root, { name: `${command} ${at + 1}`, command, port, hookPort }, settings);
      }),
    );
  const [apis, workers] = await Promise.all([of('api', 0), of('worker', processCount)]);
  closing.push(() => Promise.all([...apis, ...workers].map((one) => one.stop())));
  return { apis, workers };
}

/** Readers who get each daily and weekly by mail. */
async function subscribe(
  local: Readonly<Record<string, string>>,
  { clock, mails }: { readonly clock: CalendarClock; readonly mails: readonly ReceivedMail[] },
): Promise<readonly string[]> {
  const url = local['DATABASE_URL'] ?? '';
  const { database, close } = connectDatabase({
    url,
    name: 'prove chaos',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
  });
  const mailing = openMailing(readConfig(local), database, clock);
  if (mailing === null) throw new Error('no mail server is configured');
  const choices = { daily: true, weekly: true };
  const emails = Array.from({ length: subscriberCount }, (_, at) => `reader${at}@example.org`);
  for (const email of emails) await requestSubscription(mailing, { email, choices, language: 'en' });
  for (const email of emails) {
    await untilRight(async () => mails.some(({ to }) => to === email));
    const { source = '' } = mails.find(({ to }) => to === email) ?? {};
    const token = /token=(?:3D)?([0-9a-f]{64})/.exec(source.replaceAll('=\r\n', ''))?.[1] ?? '';
    if ((await saveSubscription(mailing, token, choices)) === null)
      throw new Error('the link of the mail does not confirm');
  }
  await close();
  return emails;
}
