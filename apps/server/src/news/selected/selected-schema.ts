import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { IdSchema, ItemSchema, itemExample } from '../items/item-schema.ts';
import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';

export const SnapshotQuerySchema = closedObject({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 500, description: 'Page size.' }),
  page: Type.Optional(Type.String({ description: 'nextPage of the previous page.' })),
});

export const ChangesQuerySchema = closedObject({
  cursor: Type.Optional(
    Type.String({
      description: 'From the snapshot or the previous changes page. 409 without it, unless since is given.',
    }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Instead of a cursor: changes at or after this time, such as 2026-11-15T08:00:00Z. Mirrors start with a snapshot instead.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Page size.' }),
});

const CursorSchema = Type.String({
  description: 'Position in the changes feed. Opaque; does not expire.',
});
const count = Type.Integer({ minimum: 0 });

export const SnapshotResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    asOf: Type.String({
      ...InstantSchema,
      description: "Time of the cursor's position; identical on every page.",
    }),
    cursor: CursorSchema,
    count,
    hasMore: Type.Boolean(),
    nextPage: Nullable(Type.String({ description: 'Opaque; null on the last page.' })),
    items: Type.Array(ItemSchema, { maxItems: 1000, description: 'Sorted by id, ascending.' }),
  },
  { title: 'SnapshotResponse' },
);

const UpsertSchema = Type.Object(
  { op: Type.Literal('upsert'), changedAt: InstantSchema, item: ItemSchema },
  { title: 'Upsert', description: 'Insert the item, or replace your copy with the same id.' },
);
const RemoveSchema = Type.Object(
  { op: Type.Literal('remove'), changedAt: InstantSchema, id: IdSchema },
  { title: 'Remove', description: 'Delete your copy of the item.' },
);

const EqualitySchema = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'Version of the list of hashed fields.' }),
    size: Type.Integer({ minimum: 0, description: 'Number of items.' }),
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'Sum modulo 2^256 of the SHA-256 of each item in RFC 8785 form with id, title, originalTitle, summary, source.name, links.original, publishedAt, discoveredAt, category.',
    }),
  },
  { title: 'SetCheck', description: 'Compare it with the hash of your copy. If equal, the copy is exact.' },
);

export const ChangesResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    cursor: CursorSchema,
    count,
    hasMore: Type.Boolean(),
    changes: Type.Array(Type.Union([UpsertSchema, RemoveSchema]), { maxItems: 100 }),
    set: Type.Optional(EqualitySchema),
  },
  {
    title: 'ChangesResponse',
    description: 'Each item once, at its latest position. set is present when hasMore is false.',
  },
);

const BucketSchema = Type.Object(
  {
    after: Type.String({
      format: 'uuid',
      description: 'The range contains the ids after this one, up to the next range.',
    }),
    size: Type.Integer({ minimum: 0, description: 'Number of items.' }),
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Hash of these items, computed as in SetCheck.',
    }),
    page: Type.String({ description: 'The page of the snapshot that begins with this range. Opaque.' }),
  },
  { title: 'SetBucket' },
);

export const BucketsResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    asOf: Type.String({ ...InstantSchema, description: "Time of the cursor's position." }),
    cursor: CursorSchema,
    set: EqualitySchema,
    count,
    buckets: Type.Array(BucketSchema, {
      minItems: 1,
      maxItems: 1024,
      description: 'Sorted by id, ascending. Together the ranges contain every id.',
    }),
  },
  { title: 'BucketsResponse' },
);

const cursorExample = 'AQGcIeM0T0dKk4nIn0rmT3Y9AAAAAAAAAAE';

export const snapshotExample: Static<typeof SnapshotResponseSchema> = {
  schemaVersion: 1,
  asOf: '2026-11-14T08:32:00.000Z',
  cursor: cursorExample,
  count: 1,
  hasMore: false,
  nextPage: null,
  items: [itemExample],
};

export const changesExample: Static<typeof ChangesResponseSchema> = {
  schemaVersion: 1,
  cursor: cursorExample,
  count: 2,
  hasMore: false,
  changes: [
    { op: 'remove', changedAt: '2026-11-14T08:30:00.000Z', id: '019a83c1-0000-7000-8000-000000000001' },
    { op: 'upsert', changedAt: '2026-11-14T08:32:00.000Z', item: itemExample },
  ],
  set: { version: 1, size: 1, hash: '9f2c1d0e'.repeat(8) },
};

export const bucketsExample: Static<typeof BucketsResponseSchema> = {
  schemaVersion: 1,
  asOf: '2026-11-14T08:32:00.000Z',
  cursor: cursorExample,
  set: { version: 1, size: 1, hash: '9f2c1d0e'.repeat(8) },
  count: 1,
  buckets: [
    {
      after: '00000000-0000-0000-0000-000000000000',
      size: 1,
      hash: '9f2c1d0e'.repeat(8),
      page: 'AQGcIeM0T0dKk4nIn0rmT3Y9AAAAAAAAAAEABmDgTBqAAAAAAAAAAAAAAAAAAAAAAA',
    },
  ],
};
