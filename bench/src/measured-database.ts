import { startCluster } from '@daybook/local-postgres';

import { hourMs } from '../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../apps/server/src/foundation/database/migration-files.ts';

/** A migrated database of its own for queries that are measured: the data need not outlast the measurement. */
export async function withMeasuredDatabase(
  settings: Readonly<Record<string, string>>,
  measure: (owner: DatabaseConnection, application: DatabaseConnection, urls: DatabaseUrls) => Promise<void>,
  connectionsMax = 2,
): Promise<void> {
  const cluster = await startCluster({ settings: { fsync: 'off', synchronous_commit: 'off', ...settings } });
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'bench' });
  await migrate(urls.owner, await readMigrations());
  const connect = (url: string): DatabaseConnection =>
    connectDatabase({
      url,
      name: 'bench',
      connectionsMax,
      statementTimeoutMs: hourMs,
      connectTimeoutMs: 5_000,
    });
  const [owner, application] = [connect(urls.owner), connect(urls.application)];
  try {
    await measure(owner, application, urls);
  } finally {
    await Promise.all([owner.close(), application.close()]);
    await cluster.remove();
  }
}
