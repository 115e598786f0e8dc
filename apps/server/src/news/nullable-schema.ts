import type { Static, TSchema, TUnsafe } from 'typebox';
import { Type } from 'typebox';

/** `type: [T, null]`, which OpenAPI 3.1 tools support best. */
export function Nullable<Schema extends TSchema & { type: string }>(
  schema: Schema,
): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
}

export const InstantSchema = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
});
export const SchemaVersion = Type.Literal(1, {
  description: 'Incremented only when the meaning of a field changes.',
});
