import type { PagePosition } from './page-cursor.ts';
import { encodePageCursor } from './page-cursor.ts';
import type { PageRequest } from './page-request.ts';

export interface Page<Shown> {
  readonly data: readonly Shown[];
  readonly pagination: {
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
    readonly prevCursor: string | null;
    readonly total?: number;
  };
}

/** Takes the rows as `selectPage` found them: in the direction travelled, with the extra row. */
export function presentPage<Row extends PagePosition<RowId>, RowId, Shown>(
  request: PageRequest<RowId>,
  found: readonly Row[],
  present: (row: Row) => Shown,
  total?: number,
): Page<Shown> {
  const travelled = found.slice(0, request.limit);
  const rows = request.direction === 'forward' ? travelled : travelled.reverse();
  const cursorAt = (row: Row | undefined): string | null =>
    row === undefined ? null : encodePageCursor(request.list, row, request.sort);
  return {
    data: rows.map(present),
    pagination: {
      hasMore: found.length > request.limit,
      nextCursor: cursorAt(rows.at(-1)),
      prevCursor: cursorAt(rows[0]),
      ...(total === undefined ? {} : { total }),
    },
  };
}
