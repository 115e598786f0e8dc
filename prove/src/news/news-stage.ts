import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startCluster } from '@daybook/local-postgres';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { askOnce } from './http-question.ts';

export type RecordFactory = ReturnType<typeof createRecordFactory>;

export interface NewsStage {
  readonly factory: RecordFactory;
  /** As the application, which writes. */
  readonly database: Database;
  /** As the login that may only read the record. */
  readonly newsReader: Database;
  /** A real process, ready to answer; its port. */
  readonly startApi: (settings?: Readonly<Record<string, string>>) => Promise<number>;
  readonly remove: () => Promise<void>;
}

export const baseUrl = 'https://daybook.example';
const readyWithinMs = 60_000;

/** A database of its own, migrated, with a publisher; api processes are started on demand. */
export async function setNewsStage(root: string, clock: Clock = systemClock): Promise<NewsStage> {
  const cluster = await startCluster({ settings: { fsync: 'off', synchronous_commit: 'off' } });
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  await migrate(urls.owner, await readMigrations());
  const connections = [urls.application, urls.newsReader].map((url) =>
    connectDatabase({
      url,
      name: 'prove',
      connectionsMax: 8,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 5_000,
    }),
  );
  const [application, newsReader] = connections as [(typeof connections)[0], (typeof connections)[0]];
  const children: ChildProcess[] = [];
  return {
    factory: createRecordFactory({ database: application.database, clock }),
    database: application.database,
    newsReader: newsReader.database,
    startApi: async (settings = {}) => {
      const port = await freePort();
      children.push(
        spawnApi(root, {
          DATABASE_URL: urls.application,
          DATABASE_READER_URL: urls.newsReader,
          DAYBOOK_BASE_URL: baseUrl,
          DAYBOOK_DRAIN_NOTICE_MS: '0',
          PORT: String(port),
          ...settings,
        }),
      );
      await untilReady(port);
      return port;
    },
    remove: async () => {
      await Promise.all(children.map(stopChild));
      await Promise.all(connections.map((connection) => connection.close()));
      await cluster.remove();
    },
  };
}

function spawnApi(root: string, settings: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, ['apps/server/src/bin/daybook.ts', 'api'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...settings },
  });
  const log = createWriteStream(join(tmpdir(), `daybook-prove-api-${settings['PORT']}.log`));
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.once('exit', () => log.end());
  return child;
}

async function untilReady(port: number): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  for (;;) {
    const answer = await askOnce(port, '/readyz').catch(() => null);
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error(`the api on port ${port} did not become ready`);
    await delay(50);
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  await promise;
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address() as AddressInfo;
    probe.close(() => resolve(port));
  });
  return promise;
}
