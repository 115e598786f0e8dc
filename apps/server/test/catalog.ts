import type { TestDatabase } from './database.ts';

/**
 * The catalog of Daybook's schemas as sorted lines: two databases with the same lines have the same tables,
 * columns, types, defaults, constraints, indexes, functions, triggers, partitions and grants.
 */
export async function describeCatalog(database: TestDatabase): Promise<readonly string[]> {
  const rows = await database.asSuperuser(catalogQuery);
  return rows.map((row) => String(row['line'])).sort();
}

const ours = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname !~ '^pg_temp'`;

const catalogQuery = `
  SELECT format('schema %s %s', n.nspname, n.nspacl::text) AS line FROM pg_namespace n WHERE ${ours}
  UNION ALL
  SELECT format('relation %s.%s %s %s persistence %s rowsecurity %s bound %s key %s grants %s options %s', n.nspname, c.relname, c.relkind,
    r.rolname, c.relpersistence, c.relrowsecurity, pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid), c.relacl::text, c.reloptions::text)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner WHERE ${ours}
  UNION ALL
  SELECT format('column %s.%s %s %s %s null %s default %s generated %s identity %s', n.nspname, c.relname, a.attnum, a.attname,
    format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND ${ours}
  UNION ALL
  SELECT format('constraint %s %s %s', o.conrelid::regclass, o.conname, pg_get_constraintdef(o.oid))
    FROM pg_constraint o JOIN pg_namespace n ON n.oid = o.connamespace WHERE ${ours}
  UNION ALL
  SELECT format('index %s', pg_get_indexdef(i.indexrelid))
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ours}
  UNION ALL
  SELECT format('function %s grants %s', pg_get_functiondef(p.oid), p.proacl::text)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.prokind IN ('f', 'p') AND ${ours}
  UNION ALL
  SELECT format('trigger %s', pg_get_triggerdef(t.oid))
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT t.tgisinternal AND ${ours}
  UNION ALL
  SELECT format('type %s.%s %s', n.nspname, t.typname, (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype IN ('e', 'd') AND ${ours}
`;
