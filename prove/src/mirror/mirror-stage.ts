import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { startCluster } from '@daybook/local-postgres';

import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';

export interface MirrorStage {
  readonly urls: DatabaseUrls;
  readonly connection: DatabaseConnection;
  /** The address of its own api process. */
  readonly address: string;
  /** Its public address in links. */
  readonly baseUrl: string;
  readonly remove: () => Promise<void>;
}

const baseUrl = 'https://daybook.example';
const program = fileURLToPath(new URL('../../../apps/server/src/bin/daybook.ts', import.meta.url));

export async function setMirrorStage(): Promise<MirrorStage> {
  // Data loss in a crash of the database is not part of this proof.
  const cluster = await startCluster({ settings: { synchronous_commit: 'off' } });
  const urls = await createLogins({
    superuserUrl: cluster.url(),
    database: 'daybook_mirror',
    password: 'prove',
  });
  await migrate(urls.owner, await readMigrations());
  const connection = connectDatabase({
    url: urls.application,
    name: 'prove mirror',
    connectionsMax: 4,
    statementTimeoutMs: 120_000,
    connectTimeoutMs: 10_000,
  });
  const api = startApi(urls);
  return {
    urls,
    connection,
    address: await addressOf(api),
    baseUrl,
    remove: async () => {
      const ended = new Promise((resolve) => api.once('exit', resolve));
      api.kill('SIGKILL');
      await ended;
      await connection.close();
      await cluster.remove();
    },
  };
}

function startApi(urls: DatabaseUrls): ChildProcess {
  return spawn(process.execPath, [program, 'api'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: urls.application,
      DATABASE_READER_URL: urls.newsReader,
      PORT: '0',
      DAYBOOK_BASE_URL: baseUrl,
      DAYBOOK_RATE_PER_MINUTE: '1000000',
      DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
    },
  });
}

async function addressOf(api: ChildProcess): Promise<string> {
  if (api.stdout === null) throw new Error('the api process has no output');
  for await (const line of createInterface({ input: api.stdout })) {
    const { address } = JSON.parse(line) as { address?: string };
    if (address === undefined) continue;
    // Its log would otherwise fill the pipe and stop it.
    api.stdout.resume();
    return address;
  }
  throw new Error('the api process ended before it listened');
}
