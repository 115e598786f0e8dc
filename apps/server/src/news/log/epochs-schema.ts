import type { Static } from 'typebox';
import { Type } from 'typebox';

import { Nullable, SchemaVersion } from '../nullable-schema.ts';

export const EpochsSchema = Type.Object({
  schemaVersion: SchemaVersion,
  epochs: Type.Array(
    Type.Object({
      epoch: Type.Integer({ minimum: 1 }),
      origin: Type.String({ description: 'The name of the log: the first line of its checkpoints.' }),
      path: Type.String({ description: 'Path of its checkpoint and tiles.' }),
      statement: Nullable(
        Type.String({
          description:
            'A note signed with the keys of the previous epoch and of this one; null for the first.',
        }),
      ),
      endedAt: Nullable(
        Type.Integer({ description: 'Number of its leaves with which the next epoch begins.' }),
      ),
    }),
  ),
});

export const epochsExample: Static<typeof EpochsSchema> = {
  schemaVersion: 1,
  epochs: [{ epoch: 1, origin: 'news.example/log', path: '/log', statement: null, endedAt: null }],
};
