import type { Config } from '../../config/config.ts';
import { systemClock } from '../../foundation/clock.ts';
import type { DatabaseConnection } from '../../foundation/database/database.ts';
import type { LoginState } from '../../foundation/database/login-state-store.ts';
import { readLoginState } from '../../foundation/database/login-state-store.ts';
import { readSchemaState } from '../../foundation/database/migrate.ts';
import { readMigrations } from '../../foundation/database/migration-files.ts';
import { describeMissingLimits } from '../../foundation/database/session-limits.ts';
import { connect } from '../connections.ts';
import type { Check, Outcome } from './check.ts';
import { failed, messageOf, passed, skipped, warning } from './check.ts';
import { replicaChecks } from './replica-check.ts';

const oldestVersionNumber = 170_000;
const clockWarningMs = 1_000;
const clockFailureMs = 5_000;
const loginsAdvice = 'Run `daybook database logins` with DATABASE_SUPERUSER_URL and DATABASE_LOGIN_PASSWORD.';

/** Opens a connection for one check. */
async function withLogin(
  config: Config,
  url: string,
  work: (connection: DatabaseConnection) => Promise<Outcome>,
): Promise<Outcome> {
  const connection = connect(config, url, 'daybook doctor', { connectionsMax: 1 });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export function databaseChecks(config: Config): readonly Check[] {
  const { applicationUrl, newsReaderUrl, ownerUrl, directUrl } = config.database;
  const ofLogin = (
    name: string,
    setting: string,
    url: string,
    judge: (state: LoginState) => Outcome,
  ): Check => ({
    name,
    run: () => checkLogin(config, setting, url, judge),
  });
  return [
    { name: 'database', run: () => checkServer(config) },
    { name: 'migrations', run: () => checkMigrations(config) },
    { name: 'clock', run: () => checkClock(config) },
    ofLogin('application login', 'DATABASE_URL', applicationUrl, judgeApplication),
    newsReaderUrl === applicationUrl
      ? { name: 'news reader login', run: async () => sharedReader }
      : ofLogin('news reader login', 'DATABASE_READER_URL', newsReaderUrl, judgeNewsReader),
    ownerUrl === directUrl
      ? {
          name: 'owner login',
          run: async () =>
            skipped('DATABASE_OWNER_URL is not set here; only `daybook database migrate` needs it'),
        }
      : ofLogin('owner login', 'DATABASE_OWNER_URL', ownerUrl, judgeOwner),
    ...replicaChecks(config),
  ];
}

const sharedReader = warning(
  'news is read with the login of the application',
  'Set DATABASE_READER_URL to the login daybook_reader, which can read only news.',
);

async function checkServer(config: Config): Promise<Outcome> {
  const { applicationUrl, newsReaderUrl } = config.database;
  const states: LoginState[] = [];
  try {
    for (const url of new Set([applicationUrl, newsReaderUrl]))
      await withLogin(config, url, async ({ pool }) => {
        states.push(await readLoginState(pool, systemClock.nowMs));
        return passed('');
      });
  } catch (error) {
    return failed(messageOf(error), connectionAdvice(error));
  }
  const [application, reader = application] = states;
  if (application === undefined || reader === undefined) throw new Error('the database did not answer');
  if (application.versionNumber < oldestVersionNumber)
    return failed(
      `PostgreSQL ${application.version}`,
      'Install PostgreSQL 17 or later, and move the data with pg_upgrade or pg_dump.',
    );
  if (
    application.database !== reader.database ||
    (!config.database.throughPooler && application.serverStartedAt !== reader.serverStartedAt)
  )
    return failed(
      'DATABASE_URL and DATABASE_READER_URL connect to different databases',
      'Use the same host, port and database in both: a replica would serve withdrawn items.',
    );
  return passed(`PostgreSQL ${application.version}, database ${application.database}`);
}

/** By the codes of PostgreSQL and of the operating system. */
function connectionAdvice(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === '28P01' || code === '28000') return `The login or its password is wrong. ${loginsAdvice}`;
  if (code === '3D000') return `The database does not exist. ${loginsAdvice}`;
  if (code === '53300')
    return 'PostgreSQL has too many connections: lower DATABASE_CONNECTIONS_MAX or use a pooler.';
  if (code === 'ENOTFOUND') return 'Correct the host name in DATABASE_URL.';
  return 'Start PostgreSQL, and compare its host and port with DATABASE_URL.';
}

