import { Type } from 'typebox';

import { closedObject } from '../foundation/closed-object.ts';
import { pageQueryProperties } from '../foundation/pagination/page-schema.ts';
import { readableNamePattern } from '../foundation/readable-name.ts';

export const PlatformKey = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The key of the organization.',
});

export const PlatformQuery = closedObject({ platform_key: PlatformKey });

/** Of a list. */
export const PlatformPageQuery = closedObject({ platform_key: PlatformKey, ...pageQueryProperties });

/** Of a list whose items have names. */
export const NamedPageQuery = closedObject({
  ...PlatformPageQuery.properties,
  query: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, not case-sensitive.' }),
  ),
});

const numberMax = 2_147_483_647;

/** Policies and groups are numbered in each organization. */
export const ResourceNumber = Type.Integer({ minimum: 1, maximum: numberMax });

export const relationEntriesMax = 100;

export const Numbers = (description: string) =>
  Type.Optional(Type.Array(ResourceNumber, { maxItems: relationEntriesMax, description }));

export const ResourceName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: readableNamePattern,
  description: 'Display name; unique within the organization. No leading or trailing spaces.',
});

export const Instant = Type.String({ format: 'date-time' });
