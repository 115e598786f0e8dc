import type pg from 'pg';

export interface Probe {
  readonly table: string;
  readonly kind: 'SELECT' | 'INSERT' | 'UPDATE';
  readonly sql: string;
  /** `$1` is a number that no row was made from yet. */
  readonly takesNumber: boolean;
}

export interface ReleasedTable {
  readonly name: string;
  readonly probes: readonly Probe[];
  /** Inserts generated rows with the numbers 1 to `$1`. */
  readonly fill: string;
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** NOT NULL, without a default. */
  readonly required: boolean;
  readonly first_allowed: string | null;
}

/** The tables of the release, with statements that name its columns as its stores do. */
export async function readReleasedTables(client: pg.Client): Promise<readonly ReleasedTable[]> {
  const { rows } = await client.query<Column>(columnsQuery);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return [...tables].map(([name, columns]) => {
    const names = columns.map((column) => column.name).join(', ');
    const required = columns.filter((column) => column.required || related[`${name}.${column.name}`]);
    const target = `${name} (${required.map((column) => column.name).join(', ')})`;
    const values = required.map(generatedValue).join(', ');
    const own = required[0]?.name ?? columns[0]?.name ?? '';
    const probe = (kind: Probe['kind'], sql: string): Probe => ({
      table: name,
      kind,
      sql,
      takesNumber: kind === 'INSERT',
    });
    return {
      name,
      probes: [
        probe('SELECT', `SELECT ${names} FROM ${name} LIMIT 1`),
        probe('INSERT', `INSERT INTO ${target} SELECT ${values} FROM (SELECT $1::bigint AS n) AS one`),
        probe('UPDATE', `UPDATE ${name} SET ${own} = ${own} WHERE ctid = (SELECT ctid FROM ${name} LIMIT 1)`),
      ],
      fill: `INSERT INTO ${target} SELECT ${values} FROM generate_series(1, $1::bigint) AS n`,
    };
  });
}

/** Values of columns that a check relates to others, or that are unique as instants. */
const related: Readonly<Record<string, string>> = {
  'access.share.account_id': 'md5(n::text)::uuid',
  'agents.answer_retention.keep_days': '90',
  'agents.budget.tokens_max': '1000',
  'agents.schedule.next_run_at': 'now()',
  'identity.account_picture.height': '1',
  'identity.account_picture.width': '1',
  'identity.mail_request.kind': `'confirm'`,
  'mailing.subscription.daily': 'true',
  'mailing.subscription.email': 'md5(n::text)',
  'mailing.subscription.normalised_email': 'md5(n::text)',
  'newsroom.journal_entry.decided_by': `'operator'`,
  'newsroom.journal_words.hash': 'sha256(n::text::bytea)',
  'newsroom.owner_syndication.other_owner': `'x' || md5(n::text)`,
  'newsroom.source_block.block': 'substring(sha256(n::text::bytea) for 16)',
  // Differs for 970,000 numbers in a row.
  'record.archive_file.month': `lpad((n % 10000)::text, 4, '0') || '-' || lpad((n % 97)::text, 2, '0')`,
  'record.edition.window_end': `now() + interval '1 day'`,
  'record.item.body': 'md5(n::text)',
  'record.ledger_head.epoch': 'md5(n::text)::uuid',
  'record.log_entry.body_hash': 'sha256(n::text::bytea)',
  'record.log_epoch.statement': `CASE WHEN n > 1 THEN 'signed' END`,
  'record.log_head.size': 'n',
  'record.ranking.ranked_at': `now() + n * interval '1 s'`,
  'record.story_link.other_id': `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`,
  'storage.derivation_progress.only_row': 'true',
  'storage.link.expires_at': `now() + interval '1 day'`,
  'watch.webhook.format': `'slack'`,
};

/** A value that the checks accept. */
function generatedValue({ table, name, type, first_allowed: allowed }: Column): string {
  const special = related[`${table}.${name}`];
  if (special !== undefined) return special;
  if (allowed !== null) return `'${allowed}'`;
  if (type.endsWith('[]')) return `ARRAY[${valueOf(type.slice(0, -2))}]`;
  return valueOf(type);
}

function valueOf(type: string): string {
  const fixed: Readonly<Record<string, string>> = {
    // In order, as the ids of the product: the rows of an index are appended.
    uuid: `lpad(to_hex(n), 32, '0')::uuid`,
    text: `lpad(n::text, 32, '0')`,
    bytea: `decode(lpad(to_hex(n), 64, '0'), 'hex')`,
    integer: 'n::integer',
    bigint: 'n',
    smallint: '1::smallint',
    boolean: 'false',
    json: `'{}'::json`,
    jsonb: `'{}'::jsonb`,
    date: 'current_date',
    'timestamp with time zone': 'now()',
  };
  return fixed[type] ?? `0.5::${type}`;
}

const columnsQuery = `
  SELECT format('%I.%I', s.nspname, c.relname) AS table, quote_ident(a.attname) AS name,
    format_type(a.atttypid, NULL) AS type, a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS required,
    (SELECT substring(pg_get_constraintdef(o.oid) FROM format('\\(%s = ANY \\(ARRAY\\[''([^'']*)''', a.attname))
       FROM pg_constraint o
       WHERE o.conrelid = c.oid AND o.contype = 'c'
         AND pg_get_constraintdef(o.oid) LIKE format('%%(%s = ANY (ARRAY[%%', a.attname) LIMIT 1) AS first_allowed
  FROM pg_class c
  JOIN pg_namespace s ON s.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND s.nspname NOT IN ('pg_catalog', 'information_schema', 'dbos') AND c.relname <> 'schema_migration'
  ORDER BY 1, a.attnum`;
