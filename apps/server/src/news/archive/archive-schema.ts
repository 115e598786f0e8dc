import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { idForm } from '../../foundation/ids.ts';
import { ItemSchema, itemExample } from '../items/item-schema.ts';
import { itemFilters, ItemsQuerySchema } from '../items/items-schema.ts';
import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';

const { category, source, language } = itemFilters;
const { limit, cursor } = ItemsQuerySchema.properties;
const date = (description: string) =>
  Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, description }));

export const ArchiveQuerySchema = closedObject({
  category,
  source,
  language,
  story: Type.Optional(
    Type.String({ pattern: idForm.source, description: 'Only items of this story: a publicId.' }),
  ),
  from: date(
    'First day on which items were received, an Asia/Shanghai date. Default: the first day of the archive.',
  ),
  to: date('Last day on which items were received, an Asia/Shanghai date. Default: today.'),
  q: Type.Optional({
    ...itemFilters.q,
    description:
      'Search: every word must occur in the title, original title, summary or source name, with or without its ending. Chinese text can have any length.',
  }),
  limit,
  cursor,
});

export type RawArchiveQuery = Static<typeof ArchiveQuerySchema>;

export const ArchiveResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    query: Type.Object({
      category: Nullable(Type.String()),
      source: Nullable(Type.String()),
      language: Nullable(Type.String()),
      story: Nullable(Type.String()),
      from: Nullable(Type.String()),
      to: Nullable(Type.String()),
      q: Nullable(Type.String()),
    }),
    items: Type.Array(ItemSchema, { maxItems: 100 }),
    page: Type.Object({
      count: Type.Integer({ minimum: 0 }),
      hasMore: Type.Boolean({
        description: 'A page may have fewer items than its limit, or none, although more follow.',
      }),
      nextCursor: Nullable(Type.String({ description: 'Opaque; null on the last page.' })),
    }),
  },
  { title: 'ArchiveResponse', description: 'Selected items of all time, by the time they were received.' },
);

export const archiveExample = {
  schemaVersion: 1,
  query: {
    category: null,
    source: null,
    language: 'en',
    story: null,
    from: '2026-10-01',
    to: '2026-10-31',
    q: null,
  },
  items: [itemExample],
  page: { count: 1, hasMore: false, nextCursor: null },
};

export const ArchiveMonthsSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    count: Type.Integer({ minimum: 0 }),
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'Asia/Shanghai month: 2026-10.' }),
        count: Type.Integer({ minimum: 1, description: 'Items in the file.' }),
        bytes: Type.Integer({ minimum: 1, description: 'Size of the file in bytes.' }),
        sha256: Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'SHA-256 of the file, in hexadecimal.',
        }),
        writtenAt: InstantSchema,
        file: Type.String({ format: 'uri' }),
      }),
    ),
  },
  { title: 'ArchiveMonthsResponse', description: 'The files of completed months, newest first.' },
);

export const archiveMonthsExample = {
  schemaVersion: 1,
  count: 1,
  months: [
    {
      month: '2026-10',
      count: 2871,
      bytes: 812_345,
      sha256: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
      writtenAt: '2026-11-01T00:00:07.120Z',
      file: 'https://daybook.example/archive/2026-10.jsonl.zst',
    },
  ],
};
