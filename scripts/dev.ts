import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { bundlePrograms, findBundle } from '@daybook/bundle';
import { startCluster } from '@daybook/local-postgres';
import type { Cluster } from '@daybook/local-postgres';

import type { Config } from '../apps/server/src/config/config.ts';
import { readConfig } from '../apps/server/src/config/config.ts';
import { createCalendarClock, systemClock } from '../apps/server/src/foundation/clock.ts';
import { createLogins } from '../apps/server/src/foundation/database/logins.ts';
import { isoMilliseconds } from '../apps/server/src/foundation/instant.ts';
import { createLogger } from '../apps/server/src/foundation/logger.ts';
import type { SupervisedProcess } from '../apps/server/src/foundation/supervised-process.ts';
import { superviseProcess } from '../apps/server/src/foundation/supervised-process.ts';
import { migrateDatabase } from '../apps/server/src/wiring/migrate-database.ts';
import { fillWithHistory } from '../apps/simulation/src/play-history.ts';
import {
  developmentLogin,
  developmentSecretKey,
  seedLogin,
  startMailPrinter,
} from './development-accounts.ts';
import { choosePort } from './development-ports.ts';

// Runs everything on one machine with only Node and npm: a migrated database, and both processes, restarted when they
// exit and when the code changes.
const root = fileURLToPath(new URL('../', import.meta.url));
const watched = [
  'apps/server/src',
  'apps/simulation/src',
  'packages/grounding/src',
  'packages/login/src',
  'packages/newswire/src',
];

const daybook = `${root}apps/server/src/bin/daybook.ts`;
const publishersProgram = `${root}apps/simulation/src/bin/publishers.ts`;
const bundle = { root, programs: [daybook, publishersProgram] };

const databaseFolder = '.data/database';

type Environment = Readonly<Record<string, string>>;

interface DevelopmentDatabase {
  readonly cluster: Cluster | null;
  readonly environment: Environment;
}

async function prepareDatabase(): Promise<DevelopmentDatabase> {
  const { DATABASE_URL: given, DATABASE_OWNER_URL: owner } = process.env;
  if (given !== undefined) {
    await migrateDatabase(owner ?? given, createLogger('warn', 'migrate'));
    return { cluster: null, environment: {} };
  }
  const cluster = await startCluster({ folder: `${root}${databaseFolder}` });
  const urls = await createLogins({
    superuserUrl: cluster.url(),
    database: 'daybook',
    password: 'development',
  });
  await migrateDatabase(urls.owner, createLogger('warn', 'migrate'));
  const accounts = {
    DATABASE_URL: urls.application,
    DAYBOOK_SECRET_KEY: developmentSecretKey(`${root}.data/secret-key`),
    DAYBOOK_SMTP_URL: await startMailPrinter(),
    DAYBOOK_STORAGE_FOLDER: `${root}.data/storage`,
    DAYBOOK_NEWSROOM_ORGANIZATION: 'daybook',
  };
  await seedLogin(accounts);
  return {
    cluster,
    environment: {
      ...accounts,
      DATABASE_OWNER_URL: urls.owner,
      DATABASE_READER_URL: urls.newsReader,
    },
  };
}

/** One start time for all processes, so that their calendars agree. */
function clockStart(): Environment {
  const { DAYBOOK_CLOCK_START: start, DAYBOOK_CLOCK_STARTED_AT: startedAt } = process.env;
  if (start === undefined || startedAt !== undefined) return {};
  return { DAYBOOK_CLOCK_STARTED_AT: isoMilliseconds(systemClock.now()) };
}

function keepRunning(
  name: string,
  words: () => readonly string[],
  environment: Environment,
): SupervisedProcess {
  const start = (): ChildProcess =>
    spawn(process.execPath, words(), {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
      env: { ...process.env, ...environment },
    });
  return superviseProcess({
    start,
    onExit: ({ code, signal, restartsInMs }) =>
      console.log(`  ${name} exited (${signal ?? `code ${code}`}). Restarting in ${restartsInMs / 1_000} s.`),
  });
}

