import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import type { Cluster } from '@daybook/local-postgres';

import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { HttpBounds } from '../../../apps/server/src/foundation/http/http-bounds.ts';

const program = fileURLToPath(new URL('../processes/api-process.ts', import.meta.url));

export interface ApiChild {
  readonly port: number;
  readonly process: ChildProcess;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts one api process and waits until it listens. */
export async function startApiChild(
  urls: DatabaseUrls,
  port: number,
  settings: Readonly<Record<string, string>> = {},
  bounds: Partial<HttpBounds> = {},
): Promise<ApiChild> {
  const child = spawn(process.execPath, [program, JSON.stringify(bounds)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: urls.application,
      DATABASE_READER_URL: urls.newsReader,
      DAYBOOK_RATE_PER_MINUTE: '1000000000',
      DAYBOOK_TRUSTED_PROXIES: '127.0.0.0/8',
      // The load of the machine is not measured: a late event loop refuses no request.
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
      ...settings,
    },
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const first = await Promise.race([once(child, 'message').then(() => 'listening' as const), ended]);
  if (first !== 'listening') throw new Error(`an api process ended with ${first} before it listened`);
  return { port, process: child, ended };
}

/** A migrated database with the one table that the sample routes write to. */
export async function prepareDatabase(cluster: Cluster): Promise<DatabaseUrls> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'prove', password: 'prove' });
  await migrate(urls.owner, await readMigrations());
  await queryOnce(cluster.url('prove'), 'CREATE TABLE public.prove_order (id text NOT NULL)');
  await queryOnce(cluster.url('prove'), 'GRANT INSERT ON public.prove_order TO daybook_application');
  return urls;
}

export async function queryOnce(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const { pool, close } = connectDatabase({
    url,
    name: 'prove',
    connectionsMax: 1,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
  });
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows;
  } finally {
    await close();
  }
}

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
