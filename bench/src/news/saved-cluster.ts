import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { NewsSet } from './news-load.ts';
import { loadNewsSet } from './news-load.ts';

/** As an operator would set it on a machine of this size; everything else is as PostgreSQL ships. */
const measuring = { shared_buffers: '1GB' };
/** Nothing is lost by losing a load that was not finished. */
const loading = {
  ...measuring,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  maintenance_work_mem: '1GB',
  autovacuum: 'off',
};

export interface SavedCluster {
  readonly cluster: Cluster;
  readonly urls: DatabaseUrls;
}

/** Each set has its own folder under `.data/bench/`. */
export function folderOf(root: string, { inWindow, older }: NewsSet): string {
  return join(root, '.data', 'bench', `news-${inWindow}-${older}`);
}

/** The marker is written when the load is complete. */
export function isLoaded(folder: string): boolean {
  return existsSync(markerOf(folder));
}

function markerOf(folder: string): string {
  return join(folder, 'complete');
}

export async function loadCluster(folder: string, set: NewsSet, note: (text: string) => void): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const cluster = await startCluster({ folder, settings: loading });
  try {
    const urls = await loginsOf(cluster);
    await migrate(urls.owner, await readMigrations());
    await loadNewsSet(urls, set, note);
  } finally {
    await cluster.stop();
  }
  writeFileSync(markerOf(folder), '');
}

/** A set that was loaded before the newest migrations is brought up to date. */
export async function openCluster(folder: string): Promise<SavedCluster> {
  const cluster = await startCluster({ folder, settings: measuring });
  const urls = await loginsOf(cluster);
  await migrate(urls.owner, await readMigrations());
  return { cluster, urls };
}

function loginsOf(cluster: Cluster): Promise<DatabaseUrls> {
  return createLogins({ superuserUrl: cluster.url(), database: 'bench', password: 'bench' });
}
