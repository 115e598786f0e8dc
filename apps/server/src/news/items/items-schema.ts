import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { idForm } from '../../foundation/ids.ts';
import { categories } from '../../record/index.ts';
import { asOfField } from '../moments/as-of-schema.ts';
import { Nullable, SchemaVersion } from '../nullable-schema.ts';
import { ItemSchema, itemExample } from './item-schema.ts';

export const queryCodePoints = { min: 2, max: 200 } as const;

/** Which items, without their pages. */
export const itemFilters = {
  mode: Type.Enum(['selected', 'all'], { default: 'selected', description: 'Set of items.' }),
  category: Type.Optional(Type.Enum([...categories], { description: 'Only items of this category.' })),
  source: Type.Optional(
    Type.String({
      pattern: idForm.source,
      description: 'Only items of this source: an id from /api/v1/sources.',
    }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}$',
      description: 'Only items in this language: a primary subtag of BCP 47 such as en or zh.',
    }),
  ),
  window: Type.Enum(['24h', '7d'], { default: '7d', description: 'Time window.' }),
  by: Type.Enum(['timeline', 'published'], {
    default: 'timeline',
    description:
      'Time used for window and order. timeline: as on the site. published: publication time, or discovery time if unknown.',
  }),
  q: Type.Optional(
    Type.String({
      description: `Search: every term must occur in title, original title, summary or source name. ${queryCodePoints.min} to ${queryCodePoints.max} code points after trimming.`,
    }),
  ),
};

export const ItemsQuerySchema = closedObject({
  ...itemFilters,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Page size.' }),
  cursor: Type.Optional(
    Type.String({
      description:
        'nextCursor of the previous page, unchanged and with the same other parameters (limit may differ).',
    }),
  ),
});

export type RawItemsQuery = Static<typeof ItemsQuerySchema>;

export const ItemsResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    query: Type.Object({
      mode: Type.Enum(['selected', 'all']),
      category: Nullable(Type.String()),
      source: Nullable(Type.String()),
      language: Nullable(Type.String()),
      window: Type.Enum(['24h', '7d']),
      by: Type.Enum(['timeline', 'published']),
      q: Nullable(Type.String({ description: 'The search text, trimmed.' })),
    }),
    items: Type.Array(ItemSchema, { maxItems: 100 }),
    page: Type.Object({
      count: Type.Integer({ minimum: 0, maximum: 100 }),
      hasMore: Type.Boolean(),
      nextCursor: Nullable(Type.String({ description: 'Opaque; null on the last page.' })),
    }),
  },
  { title: 'ItemsResponse' },
);

export const itemsExample: Static<typeof ItemsResponseSchema> = {
  schemaVersion: 1,
  query: {
    mode: 'selected',
    category: null,
    source: null,
    language: null,
    window: '7d',
    by: 'timeline',
    q: null,
  },
  items: [itemExample],
  page: { count: 1, hasMore: false, nextCursor: null },
};

export const itemIdCharsMax = 128;

export const ItemParamsSchema = Type.Object({
  id: Type.String({ maxLength: itemIdCharsMax, description: 'Id of an item of any age.' }),
});

export const ItemResponseSchema = Type.Object(
  { schemaVersion: SchemaVersion, item: ItemSchema, ...asOfField },
  { title: 'ItemResponse' },
);

export const itemResponseExample: Static<typeof ItemResponseSchema> = { schemaVersion: 1, item: itemExample };
