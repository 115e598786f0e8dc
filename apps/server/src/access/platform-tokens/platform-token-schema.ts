import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import { readableNamePattern } from '../../foundation/readable-name.ts';
import { apiTokenFields } from '../core-permissions/api-token-privilege.ts';
import type { PlatformToken } from '../credentials/platform-token.ts';
import { tokenModes } from '../credentials/platform-token.ts';
import { Instant, Numbers, PlatformKey, ResourceNumber } from '../platform-schema.ts';
import type { TokenDetail, TokenFields } from './apply-token-change.ts';
import { secondsPattern } from './token-expiry.ts';

const Mode = Type.Enum([...tokenModes], {
  description:
    '`owner`: all current permissions of its creator. `token_policies`: only the permissions of its own policies and groups.',
});

const fields = {
  username: Type.String({ description: 'Username of its creator.' }),
  name: Type.String(),
  platform_key: Type.String(),
  created: Type.String({ ...Instant, description: 'Time when the server received the request.' }),
  expires: Type.String({ description: 'As sent: seconds, or empty.' }),
  expires_in: Type.Optional(Type.String({ description: 'As sent; absent if it was not sent.' })),
  expires_at: Type.Union([Instant, Type.Null()], { description: 'Null if it does not expire.' }),
  mode: Mode,
};
const attachments = {
  policies: Type.Array(ResourceNumber, {
    description: 'Ids of its policies; effective in `token_policies` mode.',
  }),
  groups: Type.Array(ResourceNumber, {
    description: 'Ids of its groups; effective in `token_policies` mode.',
  }),
};

export const PlatformTokenSchema = titledObject('PlatformToken', fields);

export const PlatformTokenListSchema = Type.Array(PlatformTokenSchema);

export const PlatformTokenDetailSchema = titledObject('PlatformTokenDetail', { ...fields, ...attachments });

export const CreatedPlatformTokenSchema = titledObject('CreatedPlatformToken', {
  ...fields,
  ...attachments,
  key: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The secret. Returned only once.' }),
});

const decisive = {
  policies_to_add: Numbers('Policies of the organization; only in `token_policies` mode.'),
  policies_to_remove: Numbers('Policies of the organization; only in `token_policies` mode.'),
  groups_to_add: Numbers('Groups of the organization; only in `token_policies` mode.'),
  groups_to_remove: Numbers('Groups of the organization; only in `token_policies` mode.'),
};

const Seconds = (description: string) => Type.String({ pattern: secondsPattern, description });

export const NewPlatformTokenSchema = titledObject('NewPlatformToken', {
  username: Type.String({ maxLength: 100, description: 'Your own username.' }),
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    // It is part of a URL: no separators, and neither `.` nor `..`.
    pattern: `^(?!\\.{1,2}$)(?!.*[/\\\\])${readableNamePattern.slice(1)}`,
    description: 'Used in URLs; unique within the organization.',
  }),
  key: Type.Optional(
    Type.String({ maxLength: 0, description: 'Must be empty: the server generates the secret.' }),
  ),
  platform_key: PlatformKey,
  created: Type.String({ format: 'date-time', maxLength: 40 }),
  expires: Seconds('Seconds from now, or empty for no expiry.'),
  expires_in: Type.Optional(Seconds('Seconds from now. If both are sent, they must match.')),
  mode: Type.Optional(Type.Enum([...tokenModes], { default: 'owner' })),
  ...decisive,
});

export const PlatformTokenChangeSchema = titledObject('PlatformTokenChange', {
  mode: Type.Optional(Mode),
  ...decisive,
});

const Writable = closedObject({ write: Type.Boolean() });

export const FieldPermissionsSchema = titledObject(
  'FieldPermissions',
  Object.fromEntries(apiTokenFields.map((field) => [field, Writable])),
);

export function permissionFields(body: TokenFields): TokenFields {
  const { mode, policies_to_add, policies_to_remove, groups_to_add, groups_to_remove } = body;
  return { mode, policies_to_add, policies_to_remove, groups_to_add, groups_to_remove };
}

export function presentToken(token: PlatformToken, platformKey: string): Static<typeof PlatformTokenSchema> {
  return {
    username: token.creator.username,
    name: token.name,
    platform_key: platformKey,
    created: isoMicroseconds(token.createdAt),
    expires: token.expires,
    ...(token.expiresIn === null ? {} : { expires_in: token.expiresIn }),
    expires_at: token.expiresAt === null ? null : isoMilliseconds(token.expiresAt),
    mode: token.mode,
  };
}

export function presentTokenDetail(
  token: TokenDetail,
  platformKey: string,
): Static<typeof PlatformTokenDetailSchema> {
  return {
    ...presentToken(token, platformKey),
    policies: [...token.policies],
    groups: [...token.groups],
  };
}
