import { startCluster } from '@daybook/local-postgres';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { RecordReader } from '../../../apps/server/src/record/index.ts';
import { createRecordReader } from '../../../apps/server/src/record/wiring.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';

export type RecordFactory = ReturnType<typeof createRecordFactory>;

export interface NewsStage {
  readonly urls: DatabaseUrls;
  readonly superuserUrl: string;
  readonly factory: RecordFactory;
  /** As the application, which writes. */
  readonly database: Database;
  /** As the login that may only read the record. */
  readonly newsReader: Database;
  /** The data that this login reads. */
  readonly record: RecordReader;
  /** Starts a real process and waits until it is ready; returns its port. */
  readonly startApi: (settings?: Readonly<Record<string, string>>) => Promise<number>;
  readonly remove: () => Promise<void>;
}

export const baseUrl = 'https://daybook.example';

export interface StageOptions {
  readonly clock?: Clock;
  /** Of the cluster. */
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A database of its own, migrated, with a publisher; api processes are started on demand. */
export async function setNewsStage(
  root: string,
  { clock = systemClock, settings = {}, ...place }: StageOptions = {},
): Promise<NewsStage> {
  const relaxed = { fsync: 'off', synchronous_commit: 'off' };
  const cluster = await startCluster({ ...place, settings: { ...relaxed, ...settings } });
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
  const apis: DaybookChild[] = [];
  return {
    urls,
    superuserUrl: cluster.url('daybook'),
    factory: createRecordFactory({ database: application.database, clock }),
    database: application.database,
    newsReader: newsReader.database,
    record: createRecordReader({ ...newsReader, searchDatabase: newsReader.database }),
    startApi: async (settings = {}) => {
      const [port = 0] = await freePorts(1);
      apis.push(
        await startDaybook(root, 'api', port, {
          DATABASE_URL: urls.application,
          DATABASE_READER_URL: urls.newsReader,
          DAYBOOK_BASE_URL: baseUrl,
          DAYBOOK_DRAIN_NOTICE_MS: '0',
          ...settings,
        }),
      );
      return port;
    },
    remove: async () => {
      await Promise.all(apis.map((api) => api.stop()));
      await Promise.all(connections.map((connection) => connection.close()));
      await cluster.remove();
    },
  };
}
