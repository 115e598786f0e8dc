import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { corrections } from '../../record/index.ts';
import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';
import { languageQuery } from '../reader-language-query.ts';

export const correctionsMax = 100;

export const CorrectionsQuerySchema = closedObject({
  ...languageQuery.properties,
  limit: Type.Integer({ minimum: 1, maximum: correctionsMax, default: 50, description: 'Page size.' }),
  cursor: Type.Optional(
    Type.String({ description: 'nextCursor of the previous page, unchanged (limit may differ).' }),
  ),
});

const RevisedEditionSchema = Type.Object(
  {
    kind: Type.Enum(['daily', 'weekly', 'monthly']),
    period: Type.String({ description: 'The label of the period.' }),
    revision: Type.Integer({ minimum: 1, description: 'The revision created by the correction.' }),
    links: Type.Object({ report: Type.String({ format: 'uri', description: 'URL of the web page.' }) }),
  },
  { title: 'RevisedReport' },
);

const CorrectionEntrySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    at: InstantSchema,
    action: Type.Enum([...corrections.correctionActions]),
    subject: Type.Object({
      kind: Type.Enum([...corrections.correctedKinds]),
      id: Type.String({ description: 'The id of an item or a story, the period of a report.' }),
    }),
    otherStory: Nullable(
      Type.String({
        format: 'uuid',
        description: 'The surviving story of a merge, or the new story of a split.',
      }),
    ),
    reason: Type.String({
      maxLength: corrections.reasonCharsMax,
      description: 'Reason as plain text; in the requested language, unless an editor wrote it.',
    }),
    reasonCode: Nullable(
      Type.String({
        description:
          'Code of a predefined reason: withdrawn-by-publisher or unstated; more may be added. Null if an editor wrote the reason.',
      }),
    ),
    beforeHash: Nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'bodyHash of the previous entry of the subject in the public log: the salted SHA-256 of the previous content. Null if the log has no earlier entry.',
      }),
    ),
    reports: Type.Array(RevisedEditionSchema, { description: 'Reports with a new revision.' }),
    links: Type.Object({
      subject: Nullable(
        Type.String({ format: 'uri', description: 'URL of the web page; null if it no longer exists.' }),
      ),
    }),
  },
  { title: 'CorrectionEntry' },
);

export const CorrectionsResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    corrections: Type.Array(CorrectionEntrySchema, {
      maxItems: correctionsMax,
      description: 'Newest first.',
    }),
    page: Type.Object({
      count: Type.Integer({ minimum: 0, maximum: correctionsMax }),
      hasMore: Type.Boolean(),
      nextCursor: Nullable(Type.String({ description: 'Opaque; null on the last page.' })),
    }),
  },
  { title: 'CorrectionsResponse' },
);

export const correctionsExample: Static<typeof CorrectionsResponseSchema> = {
  schemaVersion: 1,
  corrections: [
    {
      id: '019a83c0-8888-7888-8999-aaaabbbbcccc',
      at: '2026-11-14T09:12:44.120Z',
      action: 'withdrawn',
      subject: { kind: 'item', id: '019a83c0-7777-7888-8999-aaaabbbbcccc' },
      otherStory: null,
      reason: 'Its publisher withdrew it.',
      reasonCode: 'withdrawn-by-publisher',
      beforeHash: '6bb1e0d1a5d1f5a2c4c2c0c88f0bd3d5f1a3c5c9d37c2e64f3f9a8c6b1d20f7e',
      reports: [
        {
          kind: 'daily',
          period: '2026-11-14',
          revision: 2,
          links: { report: 'https://daybook.example/daily/2026-11-14' },
        },
      ],
      links: { subject: null },
    },
  ],
  page: { count: 1, hasMore: false, nextCursor: null },
};
