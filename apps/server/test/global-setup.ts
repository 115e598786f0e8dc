import { startCluster } from '@daybook/local-postgres';
import type { TestProject } from 'vitest/node';

import { createLogins } from '../src/foundation/database/logins.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { migrateDatabase } from '../src/wiring/migrate-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    superuserUrl: string;
  }
}

/** One server for the whole run, one migrated template; each test file clones it (see database.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster({
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
  });
  try {
    const urls = await createLogins({
      superuserUrl: cluster.url(),
      database: 'daybook_template',
      password: 'test',
    });
    await migrateDatabase(urls.owner, createLogger('silent', 'test'));
  } catch (error) {
    await cluster.remove();
    throw error;
  }
  project.provide('superuserUrl', cluster.url());
  return () => cluster.remove();
}
