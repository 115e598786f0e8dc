import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import { deleteInBatches } from '../database/batched-delete.ts';
import type { Database } from '../database/database.ts';

interface AgingTable {
  readonly table: string;
  readonly key: string;
  readonly agesBy: string;
  /** An extra condition: a workflow may still return to these rows, so they outlive it. */
  readonly mayGo: RawBuilder<boolean>;
}

const workflowIsGone = sql<boolean>`NOT EXISTS (SELECT FROM dbos.workflow_status w WHERE w.workflow_uuid = workflow_id)`;

/** The tables beside the SDK's own; each has an index on its age column. */
export const agingTables: readonly AgingTable[] = [
  {
    table: 'foundation.committed_step',
    key: 'workflow_id, step',
    agesBy: 'committed_at',
    mayGo: workflowIsGone,
  },
  { table: 'foundation.paid_call', key: 'key, attempt', agesBy: 'intended_at', mayGo: workflowIsGone },
  {
    table: 'foundation.executor',
    key: 'epoch',
    agesBy: 'ended_at',
    mayGo: sql<boolean>`NOT EXISTS (SELECT FROM dbos.workflow_status w
      WHERE w.status = 'PENDING' AND w.executor_id = 'epoch-' || epoch)`,
  },
];

/** The keys of the oldest deletable rows. `now()`, unlike `clock_timestamp()`, can use the index. */
export function selectAgedRows(
  { table, key, agesBy, mayGo }: AgingTable,
  { thanMs, limit }: { readonly thanMs: number; readonly limit: number },
): RawBuilder<unknown> {
  return sql`
    SELECT ${sql.raw(key)} FROM ${sql.table(table)}
    WHERE ${sql.ref(agesBy)} < now() - make_interval(secs => ${thanMs / 1000}) AND ${mayGo}
    ORDER BY ${sql.ref(agesBy)} LIMIT ${limit}`;
}

export async function removeAgedRows(database: Database, thanMs: number): Promise<void> {
  for (const aging of agingTables) {
    await deleteInBatches(async (limit) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM ${sql.table(aging.table)}
        WHERE (${sql.raw(aging.key)}) IN (${selectAgedRows(aging, { thanMs, limit })})`.execute(database);
      return Number(numAffectedRows);
    });
  }
}
