import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { LanguageSchema } from '../items/item-schema.ts';
import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';

export const SourcesQuerySchema = closedObject({
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 200, description: 'Page size.' }),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the previous page, unchanged.' })),
});

export const NewsSourceSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Value for the `source` parameter of /api/v1/items.' }),
    name: Type.String({ description: 'Equal to source.name of its items.' }),
    owner: Type.String({ description: 'Sources of one owner are not independent of each other.' }),
    firstParty: Type.Boolean({ description: 'Whether the owner reports on itself.' }),
    language: LanguageSchema,
    state: Type.Enum(['active', 'paused', 'stopped']),
    links: Type.Object({
      homepage: Nullable(Type.String({ format: 'uri', description: 'Home page of the publisher.' })),
    }),
    contributed: Type.Object(
      {
        items: Type.Integer({ minimum: 0 }),
        selected: Type.Integer({ minimum: 0 }),
        latestAt: Nullable(Type.String({ ...InstantSchema, description: 'Time of the newest item.' })),
      },
      { description: 'Items of the last 7 days.' },
    ),
  },
  { title: 'NewsSource' },
);

export const SourcesResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    sources: Type.Array(NewsSourceSchema, { maxItems: 500, description: 'Sorted by name.' }),
    page: Type.Object({
      count: Type.Integer({ minimum: 0, maximum: 500 }),
      hasMore: Type.Boolean(),
      nextCursor: Nullable(Type.String({ description: 'Opaque; null on the last page.' })),
    }),
  },
  { title: 'SourcesResponse' },
);

export const sourcesExample: Static<typeof SourcesResponseSchema> = {
  schemaVersion: 1,
  sources: [
    {
      id: '019a83c0-7777-7888-8999-aaaabbbbcccc',
      name: 'Model Gazette',
      owner: 'Gazette Media',
      firstParty: false,
      language: 'en',
      state: 'active',
      links: { homepage: 'https://gazette.example/' },
      contributed: { items: 31, selected: 4, latestAt: '2026-11-14T08:31:12.408Z' },
    },
  ],
  page: { count: 1, hasMore: false, nextCursor: null },
};