async function checkMigrations(config: Config): Promise<Outcome> {
  const migrations = await readMigrations();
  const state = await withReachable(config, ({ pool }) => readSchemaState(pool, migrations));
  if (state === null) return unreachable;
  if (state.kind === 'current') return passed(`all ${migrations.length} migrations are applied`);
  if (state.kind === 'behind')
    return failed(
      `${state.missing} migrations are not applied`,
      'Run `daybook database migrate` with DATABASE_OWNER_URL.',
    );
  if (state.kind === 'ahead')
    return warning(`the database has ${state.by} newer migrations`, 'Install the release that applied them.');
  return failed(state.detail, 'Install the release that applied it: this one must not run on this database.');
}

const unreachable = skipped('the database is unreachable');

/** Null: the check `database` reports why. */
async function withReachable<Value>(
  config: Config,
  work: (connection: DatabaseConnection) => Promise<Value>,
): Promise<Value | null> {
  const connection = connect(config, config.database.applicationUrl, 'daybook doctor', { connectionsMax: 1 });
  try {
    await connection.pool.query('SELECT 1');
  } catch {
    await connection.close();
    return null;
  }
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function checkClock(config: Config): Promise<Outcome> {
  const state = await withReachable(config, ({ pool }) => readLoginState(pool, systemClock.nowMs));
  if (state === null) return unreachable;
  const differenceMs = Math.abs(state.clockAheadMs);
  const detail = `${differenceMs} ms from the clock of the database`;
  const advice = 'Synchronize the clocks of both machines: `timedatectl set-ntp true`.';
  if (differenceMs > clockFailureMs) return failed(detail, advice);
  return differenceMs > clockWarningMs ? warning(detail, advice) : passed(detail);
}

async function checkLogin(
  config: Config,
  setting: string,
  url: string,
  judge: (state: LoginState) => Outcome,
): Promise<Outcome> {
  try {
    return await withLogin(config, url, async ({ pool }) => {
      const outcome = judge(await readLoginState(pool, systemClock.nowMs));
      if (outcome.state !== 'passed' || judge === judgeOwner) return outcome;
      const missing = await describeMissingLimits(pool);
      return missing === null ? outcome : failed(missing, loginsAdvice);
    });
  } catch (error) {
    return failed(`${setting}: ${messageOf(error)}`, connectionAdvice(error));
  }
}

function judgeApplication(state: LoginState): Outcome {
  if (state.isSuperuser || state.changesStructure)
    return failed(
      `${state.login} ${state.isSuperuser ? 'is a superuser' : 'can change the structure of the database'}`,
      `Use daybook_app in DATABASE_URL: a process that serves readers needs fewer permissions. ${loginsAdvice}`,
    );
  if (!state.isApplication)
    return failed(`${state.login} is not a member of daybook_application`, loginsAdvice);
  return passed(`${state.login} has only the permissions of the application`);
}

function judgeNewsReader(state: LoginState): Outcome {
  const excess = [
    ...(state.isSuperuser ? ['is a superuser'] : []),
    ...(state.readsAccounts ? ['can read accounts'] : []),
    ...(state.changesRecord ? ['can change news'] : []),
  ];
  if (excess.length > 0)
    return failed(
      `${state.login} ${excess.join(', ')}`,
      `Use daybook_reader in DATABASE_READER_URL. ${loginsAdvice}`,
    );
  if (!state.isNewsReader)
    return failed(`${state.login} is not a member of daybook_news_reader`, loginsAdvice);
  return passed(`${state.login} can read only news`);
}

function judgeOwner(state: LoginState): Outcome {
  if (!state.changesStructure)
    return failed(
      `${state.login} cannot change the structure of the database`,
      `Use daybook_owner in DATABASE_OWNER_URL. ${loginsAdvice}`,
    );
  if (state.isSuperuser)
    return warning(`${state.login} is a superuser`, 'Use daybook_owner in DATABASE_OWNER_URL.');
  return passed(`${state.login} can change the structure of the database`);
}
