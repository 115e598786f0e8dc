import type { Static } from 'typebox';
import { Type } from 'typebox';

import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';

export const LogEntrySchema = Type.Object(
  {
    version: Type.Literal(1),
    kind: Type.Enum(['item', 'story', 'ranking', 'daily', 'weekly', 'monthly', 'correction']),
    action: Type.Enum(['published', 'revised', 'withdrawn', 'opened', 'merged', 'split']),
    id: Type.String({ description: 'The id of an item, story or correction; the period of a report.' }),
    revision: Type.Integer({
      minimum: 1,
      description: 'Number of the revision: counts the entries with the same id.',
    }),
    at: InstantSchema,
    bodyHash: Nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the salt and the canonical JSON of the body; null for a withdrawal.',
      }),
    ),
  },
  { title: 'LogEntry', description: 'The leaf of the log is the canonical JSON (RFC 8785) of this object.' },
);

export const ProofResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    proof: Type.Object(
      {
        entry: LogEntrySchema,
        body: Nullable(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description: 'The published content; null if it was withdrawn, or its text was erased.',
            },
          ),
        ),
        salt: Nullable(
          Type.String({
            pattern: '^[0-9a-f]{64}$',
            description: '32 bytes; null without a body.',
          }),
        ),
        leafIndex: Type.Integer({ minimum: 0 }),
        inclusion: Type.Array(Type.String(), {
          maxItems: 64,
          description: 'Hashes in base64, from the leaf to the root (RFC 9162, section 2.1.3).',
        }),
        checkpoint: Type.String({ description: 'Signed checkpoint (C2SP tlog-checkpoint).' }),
        consistency: Type.Optional(
          Type.Object(
            {
              from: Type.Integer({ minimum: 1 }),
              hashes: Type.Array(Type.String(), { maxItems: 64 }),
            },
            { description: 'Only with since: hashes in base64 (RFC 9162, section 2.1.4).' },
          ),
        ),
      },
      { title: 'RecordProof' },
    ),
  },
  { title: 'ProofResponse' },
);

export const proofExample: Static<typeof ProofResponseSchema> = {
  schemaVersion: 1,
  proof: {
    entry: {
      version: 1,
      kind: 'item',
      action: 'withdrawn',
      id: '019a83c0-7777-7888-8999-aaaabbbbcccc',
      revision: 2,
      at: '2026-11-14T09:12:44.120Z',
      bodyHash: null,
    },
    body: null,
    salt: null,
    leafIndex: 1,
    inclusion: ['CsG0kkrPIuDcUCpDyrlLFMRfIjLuZqsVYvXOK3DT0Uw='],
    checkpoint:
      'news.example/log\n2\nC4Pvz/kXBB7ZRY6SsUyuK8SLFfRpEeSGE9pCKCqB6QI=\n\n\u{2014} news.example/log 3q2+7wABAgM=\n',
  },
};
