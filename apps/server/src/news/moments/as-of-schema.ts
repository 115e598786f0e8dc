import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { InstantSchema, Nullable } from '../nullable-schema.ts';
import { languageQuery } from '../reader-language-query.ts';

/** For resources that can be read as they were. */
export const momentQuery = closedObject({
  ...languageQuery.properties,
  at: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Returns the response as of this past time (ISO 8601 with an offset or Z), without text that was withdrawn or corrected since.',
    }),
  ),
});

export const AsOfSchema = Type.Object(
  {
    at: InstantSchema,
    removed: Type.Array(
      Type.Object({
        kind: Type.Enum(['item', 'story', 'daily', 'weekly', 'monthly']),
        id: Type.String({ description: 'An id, or the period of a report.' }),
        because: Type.Enum(['withdrawn', 'corrected', 'erased'], {
          description:
            'withdrawn: the item is omitted. corrected: the item has its corrected text. erased: a text that repeated the words of such an item is omitted.',
        }),
        at: InstantSchema,
      }),
      { description: 'Content of that moment that was removed since, sorted by the time of its removal.' },
    ),
    proof: Nullable(
      Type.String({
        format: 'uri-reference',
        description: 'The proof of the entry in the public log that was current at that moment.',
      }),
    ),
  },
  { title: 'AsOf', description: 'Present if the request has the parameter at.' },
);

/** For the schemas of responses. */
export const asOfField = { asOf: Type.Optional(AsOfSchema) };