/** On the first start the previous month, and later the time since the last one; it can be interrupted and resumed. */
async function playHistory(config: Config, signal: AbortSignal): Promise<void> {
  const { simulatedTime, site, database } = config;
  const began = performance.now();
  let shownPercent = -1;
  await fillWithHistory(database.applicationUrl, {
    until: createCalendarClock(simulatedTime).now(),
    language: site.language,
    signal,
    onProgress: ({ played, total }) => {
      const percent = Math.floor((played / total) * 20) * 5;
      if (percent === shownPercent) return;
      shownPercent = percent;
      const filled = percent / 5;
      const seconds = Math.round((performance.now() - began) / 1_000);
      console.log(
        `  Importing ${Math.ceil(total / 24)} days of simulated news  ${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${percent} %, ${seconds} s`,
      );
    },
  });
}

function restartOnChange(processes: readonly SupervisedProcess[], onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of watched) {
    watch(root + folder, { recursive: true }, (_event, file) => {
      if (file === null || !file.endsWith('.ts') || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        console.log(`  ${folder}/${file} changed. Restarting all processes.`);
        onChange();
        for (const one of processes) one.restart();
      }, 200);
    });
  }
}

async function untilReady(base: string): Promise<void> {
  for (;;) {
    const ready = await fetch(`${base}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await delay(200);
  }
}

function describeSite(ports: { readonly api: number; readonly worker: number }, own: boolean): string {
  const base = `http://localhost:${ports.api}`;
  return `
  Daybook is running.${own ? ' The worker polls simulated publishers over HTTP.' : ''}

    ${base}/                      front page
    ${base}/docs                  API reference
    ${base}/api/v1/items          latest items
    ${base}/api/v1/hot-topics     hot topics
    ${base}/api/v1/dailies/latest daily report
    ${base}/llms.txt              for agents
    ${base}/readyz, /metrics      health and metrics; worker: http://localhost:${ports.worker}

${own ? `  Sign in at ${base}/auth/signin as ${developmentLogin.email} with the password ${developmentLogin.password}. E-mail is printed here, on the first start when the import is complete.\n` : ''}  Database: ${own ? databaseFolder : 'DATABASE_URL'}. Press Ctrl-C to stop.
`;
}

const refuse = (error: Error): never => {
  console.error(error.message);
  process.exit(1);
};
const api = await choosePort({ setting: 'PORT', preferred: 8080 }, process.env).catch(refuse);
const worker = await choosePort({ setting: 'DAYBOOK_WORKER_PORT', preferred: api + 1 }, process.env).catch(
  refuse,
);
const { cluster, environment } = await prepareDatabase();
// The script's own database has simulated publishers; a given one stays unchanged.
const publishers =
  cluster === null
    ? null
    : await choosePort({ setting: 'DAYBOOK_EXAMPLE_PORT', preferred: worker + 1 }, process.env).catch(refuse);
const settings: Environment = {
  DAYBOOK_CONTRACT_CHECKS: 'on',
  DAYBOOK_DRAIN_NOTICE_MS: '0',
  PORT: String(api),
  DAYBOOK_WORKER_PORT: String(worker),
  ...(publishers !== null && { DAYBOOK_EXAMPLE_PORT: String(publishers) }),
  ...clockStart(),
  ...environment,
};
const processes: SupervisedProcess[] = [];
/** The last bundle starts sooner; it is used until a source changes. Without one, one is built for the next time. */
let bundled = await findBundle(bundle);
const isBundled = bundled !== null;
const start = (name: string, program: string, ...rest: readonly string[]): void =>
  void processes.push(keepRunning(name, () => [bundled?.(program) ?? program, ...rest], settings));

const leaving = new AbortController();
let history = Promise.resolve();
let stopping = false;
const stop = async (): Promise<void> => {
  // Children exit with their parent: a second Ctrl-C waits for nothing.
  if (stopping) process.exit(1);
  stopping = true;
  leaving.abort();
  await history.catch(() => {});
  await Promise.all(processes.map((one) => one.stop()));
  await cluster?.stop();
  process.exit(0);
};
process.on('SIGINT', () => void stop()).on('SIGTERM', () => void stop());
start('api', daybook, 'api');
await untilReady(`http://localhost:${api}`);
console.log(describeSite({ api, worker }, cluster !== null));
// The worker starts when the import is complete.
if (cluster !== null) history = playHistory(readConfig({ ...process.env, ...settings }), leaving.signal);
await history;
if (!leaving.signal.aborted) {
  // The sources were not watched meanwhile.
  if (bundled !== null) bundled = await findBundle(bundle);
  start('worker', daybook, 'worker');
  if (publishers !== null) start('publishers', publishersProgram);
  restartOnChange(processes, () => {
    bundled = null;
  });
  if (!isBundled) void bundlePrograms(bundle).catch((error: Error) => console.error(error.message));
}
