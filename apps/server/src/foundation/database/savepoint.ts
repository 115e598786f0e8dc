import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { DB } from './generated/database-types.ts';

/**
 * Answers how to undo everything from here on. What is not undone stays part of the transaction; PostgreSQL lets a
 * later savepoint take the name, so none need be released.
 */
export async function savepoint(transaction: Transaction<DB>): Promise<() => Promise<void>> {
  await sql`SAVEPOINT part`.execute(transaction);
  return async () => {
    await sql`ROLLBACK TO SAVEPOINT part`.execute(transaction);
  };
}
