import type { Static } from 'typebox';
import { Type } from 'typebox';

import {
  CategorySchema,
  DiscoveredAtSchema,
  IdSchema,
  ItemLinksSchema,
  LanguageSchema,
  PublishedAtSchema,
  SourceSchema,
  StoryLinkSchema,
  itemExample,
} from '../items/item-schema.ts';
import { asOfField } from '../moments/as-of-schema.ts';
import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';

export const HotTopicSchema = Type.Object(
  {
    rank: Type.Integer({ minimum: 1, maximum: 10 }),
    id: IdSchema,
    title: Type.String(),
    language: LanguageSchema,
    summary: Type.String(),
    category: CategorySchema,
    source: SourceSchema,
    publishedAt: PublishedAtSchema,
    discoveredAt: DiscoveredAtSchema,
    links: Type.Object({ ...ItemLinksSchema.properties, story: StoryLinkSchema }),
    sourceCount: Type.Integer({
      minimum: 1,
      description:
        'Independent sources that report the story: copies of one text and sources of one owner count once.',
    }),
    recentSourceCount: Type.Integer({
      minimum: 1,
      description: 'Independent sources that reported the story in the 48 hours before the ranking.',
    }),
    sourceNames: Type.Array(Type.String(), {
      description:
        'Names of all sources that reported the story in these 48 hours, in the order of their reports.',
    }),
    latestAt: Type.String({ ...InstantSchema, description: 'Latest report.' }),
  },
  { title: 'HotTopic' },
);

export type HotTopic = Static<typeof HotTopicSchema>;

export const HotTopicsResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    rankedAt: Nullable(
      Type.String({ ...InstantSchema, description: 'Time of the ranking; null before the first ranking.' }),
    ),
    count: Type.Integer({ minimum: 0, maximum: 10 }),
    items: Type.Array(HotTopicSchema, { maxItems: 10 }),
    ...asOfField,
  },
  { title: 'HotTopicsResponse' },
);

export const hotTopicsExample: Static<typeof HotTopicsResponseSchema> = {
  schemaVersion: 1,
  rankedAt: '2026-11-14T12:05:00.000Z',
  count: 1,
  items: [
    {
      rank: 1,
      id: itemExample.id,
      title: itemExample.title,
      language: itemExample.language,
      summary: itemExample.summary,
      category: itemExample.category,
      source: itemExample.source,
      publishedAt: itemExample.publishedAt,
      discoveredAt: itemExample.discoveredAt,
      links: {
        ...itemExample.links,
        story: 'https://daybook.example/story/019a83c0-1111-7222-8333-444455556666',
      },
      sourceCount: 2,
      recentSourceCount: 2,
      sourceNames: ['Model Gazette', 'Harbour Wire'],
      latestAt: '2026-11-14T11:48:03.120Z',
    },
  ],
};
