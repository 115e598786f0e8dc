import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { UserSchema } from '../accounts/user-profile.ts';

export const TokenResponseSchema = titledObject('TokenResponse', {
  access_token: Type.String({ description: 'JWT (ES256), valid for one hour.' }),
  refresh_token: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'Valid once, for 30 days. Always store the latest.',
  }),
  expires_in: Type.Integer({
    description: 'Seconds until the access token expires; refresh at about 3300.',
  }),
  user: UserSchema,
});

export type TokenResponse = Static<typeof TokenResponseSchema>;

export const PasswordGrantSchema = titledObject('PasswordGrant', {
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
  one_time_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Required with two-factor authentication: the 6-digit code of the authenticator app, or a recovery code. Each code works once.',
    }),
  ),
});

export const RefreshGrantSchema = titledObject('RefreshGrant', {
  refresh_token: Type.String({ minLength: 1, maxLength: 256 }),
});

export const ExchangeGrantSchema = titledObject('ExchangeGrant', {
  code: Type.String({ minLength: 1, maxLength: 256, description: 'The code from the callback URL.' }),
  code_verifier: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description: 'The verifier of code_challenge, if the sign-in URL had one (RFC 7636, S256).',
    }),
  ),
});

export const SuccessSchema = titledObject('Success', { success: Type.Boolean() });
