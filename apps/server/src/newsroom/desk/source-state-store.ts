import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Source } from '../../ingest/index.ts';
import type { SourceState } from './journal.ts';

/**
 * Decisions about a source wait for each other. Its row is not locked: polls lock the domain of a source first, and
 * change no part that editors change.
 */
export async function lockSource(transaction: Transaction<DB>, id: Source['id']): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`source ${id}`}, 0))`.execute(transaction);
}

/** Null if it was removed or does not exist. */
export async function readSourceState(
  transaction: Transaction<DB>,
  id: Source['id'],
): Promise<SourceState | null> {
  return (await readSourceStates(transaction, [id])).get(id) ?? null;
}

/** Of sources that are not removed. */
export async function readSourceStates(
  database: Database | Transaction<DB>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceState>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('newsroom.source')
    .select(['id', 'name', 'state', 'tier', 'holds', 'owner', 'syndicate'])
    .where('id', 'in', [...ids])
    .where('state', '<>', 'removed')
    .execute();
  return new Map(
    rows.map(({ id, name, state, tier, holds, owner, syndicate }) => [
      id,
      {
        kind: 'source',
        title: name,
        state: state as Source['state'],
        tier: tier as Source['tier'],
        holds: holds as Source['holds'],
        owner,
        syndicate,
      },
    ]),
  );
}
