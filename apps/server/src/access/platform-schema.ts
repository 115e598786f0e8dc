import { Type } from 'typebox';

export const PlatformKey = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The key of the organization.',
});

export const PlatformQuery = Type.Object({ platform_key: PlatformKey });

const numberMax = 2_147_483_647;

/** Policies and groups are numbered in each organization. */
export const ThingNumber = Type.Integer({ minimum: 1, maximum: numberMax });

export const relationEntriesMax = 100;

export const Numbers = (description: string) =>
  Type.Optional(Type.Array(ThingNumber, { maxItems: relationEntriesMax, description }));

export const ThingName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s\\p{C}](?:[^\\p{C}]*[^\\s\\p{C}])?$',
  description: 'For people; one of its kind in the organization. No blanks at its ends.',
});

export const Instant = Type.String({ format: 'date-time' });
