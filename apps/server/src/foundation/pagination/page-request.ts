import { invalidCursor, invalidRequest } from '../http/http-problems.ts';
import { ProblemError } from '../problem.ts';
import type { PageList, PagePosition, PageSort } from './page-cursor.ts';
import { decodePageCursor } from './page-cursor.ts';
import type { PageQuery } from './page-schema.ts';
import { pageLimitDefault, pageLimitMax, pageNumberMax } from './page-schema.ts';

export interface PageRequest<RowId> {
  readonly list: PageList<RowId>;
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  readonly sort: PageSort;
  /** Where the page begins: beside a row (which may be deleted by now), or this many rows from the edge. */
  readonly start: { readonly beside: PagePosition<RowId> } | { readonly skip: number };
}

/** Parses parameters that the schema has validated; raises `invalid_request` and `invalid_cursor`. */
export function readPageRequest<RowId>(query: PageQuery, list: PageList<RowId>): PageRequest<RowId> {
  const limit = Math.min(query.limit ?? pageLimitDefault, pageLimitMax);
  const direction = query.direction ?? 'forward';
  return { list, limit, direction, sort: query.sort ?? 'createdAt', start: readStart(query, list, limit) };
}

function readStart<RowId>(
  query: PageQuery,
  list: PageList<RowId>,
  limit: number,
): PageRequest<RowId>['start'] {
  const { cursor, page } = query;
  if (page !== undefined) return { skip: (readPageNumber(query, page) - 1) * limit };
  if (cursor === undefined) return { skip: 0 };
  const position = decodePageCursor(list, cursor, query.sort);
  if (position.ok) return { beside: position.value };
  throw new ProblemError(
    invalidCursor,
    'The cursor is malformed or belongs to another list, organization, order or filter.',
    { errors: [{ in: 'query', name: 'cursor', message: 'does not belong to this list' }] },
  );
}

function readPageNumber({ cursor, direction }: PageQuery, page: number): number {
  if (cursor !== undefined) throw pageRefused('cannot be combined with a cursor; send only the cursor');
  if (direction === 'backward')
    throw pageRefused('works only forward; to page backward, send prevCursor as the cursor');
  if (page > pageNumberMax)
    throw pageRefused(`must be at most ${pageNumberMax}; for later pages, send nextCursor as the cursor`);
  return page;
}

function pageRefused(message: string): ProblemError {
  return new ProblemError(invalidRequest, `page ${message}`, {
    errors: [{ in: 'query', name: 'page', message }],
  });
}
