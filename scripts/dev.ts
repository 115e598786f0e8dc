import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { startCluster } from '@daybook/local-postgres';
import type { Cluster } from '@daybook/local-postgres';

import { createLogins } from '../apps/server/src/foundation/database/logins.ts';
import { createLogger } from '../apps/server/src/foundation/logger.ts';
import { migrateDatabase } from '../apps/server/src/wiring.ts';
import {
  developmentLogin,
  developmentSecretKey,
  seedLogin,
  startMailPrinter,
} from './development-accounts.ts';

// Everything on one machine with nothing but Node and npm: a database, migrated, and both processes with reload.
const root = fileURLToPath(new URL('../', import.meta.url));
const port = process.env['PORT'] ?? '8080';

interface DevelopmentDatabase {
  readonly cluster: Cluster | null;
  readonly environment: Readonly<Record<string, string>>;
}

async function prepareDatabase(): Promise<DevelopmentDatabase> {
  const { DATABASE_URL: given, DATABASE_OWNER_URL: owner } = process.env;
  if (given !== undefined) {
    await migrateDatabase(owner ?? given, createLogger('warn', 'migrate'));
    return { cluster: null, environment: {} };
  }
  const cluster = await startCluster({ folder: `${root}.data/postgres` });
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

/** The demonstration fills an own database with a simulated world; someone else's is left as it is. */
function startDemo(environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ['apps/demo/src/bin/demo.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
}

function startProcess(command: string, environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(
    process.execPath,
    ['--watch-preserve-output', '--watch', 'apps/server/src/bin/daybook.ts', command],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        DAYBOOK_CONTRACT_CHECKS: 'on',
        DAYBOOK_DRAIN_NOTICE_MS: '0',
        PORT: port,
        ...environment,
      },
    },
  );
}

const { cluster, environment } = await prepareDatabase();
const children = ['api', 'worker'].map((command) => startProcess(command, environment));
if (cluster !== null) children.push(startDemo(environment));
const base = `http://127.0.0.1:${port}`;
console.log(`
  Daybook is starting.${cluster === null ? '' : ' A simulated newsroom fills it: a month is there in about a minute, then it goes on.'}

    ${base}/docs                  the news API, to read and try
    ${base}/api/v1/items          what is new
    ${base}/api/v1/hot-topics     what most sources report
    ${base}/api/v1/dailies/latest the daily report
    ${base}/llms.txt              for agents
    ${base}/readyz, /metrics      how it fares; the worker's are on port 8081

${cluster === null ? '' : `  Sign in as ${developmentLogin.email} with ${developmentLogin.password}; mail is shown here.\n`}  The database lies in ${cluster === null ? 'the server that DATABASE_URL names' : '.data/postgres'}. Ctrl-C stops everything.
`);

const stop = async (): Promise<void> => {
  const ended = children.map((child) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    if (child.exitCode !== null || !child.kill('SIGTERM')) resolve();
    return promise;
  });
  await Promise.all(ended);
  await cluster?.stop();
  process.exit(0);
};
process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop());
