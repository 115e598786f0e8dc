import type { SelectQueryBuilder, StringReference } from 'kysely';
import { sql } from 'kysely';

import { isoMicroseconds } from '../instant.ts';
import type { PageRequest } from './page-request.ts';

/** Where a query with joins keeps its list's own id and instant. */
export interface PageColumns<Tables, Table extends keyof Tables> {
  readonly createdAt: StringReference<Tables, Table>;
  readonly id: StringReference<Tables, Table>;
}

/**
 * Narrows a query to one page and one row more, which tells whether there is more; `presentPage` drops it. The two
 * columns are compared as one row value, so an index on (created_at, id) is entered at the cursor, however deep.
 */
export function selectPage<Tables, Table extends keyof Tables, Row, RowId>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { direction, limit, start }: PageRequest<RowId>,
  columns: PageColumns<Tables, Table>,
): SelectQueryBuilder<Tables, Table, Row> {
  const [createdAt, id] = [sql.ref(columns.createdAt), sql.ref(columns.id)];
  const order = direction === 'forward' ? 'desc' : 'asc';
  const page = query
    .orderBy(createdAt, order)
    .orderBy(id, order)
    .limit(limit + 1);
  if ('skip' in start) return start.skip === 0 ? page : page.offset(start.skip);
  const beyond = direction === 'forward' ? sql`<` : sql`>`;
  const { beside } = start;
  return page.where(
    sql<boolean>`(${createdAt}, ${id}) ${beyond} (${isoMicroseconds(beside.createdAt)}::timestamptz, ${beside.id})`,
  );
}
