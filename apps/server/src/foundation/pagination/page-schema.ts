import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';

export const pageLimitDefault = 20;
export const pageLimitMax = 100;
export const pageNumberMax = 100;

/** Spread into the query of a list route, beside its filters. */
export const pageQueryProperties = {
  cursor: Type.Optional(
    Type.String({
      description:
        '`nextCursor` or `prevCursor` of an earlier page of the same list. Absent: begin at the edge.',
    }),
  ),
  // No maximum: more is capped, not refused.
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: pageLimitDefault,
      description: `Records on a page; above ${pageLimitMax} it counts as ${pageLimitMax}.`,
    }),
  ),
  direction: Type.Optional(
    Type.Enum(['forward', 'backward'], {
      default: 'forward',
      description:
        'Towards older records or towards newer ones. Records come in the same order either way, newest first. `backward` without a cursor begins at the oldest record.',
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `The offset form: page number from 1 to ${pageNumberMax}, without a cursor. Rows written meanwhile shift its pages; prefer the cursor.`,
    }),
  ),
};

/** The query of a list without filters. */
export const UnfilteredPageQuery = Type.Object(pageQueryProperties, { additionalProperties: false });

/** Spread into the query of a list that can also be had by name. */
export const sortedPageQueryProperties = {
  ...pageQueryProperties,
  sort: Type.Optional(
    Type.Enum(['createdAt', 'name'], {
      default: 'createdAt',
      description:
        'Newest first, or by name from A to Z, whatever the case of its letters; then `nextCursor` leads on towards Z. A cursor belongs to the order that it was given in.',
    }),
  ),
};

const PageQuerySchema = Type.Object(sortedPageQueryProperties);
export type PageQuery = Static<typeof PageQuerySchema>;

const cursorDescription = 'null on an empty page; set on every other, also where nothing follows yet.';

export const PaginationSchema = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether more records follow in the direction travelled.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: `After the last record of this page: older records, with \`direction=forward\`; ${cursorDescription}`,
    }),
    prevCursor: Type.Union([Type.String(), Type.Null()], {
      description: `Before the first record of this page: newer records, with \`direction=backward\`; ${cursorDescription}`,
    }),
    total: Type.Optional(
      Type.Integer({ minimum: 0, description: 'All records of the list, where it is told.' }),
    ),
  },
  { additionalProperties: false },
);

export const sortedOrder = 'By createdAt, the newest first, or by name, as `sort` says; then by id.';

/** The envelope of every list that pages. */
export function pageSchema<Record extends TSchema>(
  record: Record,
  title: string,
  order = 'Newest first: by createdAt, then by id.',
) {
  return Type.Object(
    {
      data: Type.Array(record, { description: order }),
      pagination: PaginationSchema,
    },
    { title, additionalProperties: false },
  );
}
