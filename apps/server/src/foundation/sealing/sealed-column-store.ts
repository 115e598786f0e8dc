import { sql } from 'kysely';

import type { Database } from '../database/database.ts';

/** A column of values that a `SecretBox` sealed. Its domain declares it, so that the secret key can be replaced. */
export interface SealedColumn {
  /** In the plural, for operators. */
  readonly contents: string;
  /** With its schema. */
  readonly table: string;
  /** The primary key of the table. */
  readonly key: string;
  readonly column: string;
  /** The purpose that a value is bound to, by the value of a column of its row. */
  readonly purposeColumn: string;
  readonly purposeOf: (value: string) => string;
}

export interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
  /** The value of the column that the purpose is derived from. */
  readonly purposeValue: string;
}

/** The id of the key follows the version, as `secret-box.ts` writes it. */
const keyIdOf = ({ column }: SealedColumn) =>
  sql<string>`encode(substring(${sql.ref(column)} FROM 2 FOR 4), 'hex')`;

/** How many values each key protects, by the id of the key. */
export async function countByKey(
  database: Database,
  column: SealedColumn,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key_id: string; count: number }>`
    SELECT ${keyIdOf(column)} AS key_id, count(*)::int AS count FROM ${sql.table(column.table)}
    WHERE ${sql.ref(column.column)} IS NOT NULL GROUP BY 1`.execute(database);
  return new Map(rows.map((row) => [row.key_id, row.count]));
}

/** The next values that these keys protect, in the order of their ids. */
export async function readSealedRows(
  database: Database,
  column: SealedColumn,
  {
    keyIds,
    after,
    rowsMax,
  }: { readonly keyIds: readonly string[]; readonly after: string; readonly rowsMax: number },
): Promise<readonly SealedRow[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer; purpose_value: string }>`
    SELECT ${sql.ref(column.key)}::text AS id, ${sql.ref(column.column)} AS sealed,
      ${sql.ref(column.purposeColumn)}::text AS purpose_value
    FROM ${sql.table(column.table)}
    WHERE ${keyIdOf(column)} = ANY(${[...keyIds]}::text[]) AND ${sql.ref(column.key)}::text > ${after}
    ORDER BY 1 LIMIT ${rowsMax}`.execute(database);
  return rows.map((row) => ({ id: row.id, sealed: row.sealed, purposeValue: row.purpose_value }));
}

/** False: the value has changed since it was read. */
export async function replaceSealed(
  database: Database,
  column: SealedColumn,
  { id, sealed }: SealedRow,
  resealed: Buffer,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(column.table)} SET ${sql.ref(column.column)} = ${resealed}
    WHERE ${sql.ref(column.key)}::text = ${id} AND ${sql.ref(column.column)} = ${sealed}`.execute(database);
  return numAffectedRows === 1n;
}
