import type { Static } from 'typebox';
import { Type } from 'typebox';

import { SchemaVersion } from '../nullable-schema.ts';

const AddressSchema = Type.Object(
  {
    title: Type.String(),
    purpose: Type.String({ description: 'When to use the document.' }),
    href: Type.String({
      description: 'URL of a Markdown document. Names in braces are placeholders.',
    }),
    refreshSeconds: Type.Integer({ minimum: 1, description: 'Minimum polling interval.' }),
  },
  { title: 'AgentAddress' },
);

export type AgentAddress = Static<typeof AddressSchema>;

export const AgentResponseSchema = Type.Object(
  { schemaVersion: SchemaVersion, addresses: Type.Array(AddressSchema) },
  { title: 'AgentResponse' },
);
