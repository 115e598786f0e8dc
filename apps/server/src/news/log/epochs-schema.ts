import type { Static } from 'typebox';
import { Type } from 'typebox';

import { Nullable, SchemaVersion } from '../nullable-schema.ts';

export const EpochsSchema = Type.Object({
  schemaVersion: SchemaVersion,
  epochs: Type.Array(
    Type.Object({
      epoch: Type.Integer({ minimum: 1 }),
      origin: Type.String({ description: 'The name of the log: the first line of its checkpoints.' }),
      path: Type.String({ description: 'Where its checkpoint and tiles are.' }),
      statement: Nullable(
        Type.String({
          description: 'A note signed by the keys of the epoch before and of this one; null for the first.',
        }),
      ),
      endedAt: Nullable(Type.Integer({ description: 'Its leaves that the next epoch begins with.' })),
    }),
  ),
});

export const epochsExample: Static<typeof EpochsSchema> = {
  schemaVersion: 1,
  epochs: [{ epoch: 1, origin: 'news.example/log', path: '/log', statement: null, endedAt: null }],
};
