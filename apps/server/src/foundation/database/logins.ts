import pg from 'pg';

/** The three addresses of one database: who owns it, who works in it, who may only read the public record. */
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
}

const logins = {
  owner: { name: 'daybook_owner', memberOf: null },
  application: { name: 'daybook_app', memberOf: 'daybook_application' },
  newsReader: { name: 'daybook_reader', memberOf: 'daybook_news_reader' },
} as const;

/** Makes what is missing of the two group roles, the three logins and the database; asks for nothing twice. */
export async function createLogins(request: LoginsRequest): Promise<DatabaseUrls> {
  const client = new pg.Client({ connectionString: request.superuserUrl });
  await client.connect();
  try {
    const password = client.escapeLiteral(request.password);
    for (const { name, memberOf } of Object.values(logins)) {
      if (memberOf !== null) await createRole(client, memberOf, 'NOLOGIN');
      await createRole(client, name, 'LOGIN');
      await client.query(`ALTER ROLE ${name} PASSWORD ${password}`);
      if (memberOf !== null) await client.query(`GRANT ${memberOf} TO ${name}`);
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

/** Everyone may connect by default and make temporary tables; three logins are all who need to. */
export async function restrictDatabase(client: pg.Client, name: string): Promise<void> {
  const database = client.escapeIdentifier(name);
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO daybook_application, daybook_news_reader`);
}

export function urlsOf({ superuserUrl, database, password }: LoginsRequest): DatabaseUrls {
  const urlFor = (name: string): string => {
    const url = new URL(superuserUrl);
    url.username = name;
    url.password = password;
    url.pathname = `/${database}`;
    return url.href;
  };
  return {
    owner: urlFor(logins.owner.name),
    application: urlFor(logins.application.name),
    newsReader: urlFor(logins.newsReader.name),
  };
}

async function createRole(client: pg.Client, name: string, kind: 'LOGIN' | 'NOLOGIN'): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rows.length === 0) await client.query(`CREATE ROLE ${name} ${kind}`);
}
