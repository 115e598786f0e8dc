import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { Instant, PlatformKey, ResourceName, ResourceNumber } from '../platform-schema.ts';
import type { PolicyRecord } from './policy-store.ts';

const Actions = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: 100,
  description:
    '`Daybook.<Area>/<Resource>[/<field>]/<verb>`; `*` matches one segment, a final `**` all remaining segments.',
});
const Resources = Type.Array(Type.String({ maxLength: 500 }), {
  maxItems: 100,
  description:
    '`/organizations/<key>/<kind>/<id>…`; `*` matches one segment, a final `**` everything inside.',
});

export const PolicySchema = titledObject(
  'Policy',
  {
    id: ResourceNumber,
    name: Type.String(),
    actions: Actions,
    resources: Resources,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { description: 'Allows all its actions on all its resources.' },
);

export const PolicyPageSchema = pageSchema(PolicySchema, 'Policies');

export const NewPolicySchema = titledObject('NewPolicy', {
  platform_key: PlatformKey,
  name: ResourceName,
  actions: Actions,
  resources: Resources,
});

export const PolicyChangeSchema = titledObject('PolicyChange', {
  name: Type.Optional(ResourceName),
  actions: Type.Optional(Actions),
  resources: Type.Optional(Resources),
});

export function presentPolicy(policy: PolicyRecord): Static<typeof PolicySchema> {
  return {
    id: policy.id,
    name: policy.name,
    actions: [...policy.actions],
    resources: [...policy.resources],
    createdAt: isoMicroseconds(policy.createdAt),
    updatedAt: isoMicroseconds(policy.updatedAt),
  };
}
