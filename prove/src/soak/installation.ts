import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import { createWorld, startPublishers } from '@daybook/newswire';

import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { createCalendarClock, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { instantFromMs, isoMilliseconds } from '../../../apps/server/src/foundation/instant.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { migrateDatabase } from '../../../apps/server/src/wiring/migrate-database.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { simulatedSources } from '../../../apps/simulation/src/simulated-world.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { daybook, startDaybook } from '../http/daybook-child.ts';
import { startNginx } from '../http/nginx.ts';
import type { Credentials } from '../restore/installation.ts';
import { createProject, email, obtainCredentials, password } from '../restore/installation.ts';
import { runCommand } from '../upgrade/released-program.ts';
import { addSourcesTo } from '../wire/wire-stage.ts';
import { hookVariables } from './hook-report.ts';

/** Two api processes and a worker behind nginx, whose calendar runs fast. */
export interface SoakInstallation {
  readonly edgePort: number;
  readonly processes: readonly SoakedProcess[];
  readonly cluster: Cluster;
  readonly clock: CalendarClock;
  readonly credentials: Credentials;
  readonly projectId: string;
  /** Where the processes create temporary files, and files of the storage. */
  readonly temporary: string;
  readonly files: string;
  readonly stop: () => Promise<void>;
}

export interface SoakedProcess {
  readonly name: string;
  readonly child: DaybookChild;
  readonly hookPort: number;
}

const hook = fileURLToPath(new URL('../processes/soak-hook.ts', import.meta.url));
const createOwner = [
  'admin',
  'create-owner',
  '--username',
  'ada',
  '--organization',
  'news',
  '--email',
  email,
];
const calendarStartsAtMs = Date.UTC(2026, 2, 1);
const world = { seed: 38, outlets: 6, itemsPerDay: 24, days: 400 } as const;

export async function startSoakInstallation(
  root: string,
  folder: string,
  speed: number,
): Promise<SoakInstallation> {
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    return { ...(await start({ root, folder, speed }, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { root, folder, speed }: { readonly root: string; readonly folder: string; readonly speed: number },
  closing: (() => Promise<unknown>)[],
): Promise<Omit<SoakInstallation, 'stop'>> {
  // A day passes in seconds: rows that a day replaces are vacuumed within seconds, not within a minute.
  const settings = { autovacuum_naptime: '1s', synchronous_commit: 'off', fsync: 'off' };
  const cluster = await startCluster({ settings });
  closing.push(() => cluster.remove());
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  await migrateDatabase(urls.owner, createLogger('silent', 'prove'));
  const [temporary, files] = [join(folder, 'temporary'), join(folder, 'files')];
  for (const one of [temporary, files]) await mkdir(one);
  const time = { shows: instantFromMs(calendarStartsAtMs), startedAt: systemClock.now(), speed };
  const clock = createCalendarClock(time);
  const newswire = createWorld({ ...world, startsAt: calendarStartsAtMs });
  const publishers = await startPublishers({ world: newswire, nowMs: clock.nowMs, spacingMs: 0 });
  closing.push(publishers.close);
  const mail = await startMailServer(() => {});
  closing.push(mail.stop);
  const [edgePort = 0, ...ports] = await freePorts(7);
  const environment = {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DAYBOOK_BASE_URL: `http://localhost:${edgePort}`,
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1/32',
    DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
    DAYBOOK_STORAGE_FOLDER: files,
    DAYBOOK_EXAMPLE_PORT: String(publishers.port),
    DAYBOOK_SMTP_URL: mail.url,
    DAYBOOK_LOG_KEY_FILE: join(folder, 'log.key'),
    DAYBOOK_LOG_STATE_FILE: join(folder, 'log.signed'),
    DAYBOOK_RATE_PER_MINUTE: '1000000',
    DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_CLOCK_START: isoMilliseconds(time.shows),
    DAYBOOK_CLOCK_STARTED_AT: isoMilliseconds(time.startedAt),
    DAYBOOK_CLOCK_SPEED: String(speed),
    TMPDIR: temporary,
  };
  await runCommand(root, createOwner, environment, `${password}\n`);
  await runCommand(root, ['log', 'keygen'], environment);
  await addSourcesTo(urls.application, [...simulatedSources(newswire)], clock);
  const processes = await startProcesses(root, ports, environment);
  closing.push(() => Promise.all(processes.map(({ child }) => child.stop())));
  const [one, two] = processes.map(({ child }) => child.port);
  const nginx = await startNginx(root, edgePort, [one ?? 0, two ?? 0]);
  closing.push(nginx.stop);
  const credentials = await obtainCredentials(edgePort);
  const projectId = await createProject(edgePort, credentials);
  return { edgePort, processes, cluster, clock, credentials, projectId, temporary, files };
}

function startProcesses(
  root: string,
  ports: readonly number[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly SoakedProcess[]> {
  const leak = process.env[hookVariables.leak] ?? '';
  const places = [
    { name: 'first api', command: 'api', leak },
    { name: 'second api', command: 'api', leak: '' },
    { name: 'worker', command: 'worker', leak: '' },
  ] as const;
  return Promise.all(
    places.map(async ({ name, command, leak: own }, at) => {
      const [port = 0, hookPort = 0] = ports.slice(2 * at);
      const settings = {
        ...environment,
        [hookVariables.port]: String(hookPort),
        [hookVariables.leak]: own,
      };
      const words = [process.execPath, '--import', hook, daybook, command] as const;
      return { name, hookPort, child: await startDaybook(root, command, port, settings, [...words]) };
    }),
  );
}
