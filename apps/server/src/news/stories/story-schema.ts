import type { Static } from 'typebox';
import { Type } from 'typebox';

import {
  DiscoveredAtSchema,
  IdSchema,
  ItemLinksSchema,
  LanguageSchema,
  PublishedAtSchema,
  itemExample,
} from '../items/item-schema.ts';
import { InstantSchema, SchemaVersion } from '../nullable-schema.ts';

export const publicIdCharsMax = 128;

export const StoryParamsSchema = Type.Object({
  publicId: Type.String({
    maxLength: publicIdCharsMax,
    description:
      'From links.story of a hot topic (its last path segment) or from the references of another story; never made up.',
  }),
});

const Cites = Type.Array(IdSchema, { description: 'Items it was written from.' });

export const DigestSchema = Type.Object(
  {
    text: Type.String(),
    updatedAt: InstantSchema,
    sentences: Type.Array(Type.Object({ text: Type.String(), cites: Cites })),
    contradictions: Type.Array(Type.Object({ statement: Type.String(), earlier: Cites, later: Cites }), {
      description: 'Where later reports contradict earlier ones.',
    }),
  },
  { title: 'StoryDigest', description: 'Written by a model from the reports it cites.' },
);

export const StoryReportSchema = Type.Object(
  {
    id: IdSchema,
    title: Type.String(),
    language: LanguageSchema,
    summary: Type.String(),
    source: Type.Object({
      name: Type.String(),
      firstParty: Type.Boolean({ description: 'Whether the source speaks for itself.' }),
    }),
    publishedAt: PublishedAtSchema,
    discoveredAt: DiscoveredAtSchema,
    links: ItemLinksSchema,
  },
  { title: 'StoryReport' },
);

export const StoryReferenceSchema = Type.Object(
  {
    publicId: Type.String(),
    title: Type.String(),
    relation: Type.String({
      description: 'predecessor or successor in a storyline; related. More may come.',
    }),
    links: Type.Object({
      story: Type.String({ format: 'uri', description: 'Page for people.' }),
      api: Type.String({ format: 'uri', description: 'This endpoint, for that story.' }),
    }),
  },
  { title: 'StoryReference' },
);

export const StorySchema = Type.Object(
  {
    publicId: Type.String(),
    title: Type.String(),
    status: Type.Enum(['active', 'settled'], { description: 'settled: nothing new for 72 hours.' }),
    sourceCount: Type.Integer({ minimum: 0 }),
    reportCount: Type.Integer({ minimum: 1 }),
    firstReportAt: InstantSchema,
    latestAt: InstantSchema,
    links: Type.Object({ story: Type.String({ format: 'uri', description: 'Page for people.' }) }),
    digest: Type.Union([DigestSchema, Type.Null()], { description: 'null until it is written.' }),
    reports: Type.Array(StoryReportSchema, { maxItems: 50, description: 'Newest first.' }),
    storyline: Type.Array(StoryReferenceSchema, {
      description: 'Stories that this one follows or leads to.',
    }),
    related: Type.Array(StoryReferenceSchema),
  },
  { title: 'Story' },
);

export type Story = Static<typeof StorySchema>;
export type StoryReference = Static<typeof StoryReferenceSchema>;

export const StoryResponseSchema = Type.Object(
  { schemaVersion: SchemaVersion, story: StorySchema },
  { title: 'StoryResponse' },
);

const publicId = '019a83c0-1111-7222-8333-444455556666';
export const storyExample: Static<typeof StoryResponseSchema> = {
  schemaVersion: 1,
  story: {
    publicId,
    title: 'Halden Labs opens the weights of its planning model',
    status: 'active',
    sourceCount: 1,
    reportCount: 1,
    firstReportAt: '2026-11-14T08:31:12.408Z',
    latestAt: '2026-11-14T08:31:12.408Z',
    links: { story: `https://daybook.example/story/${publicId}` },
    digest: {
      text: 'Halden Labs published the weights of a model that plans.',
      updatedAt: '2026-11-14T08:40:00.000Z',
      sentences: [
        { text: 'Halden Labs published the weights of a model that plans.', cites: [itemExample.id] },
      ],
      contradictions: [],
    },
    reports: [
      {
        id: itemExample.id,
        title: itemExample.title,
        language: itemExample.language,
        summary: itemExample.summary,
        source: { name: itemExample.source.name, firstParty: false },
        publishedAt: itemExample.publishedAt,
        discoveredAt: itemExample.discoveredAt,
        links: itemExample.links,
      },
    ],
    storyline: [],
    related: [
      {
        publicId: '019a83c0-2222-7333-8444-555566667777',
        title: 'Open-weight licences under review',
        relation: 'related',
        links: {
          story: 'https://daybook.example/story/019a83c0-2222-7333-8444-555566667777',
          api: 'https://daybook.example/api/v1/stories/019a83c0-2222-7333-8444-555566667777',
        },
      },
    ],
  },
};
