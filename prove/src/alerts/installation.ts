import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { migrateDatabase } from '../../../apps/server/src/wiring/migrate-database.ts';
import { freePorts, queryOnce } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import type { Newswire } from '../upgrade/newswire.ts';
import { startNewswire } from '../upgrade/newswire.ts';
import { runCommand } from '../upgrade/released-program.ts';

/** Everything that alerts watch, without a fault. */
export interface AlertedInstallation {
  readonly apiPorts: readonly number[];
  readonly workerPort: number;
  readonly cluster: Cluster;
  readonly apis: readonly DaybookChild[];
  readonly worker: () => DaybookChild;
  readonly startApi: (slot: number) => Promise<void>;
  readonly startWorker: () => Promise<void>;
  /** Replaces the api processes one by one. */
  readonly deploy: () => Promise<void>;
  readonly wire: Newswire;
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>;
  readonly stop: () => Promise<void>;
}

const password = 'a long sentence for the first account';

export async function startInstallation(root: string, folder: string): Promise<AlertedInstallation> {
  const [workerPort = 0, smtpPort = 0, ...apiPorts] = await freePorts(4);
  const cluster = await startCluster({
    settings: { fsync: 'off', synchronous_commit: 'off', archive_mode: 'on' },
  });
  const wire = await startNewswire();
  const files = join(folder, 'files');
  await mkdir(files);
  const settings = {
    ...(await prepareDatabase(cluster)),
    DAYBOOK_BASE_URL: 'http://localhost:8080',
    DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
    DAYBOOK_STORAGE_FOLDER: files,
    DAYBOOK_EXAMPLE_PORT: String(wire.port),
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_LOG_KEY_FILE: join(folder, 'log.key'),
    DAYBOOK_LOG_STATE_FILE: join(folder, 'log.signed'),
    // A port where no mail server listens: mail exists only under that fault.
    DAYBOOK_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  };
  const query = (text: string): ReturnType<typeof queryOnce> => queryOnce(cluster.url('daybook'), text);
  await fillInstallation({ root, folder, settings, query, wire });
  const apis: DaybookChild[] = [];
  let worker: DaybookChild;
  const startApi = async (slot: number): Promise<void> => {
    apis[slot] = await startDaybook(root, 'api', apiPorts[slot] ?? 0, settings);
  };
  const startWorker = async (): Promise<void> => {
    worker = await startDaybook(root, 'worker', workerPort, settings);
  };
  await Promise.all([startApi(0), startApi(1), startWorker()]);
  const publishing = wire.publishTo(cluster.url('daybook'));
  return {
    apiPorts,
    workerPort,
    cluster,
    apis,
    worker: () => worker,
    startApi,
    startWorker,
    deploy: async () => {
      for (const slot of apis.keys()) {
        await apis[slot]?.stop();
        await startApi(slot);
      }
    },
    wire,
    query,
    stop: async () => {
      publishing.stop();
      await Promise.all([...apis.map((api) => api.stop()), worker.stop()]);
      await wire.close();
      await cluster.remove();
    },
  };
}

async function prepareDatabase(cluster: Cluster): Promise<Readonly<Record<string, string>>> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  await migrateDatabase(urls.owner, createLogger('silent', 'prove'));
  return { DATABASE_URL: urls.application, DATABASE_READER_URL: urls.newsReader };
}

/** An owner, a signed log, working archiving, sources, and backups: what a calm installation has. */
async function fillInstallation({
  root,
  folder,
  settings,
  query,
  wire,
}: Pick<AlertedInstallation, 'query' | 'wire'> & {
  readonly root: string;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}): Promise<void> {
  const words = ['admin', 'create-owner', '--username', 'editor', '--organization', 'newsroom'];
  await runCommand(root, [...words, '--email', 'editor@example.org'], settings, `${password}\n`);
  await runCommand(root, ['log', 'keygen'], settings);
  await query(`ALTER SYSTEM SET archive_command = 'true'`);
  await query('SELECT pg_reload_conf()');
  const list = join(folder, 'sources.opml');
  await writeFile(list, wire.opml());
  await runCommand(root, ['sources', 'import', list], settings);
  for (const kind of ['database', 'files', 'drill'])
    await query(
      `INSERT INTO foundation.backup (kind, label, finished_at, seconds, bytes) VALUES ('${kind}', 'prove', now(), 1, 1)`,
    );
}
