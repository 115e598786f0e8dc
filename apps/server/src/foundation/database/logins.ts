import pg from 'pg';

import { defaultSessionLimits } from './session-limits.ts';

/** The three addresses of one database: for the owner, the application and the news reader. */
export interface DatabaseUrls {
  readonly owner: string;
  readonly application: string;
  readonly newsReader: string;
}

export interface LoginsRequest {
  /** A superuser's address of any database of the cluster. */
  readonly superuserUrl: string;
  readonly database: string;
  readonly password: string;
  /** The owner's, where it differs: processes that serve readers should not change the structure. */
  readonly ownerPassword?: string;
}

const logins = {
  owner: { name: 'daybook_owner', memberOf: null },
  application: { name: 'daybook_app', memberOf: 'daybook_application' },
  newsReader: { name: 'daybook_reader', memberOf: 'daybook_news_reader' },
} as const;

/**
 * Creates the missing ones of the two group roles, the three logins with their limits, and the database. A
 * limit that an operator has changed is preserved.
 */
export async function createLogins(request: LoginsRequest): Promise<DatabaseUrls> {
  const client = new pg.Client({ connectionString: request.superuserUrl });
  await client.connect();
  try {
    for (const { name, memberOf } of Object.values(logins)) {
      if (memberOf !== null) await createRole(client, memberOf, 'NOLOGIN');
      await createRole(client, name, 'LOGIN');
      await client.query(`ALTER ROLE ${name} PASSWORD ${client.escapeLiteral(passwordOf(request, name))}`);
      if (memberOf === null) continue;
      await client.query(`GRANT ${memberOf} TO ${name}`);
      await limitLogin(client, name);
    }
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [request.database]);
    const database = client.escapeIdentifier(request.database);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${database} OWNER ${logins.owner.name}`);
    await restrictDatabase(client, request.database);
  } finally {
    await client.end();
  }
  return urlsOf(request);
}

/** By default every role may connect and create temporary tables; only three logins need to. */
export async function restrictDatabase(client: pg.Client, name: string): Promise<void> {
  const database = client.escapeIdentifier(name);
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO daybook_application, daybook_news_reader`);
}

const passwordOf = ({ password, ownerPassword = password }: LoginsRequest, name: string): string =>
  name === logins.owner.name ? ownerPassword : password;

export function urlsOf(request: LoginsRequest): DatabaseUrls {
  const urlFor = (name: string): string => {
    const url = new URL(request.superuserUrl);
    url.username = name;
    url.password = passwordOf(request, name);
    url.pathname = `/${request.database}`;
    return url.href;
  };
  return {
    owner: urlFor(logins.owner.name),
    application: urlFor(logins.application.name),
    newsReader: urlFor(logins.newsReader.name),
  };
}

/** A pooler forwards no settings at session start, so the login has its own. Migrations have no limit. */
async function limitLogin(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ settings: readonly string[] | null }>(
    'SELECT rolconfig AS settings FROM pg_roles WHERE rolname = $1',
    [name],
  );
  const { statementTimeoutMs, idleInTransactionTimeoutMs } = defaultSessionLimits;
  const limits = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  };
  for (const [setting, value] of Object.entries(limits)) {
    if (rows[0]?.settings?.some((one) => one.startsWith(`${setting}=`)) === true) continue;
    await client.query(`ALTER ROLE ${name} SET ${setting} = ${value}`);
  }
}

async function createRole(client: pg.Client, name: string, kind: 'LOGIN' | 'NOLOGIN'): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rows.length === 0) await client.query(`CREATE ROLE ${name} ${kind}`);
}
