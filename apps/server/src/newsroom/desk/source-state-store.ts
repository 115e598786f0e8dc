import type { Transaction } from 'kysely';
import { sql } from 'kysely';

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
  const row = await transaction
    .selectFrom('newsroom.source')
    .select(['name', 'state', 'tier'])
    .where('id', '=', id)
    .where('state', '<>', 'removed')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { name, state, tier } = row;
  return { kind: 'source', title: name, state: state as Source['state'], tier: tier as Source['tier'] };
}
