import { sql } from 'kysely';

import type { Database } from './database.ts';

export async function readDatabaseBytes(database: Database): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`SELECT pg_database_size(current_database())::float8 AS bytes`.execute(database);
  return rows[0]?.bytes ?? 0;
}
