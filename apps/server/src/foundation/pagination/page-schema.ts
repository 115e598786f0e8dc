import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../closed-object.ts';

export const pageLimitDefault = 20;
export const pageLimitMax = 100;
export const pageNumberMax = 100;

/** Spread into the query of a list route, beside its filters. */
export const pageQueryProperties = {
  cursor: Type.Optional(
    Type.String({
      description:
        '`nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.',
    }),
  ),
  // No maximum: a larger value is capped, not refused.
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: pageLimitDefault,
      description: `Records per page; values above ${pageLimitMax} count as ${pageLimitMax}.`,
    }),
  ),
  direction: Type.Optional(
    Type.Enum(['forward', 'backward'], {
      default: 'forward',
      description:
        'Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.',
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Page number from 1 to ${pageNumberMax}, without a cursor. New records shift pages; prefer cursors.`,
    }),
  ),
};

/** The query of a list without filters. */
export const UnfilteredPageQuery = closedObject(pageQueryProperties);

/** Spread into the query of a list that can also be sorted by name. */
export const sortedPageQueryProperties = {
  ...pageQueryProperties,
  sort: Type.Optional(
    Type.Enum(['createdAt', 'name'], {
      default: 'createdAt',
      description:
        'Newest first, or by name from A to Z, not case-sensitive. A cursor is valid only for the order it was returned with.',
    }),
  ),
};

const PageQuerySchema = Type.Object(sortedPageQueryProperties);
export type PageQuery = Static<typeof PageQuerySchema>;

const cursorDescription = 'null only on an empty page.';

export const PaginationSchema = closedObject({
  hasMore: Type.Boolean({ description: 'Whether more records follow in the requested direction.' }),
  nextCursor: Type.Union([Type.String(), Type.Null()], {
    description: `Cursor for older records, with \`direction=forward\`; ${cursorDescription}`,
  }),
  prevCursor: Type.Union([Type.String(), Type.Null()], {
    description: `Cursor for newer records, with \`direction=backward\`; ${cursorDescription}`,
  }),
  total: Type.Optional(Type.Integer({ minimum: 0, description: 'Total number of records, if available.' })),
});

export const sortedOrder = 'Sorted by createdAt, newest first, or by name, depending on `sort`; then by id.';

/** The envelope of every paginated list. */
export function pageSchema<Record extends TSchema>(
  record: Record,
  title: string,
  order = 'Newest first: by createdAt, then by id.',
) {
  return titledObject(title, {
    data: Type.Array(record, { description: order }),
    pagination: PaginationSchema,
  });
}
