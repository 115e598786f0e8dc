import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';

export interface NamedSource {
  readonly id: Id<'source'>;
  readonly name: string;
}

/** The sources with these names in any case; several may share one. */
export async function findSourcesByName(
  database: Database,
  names: readonly string[],
): Promise<readonly NamedSource[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<NamedSource>`
    SELECT id, name FROM record.source
    WHERE lower(name) = ANY (${names.map((name) => name.toLowerCase())}::text[]) ORDER BY name, id`.execute(
    database,
  );
  return rows;
}

export async function readSourceNames(
  database: Database,
  ids: readonly string[],
): Promise<readonly NamedSource[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<NamedSource>`
    SELECT id, name FROM record.source WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY name, id`.execute(
    database,
  );
  return rows;
}
