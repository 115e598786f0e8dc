import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

import type { Database } from '../../apps/server/src/foundation/database/database.ts';
import type { DB } from '../../apps/server/src/foundation/database/generated/database-types.ts';

export interface RecordedQuery {
  readonly text: string;
  readonly values: unknown[];
}

/** The SQL that the work sends to the database, verbatim. */
export async function recordQueries(
  pool: pg.Pool,
  work: (database: Database) => Promise<unknown>,
): Promise<readonly RecordedQuery[]> {
  const recorded: RecordedQuery[] = [];
  const database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      recorded.push({ text: query.sql, values: [...query.parameters] });
    },
  });
  await work(database);
  return recorded;
}
