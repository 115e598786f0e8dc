import type { Suite } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { judgeMigrations } from '../migrations/judge-migrations.ts';
import { readRelease } from '../releases/release.ts';

export const suite: Suite = {
  name: 'migrations',
  nightly: true,
  summary:
    'A migration added after a release neither blocks nor breaks processes of that release, unless it declares why.',
  headline: 'migrations after the release',
  promise:
    'Every migration after the last release is applied to a database with 200,000 rows in each table that it names (1,000,000 in a full run), while statements of the release run on every table. No statement waits more than 200 ms for a lock or fails, and no table is rewritten, unless the file declares it with a reason.',
  run: async ({ root, quick, figure, note }) => {
    const { lastMigration } = await readRelease(root);
    const migrations = await readMigrations();
    const [released, added] = [migrations.slice(0, lastMigration), migrations.slice(lastMigration)];
    figure({
      name: 'migrations of the release',
      value: released.length,
      unit: 'migrations',
      goal: { exactly: lastMigration },
    });
    figure({ name: 'migrations after the release', value: added.length, unit: 'migrations' });
    const cluster = await startCluster({
      settings: {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        shared_buffers: '512MB',
        max_wal_size: '4GB',
        jit: 'off',
        autovacuum: 'off',
      },
    });
    try {
      const urls = await createLogins({
        superuserUrl: cluster.url(),
        database: 'daybook',
        password: 'prove',
      });
      const judgements = await judgeMigrations(
        { superuserUrl: cluster.url('daybook'), ownerUrl: urls.owner },
        { released, added, rows: quick ? 200_000 : 1_000_000 },
      );
      for (const { migration, refused } of judgements)
        for (const finding of refused) note(`${migration.number} ${migration.name}: ${finding}`);
      const wrong = judgements.filter(({ refused }) => refused.length > 0).length;
      figure({ name: 'of these refused', value: wrong, unit: 'migrations', goal: { exactly: 0 } });
    } finally {
      await cluster.remove();
    }
  },
};
