import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { ForgingProvider } from '../../../test/forging-provider.ts';
import { discoveryPath, metadataOf, sendJson, startForgingProvider } from '../../../test/forging-provider.ts';
import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import { systemClock } from '../../foundation/clock.ts';
import { beginOpenIdSignIn } from './begin-openid.ts';
import type { OpenIdOutcome } from './finish-openid.ts';
import { finishOpenId } from './finish-openid.ts';
import { createOpenIdIssuer } from './openid-issuer.ts';

let provider: ForgingProvider;
let stage: TestIdentity;
beforeAll(async () => {
  provider = await startForgingProvider();
  stage = await startTestIdentity();
});
beforeEach(() => {
  provider.answer('/userinfo', sendJson({ sub: 'eve', email: 'eve@example.org', email_verified: true }));
});
afterAll(async () => {
  await stage.stop();
  await provider.stop();
});

const client = { address: '192.0.2.7', userAgent: 'browser' };

/** One sign-in at a provider that returns the claims that `forge` makes of valid ones. */
async function signIn(forge: (claims: JWTPayload) => Promise<string> | string): Promise<OpenIdOutcome> {
  const openId = createOpenIdIssuer(provider.settings, stage.clock.nowMs);
  const deps = { ...stage.identity, openId };
  const { redirectUrl, transaction } = await beginOpenIdSignIn(deps, { context: '' });
  const { searchParams } = new URL(redirectUrl);
  const iat = Math.floor(systemClock.nowMs() / 1000);
  const id_token = await forge({
    iss: provider.issuer,
    aud: 'daybook',
    sub: 'eve',
    iat,
    exp: iat + 60,
    nonce: searchParams.get('nonce')!,
  });
  provider.answer('/token', sendJson({ access_token: 'x', token_type: 'bearer', id_token }));
  const callbackUrl = `/auth/openid/callback?code=c&state=${searchParams.get('state')}`;
  return finishOpenId(deps, { callbackUrl, transaction, sessionId: null, client });
}

const refused = { kind: 'refused', reason: 'response_invalid', context: '' };

test('accepts a valid token, so that the cases below fail for their own reason', async () => {
  expect(await signIn(provider.sign)).toMatchObject({ kind: 'signed-in' });
});

describe('an ID token is refused that', () => {
  const changed = (change: JWTPayload) => (claims: JWTPayload) => provider.sign({ ...claims, ...change });
  test.each([
    ['is for another client', changed({ aud: 'another' })],
    ['is for several, and not issued to us', changed({ aud: ['daybook', 'another'], azp: 'another' })],
    ['comes from another issuer', changed({ iss: 'https://evil.example' })],
    ['has expired', changed({ exp: 1 })],
    ['has no nonce', changed({ nonce: undefined })],
    ['has an empty subject', changed({ sub: '' })],
    ['has an endless subject', changed({ sub: 'e'.repeat(256) })],
    ['has a subject with a NUL', changed({ sub: 'eve\u0000' })],
    ['is not signed', (claims: JWTPayload) => new UnsecuredJWT(claims).encode()],
    [
      'is signed with our own secret',
      (claims: JWTPayload) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(Buffer.from(provider.settings.clientSecret)),
    ],
    [
      'is signed with a key that the provider does not have',
      async (claims: JWTPayload) => {
        const { privateKey } = await generateKeyPair('ES256');
        return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey);
      },
    ],
    ['is none', () => 'not a token'],
  ])('%s', async (_what, forge) => {
    expect(await signIn(forge)).toEqual(refused);
  });
});

describe('503', () => {
  test.each([
    ['the token endpoint', 'token_endpoint'],
    ['the keys', 'jwks_uri'],
  ])('sends no request to a remote %s without TLS', async (_what, name) => {
    const metadata = { ...metadataOf(provider.issuer), [name]: 'http://192.0.2.1/token' };
    provider.answer(discoveryPath, sendJson(metadata));
    await expect(signIn(provider.sign)).rejects.toMatchObject({ retryAfterSeconds: 5 });
    provider.answer(discoveryPath, sendJson(metadataOf(provider.issuer)));
  });

  test('refuses userinfo about another subject', async () => {
    provider.answer(
      '/userinfo',
      sendJson({ sub: 'ada', email: 'mallory@example.org', email_verified: true }),
    );
    await expect(signIn((claims) => provider.sign({ ...claims, sub: 'mallory' }))).rejects.toMatchObject({
      definition: { code: 'temporarily_unavailable' },
    });
  });

  test('returns 503 if the provider fails during the exchange', async () => {
    const failing = signIn((claims) => {
      provider.answer('/keys', (response) => response.writeHead(500).end());
      return provider.sign(claims);
    });
    await expect(failing).rejects.toMatchObject({ retryAfterSeconds: 5 });
  });
});
