import type pg from 'pg';

/** The tables that publishing an entry writes; parents before children. */
const tables = [
  'record.reading_group',
  'record.story',
  'record.item',
  'record.window_item',
  'newsroom.story_report',
  'newsroom.story_posting',
  'newsroom.story_decision',
] as const;

type Table = (typeof tables)[number];

interface Column {
  readonly name: string;
  readonly type: string;
}

export interface BareBatch {
  readonly rows: ReadonlyMap<Table, { readonly columns: readonly Column[]; readonly values: unknown[][] }>;
}

/** From the first id to the last, both made in the order of time. */
export interface IdSpan {
  readonly fromId: string;
  readonly toId: string;
}

/**
 * The rows that publication wrote for these items, with other ids, in batches of so many items: the same
 * inserts without any decisions.
 */
export async function readBareBatches(
  pool: pg.Pool,
  { fromId, toId }: IdSpan,
  batchSize: number,
): Promise<readonly BareBatch[]> {
  const { rows: items } = await pool.query<{ id: string }>(
    'SELECT id FROM record.item WHERE id BETWEEN $1 AND $2 ORDER BY id',
    [fromId, toId],
  );
  const batches: BareBatch[] = [];
  for (let at = 0; at < items.length; at += batchSize) {
    const ids = items.slice(at, at + batchSize).map(({ id }) => id);
    const rows = await Promise.all(tables.map((table) => readRows(pool, table, ids, fromId)));
    batches.push({ rows: new Map(rows) });
  }
  return batches;
}

/** A group or story belongs to the batch of its first item; ids are hashed, so that they are new and fit together. */
const selection: Readonly<Record<Table, string>> = {
  'record.reading_group':
    'SELECT t.* FROM record.reading_group t WHERE id IN (SELECT group_id FROM record.item GROUP BY 1 HAVING min(id::text) = ANY($1::text[]))',
  'record.story':
    'SELECT t.* FROM record.story t WHERE merged_into IS NULL AND id IN (SELECT story_id FROM record.item GROUP BY 1 HAVING min(id::text) = ANY($1::text[]))',
  'record.item': 'SELECT t.* FROM record.item t WHERE id = ANY($1::uuid[])',
  'record.window_item': 'SELECT t.* FROM record.window_item t WHERE id = ANY($1::uuid[])',
  'newsroom.story_report': 'SELECT t.* FROM newsroom.story_report t WHERE item_id = ANY($1::uuid[])',
  'newsroom.story_posting': 'SELECT t.* FROM newsroom.story_posting t WHERE item_id = ANY($1::uuid[])',
  'newsroom.story_decision': 'SELECT t.* FROM newsroom.story_decision t WHERE item_id = ANY($1::uuid[])',
};

/** Groups and stories that existed before the first of these items do not change. */
function expressionOf(name: string): string {
  const hashed = `md5(t.${name}::text || 'bare')::uuid::text`;
  if (name === 'id' || name === 'item_id') return hashed;
  if (name !== 'group_id' && name !== 'story_id') return `t.${name}::text`;
  return `CASE WHEN (SELECT min(i.id::text) FROM record.item i WHERE i.${name} = t.${name}) >= $2::text
    THEN ${hashed} ELSE t.${name}::text END`;
}

const leftOut: ReadonlySet<string> = new Set([
  'arrived',
  'representative_id',
  'merged_into',
  'merged_at',
  'storyline_id',
  'digest',
  'selected',
  'reason',
]);

async function readRows(
  pool: pg.Pool,
  table: Table,
  ids: readonly string[],
  fromId: string,
): Promise<[Table, { readonly columns: readonly Column[]; readonly values: unknown[][] }]> {
  const all = await pool.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  const columns = all.rows.filter(
    ({ name }) =>
      (name === 'selected' && table === 'record.window_item') ||
      (!leftOut.has(name) && !(name === 'id' && table === 'newsroom.story_decision')),
  );
  const expressions = columns.map(({ name }) => expressionOf(name));
  const { rows } = await pool.query<Record<string, string | null>>({
    text: `SELECT ${expressions.map((one, at) => `${one} AS c${at}`).join(', ')} FROM (${selection[table]}) AS t WHERE $2::text <> ''`,
    values: [ids, fromId],
  });
  const values = columns.map((_, at) => rows.map((row) => row[`c${at}`] ?? null));
  return [table, { columns, values }];
}

/** One transaction, one statement for each table. */
export async function insertBare(client: pg.PoolClient, { rows }: BareBatch): Promise<void> {
  await client.query('BEGIN');
  for (const [table, { columns, values }] of rows) {
    const names = columns.map(({ name }) => name);
    await client.query({
      name: `bare ${table}`,
      text: `INSERT INTO ${table} (${names.join(', ')})
        SELECT ${columns.map(({ type }, at) => `c${at}::${type}`).join(', ')}
        FROM unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join(', ')})
          AS row (${columns.map((_, at) => `c${at}`).join(', ')})`,
      values,
    });
  }
  await client.query('COMMIT');
}
