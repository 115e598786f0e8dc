import type pg from 'pg';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { isoMicroseconds, parseTimestamptz } from '../../../apps/server/src/foundation/instant.ts';
import type { CursorKeys } from '../../../apps/server/src/foundation/pagination/cursor-keys.ts';
import type { PageList } from '../../../apps/server/src/foundation/pagination/page-cursor.ts';
import type { Page } from '../../../apps/server/src/foundation/pagination/page-envelope.ts';
import { presentPage } from '../../../apps/server/src/foundation/pagination/page-envelope.ts';
import { selectPage } from '../../../apps/server/src/foundation/pagination/page-query.ts';
import { readPageRequest } from '../../../apps/server/src/foundation/pagination/page-request.ts';
import type { PageQuery } from '../../../apps/server/src/foundation/pagination/page-schema.ts';
import type { RowIdCodec } from '../../../apps/server/src/foundation/pagination/row-id.ts';
import type { Entry } from './list-model.ts';

type ListTables = { entry: { id: bigint | string; created_at: string } };

/** A table of the proof with ids of one kind, and the way a route would list it. */
export interface ListTable<RowId extends bigint | string> {
  readonly name: string;
  readonly list: PageList<RowId>;
  readonly nextId: () => RowId;
  readonly insert: (entries: readonly Entry<RowId>[]) => Promise<void>;
  readonly remove: (entries: readonly Entry<RowId>[]) => Promise<void>;
  readonly page: (query: PageQuery) => Promise<Page<Entry<RowId>>>;
  /** Blocks of the table and its index that a page touches. */
  readonly blocksOf: (query: PageQuery) => Promise<number>;
}

export async function createListTable<RowId extends bigint | string>(
  { database, pool }: { readonly database: Database; readonly pool: pg.Pool },
  kind: {
    readonly name: 'uuid' | 'bigint';
    readonly ids: RowIdCodec<RowId>;
    readonly nextId: () => RowId;
    readonly keys: CursorKeys;
  },
): Promise<ListTable<RowId>> {
  const { name, ids, keys, nextId } = kind;
  await pool.query(`
    CREATE SCHEMA ${name}_list;
    CREATE TABLE ${name}_list.entry (id ${name} PRIMARY KEY, created_at timestamptz NOT NULL);
    CREATE INDEX ON ${name}_list.entry (created_at, id)`);
  const list: PageList<RowId> = { keys, ids, route: `list-${name}`, tenant: 'acme', filters: { q: null } };
  const tables = database.withSchema(`${name}_list`).withTables<ListTables>();
  const queryOf = (query: PageQuery) => {
    const request = readPageRequest(query, list);
    const columns = { createdAt: 'entry.created_at', id: 'entry.id' } as const;
    const rows = selectPage(tables.selectFrom('entry').select(['id', 'created_at']), request, columns);
    return { request, rows };
  };
  const arrays = (entries: readonly Entry<RowId>[]): unknown[] => [
    entries.map(({ id }) => String(id)),
    entries.map(({ createdAt }) => isoMicroseconds(createdAt)),
  ];
  return {
    name,
    list,
    nextId,
    insert: async (entries) => {
      const columns = `unnest($1::${name}[], $2::timestamptz[])`;
      await pool.query(`INSERT INTO ${name}_list.entry SELECT * FROM ${columns}`, arrays(entries));
    },
    remove: async (entries) => {
      const [removed] = arrays(entries);
      await pool.query(`DELETE FROM ${name}_list.entry WHERE id = ANY($1::${name}[])`, [removed]);
    },
    page: async (query) => {
      const { request, rows } = queryOf(query);
      return presentPage(request, (await rows.execute()).map(toEntry<RowId>), (entry) => entry);
    },
    blocksOf: async (query) => {
      const { sql, parameters } = queryOf(query).rows.compile();
      const { rows } = await pool.query<Record<string, string>>(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`, [
        ...parameters,
      ]);
      const lines = rows.map((row) => row['QUERY PLAN'] ?? '');
      const first = lines.find((line) => line.includes('Buffers')) ?? '';
      return [...first.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, blocks]) => sum + Number(blocks), 0);
    },
  };
}

function toEntry<RowId>(row: { readonly id: bigint | string; readonly created_at: string }): Entry<RowId> {
  const createdAt = parseTimestamptz(row.created_at);
  if (!createdAt.ok) throw new Error(`not an instant: ${row.created_at}`);
  return { id: row.id as RowId, createdAt: createdAt.value };
}
