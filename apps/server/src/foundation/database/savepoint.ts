import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { DB } from './generated/database-types.ts';

/**
 * Returns a function that undoes everything from here on. Otherwise the changes stay part of the transaction;
 * PostgreSQL allows a later savepoint of the same name, so none need be released.
 */
export async function savepoint(transaction: Transaction<DB>): Promise<() => Promise<void>> {
  await sql`SAVEPOINT part`.execute(transaction);
  return async () => {
    await sql`ROLLBACK TO SAVEPOINT part`.execute(transaction);
  };
}
