import type pg from 'pg';

import type { Database } from '../../apps/server/src/foundation/database/database.ts';
import type { RecordedQuery } from './recorded-queries.ts';
import { recordQueries } from './recorded-queries.ts';

/** Pages of PostgreSQL’s memory that the queries of some work read: the same on a busy machine and on an idle one. */
export async function touchedBuffersOf(
  pool: pg.Pool,
  work: (database: Database) => Promise<unknown>,
): Promise<number> {
  const queries = await recordQueries(pool, work);
  let buffers = 0;
  // Beginning and ending a transaction reads nothing and cannot be explained.
  for (const query of queries.filter(({ text }) =>
    /^\s*(?:\/\*[^*]*\*\/)?[\s(]*(?:select|with)\b/i.test(text),
  ))
    buffers += await buffersOf(pool, query);
  return buffers;
}

async function buffersOf(pool: pg.Pool, { text, values }: RecordedQuery): Promise<number> {
  const { rows } = await pool.query<{
    'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, unknown>> }[];
  }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks']);
}
