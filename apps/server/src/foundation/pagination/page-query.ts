import type { SelectQueryBuilder, StringReference } from 'kysely';
import { sql } from 'kysely';

import { isoMicroseconds } from '../instant.ts';
import type { PageSort } from './page-cursor.ts';
import type { PageRequest } from './page-request.ts';

/** The columns for the list's own id, instant and, if it sorts by name, name in a query with joins. */
export interface PageColumns<Tables, Table extends keyof Tables> {
  readonly createdAt: StringReference<Tables, Table>;
  readonly id: StringReference<Tables, Table>;
  readonly name?: StringReference<Tables, Table>;
  /**
   * A column before these in the index, null in every row. To PostgreSQL a column that `IS NULL` is no constant: it
   * follows the order of the index only where the column is part of the requested order.
   */
  readonly nullInAll?: StringReference<Tables, Table>;
}

/**
 * Limits a query to one page and one extra row, which shows whether more exist; `presentPage` drops it. The two
 * columns are compared as one row value, so an index on (created_at, id) is entered at the cursor, however deep; for a
 * list by name one on the name, where it is unique or followed by the id.
 */
export function selectPage<Tables, Table extends keyof Tables, Row, RowId>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { direction, limit, sort, start }: Omit<PageRequest<RowId>, 'list'>,
  columns: PageColumns<Tables, Table>,
): SelectQueryBuilder<Tables, Table, Row> {
  const [key, id] = keyColumns(columns, sort);
  const page = orderPage(query, { direction, sort }, columns).limit(limit + 1);
  if ('skip' in start) return start.skip === 0 ? page : page.offset(start.skip);
  const beyond = isAscending({ direction, sort }) ? sql`>` : sql`<`;
  const { beside } = start;
  const value =
    sort === 'name' ? sql`${beside.sortName}` : sql`${isoMicroseconds(beside.createdAt)}::timestamptz`;
  return page.where(sql<boolean>`(${key}, ${id}) ${beyond} (${value}, ${beside.id})`);
}

/** The order alone, for rows that are read before the page is cut. */
export function orderPage<Tables, Table extends keyof Tables, Row, RowId>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  request: Pick<PageRequest<RowId>, 'direction' | 'sort'>,
  columns: PageColumns<Tables, Table>,
): SelectQueryBuilder<Tables, Table, Row> {
  const [key, id] = keyColumns(columns, request.sort);
  const order = isAscending(request) ? 'asc' : 'desc';
  const { nullInAll } = columns;
  const led = nullInAll === undefined ? query : query.orderBy(sql.ref(nullInAll), order);
  return led.orderBy(key, order).orderBy(id, order);
}

function isAscending<RowId>({ direction, sort }: Pick<PageRequest<RowId>, 'direction' | 'sort'>): boolean {
  return (sort === 'name') === (direction === 'forward');
}

function keyColumns<Tables, Table extends keyof Tables>(
  { createdAt, id, name }: PageColumns<Tables, Table>,
  sort: PageSort,
) {
  const key = sort === 'name' ? name : createdAt;
  if (key === undefined) throw new Error('this list has no order by name');
  return [sql.ref(key), sql.ref(id)] as const;
}
