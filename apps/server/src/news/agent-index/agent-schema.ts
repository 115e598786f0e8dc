import type { Static } from 'typebox';
import { Type } from 'typebox';

import { SchemaVersion } from '../nullable-schema.ts';

const AddressSchema = Type.Object(
  {
    title: Type.String(),
    purpose: Type.String({ description: 'When to read it.' }),
    href: Type.String({
      description: 'Address of a Markdown document; a name in braces stands for a value to put in.',
    }),
    refreshSeconds: Type.Integer({ minimum: 1, description: 'Reading it more often shows nothing new.' }),
  },
  { title: 'AgentAddress' },
);

export type AgentAddress = Static<typeof AddressSchema>;

export const AgentResponseSchema = Type.Object(
  { schemaVersion: SchemaVersion, addresses: Type.Array(AddressSchema) },
  { title: 'AgentResponse' },
);
