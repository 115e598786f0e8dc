import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestAccount, TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import { createSecretBox } from '../../foundation/secret-box.ts';
import { rotateSigningKey, rotateSigningKeyNow } from './rotate-signing-key.ts';

let stage: TestIdentity;
let account: TestAccount;
beforeAll(async () => {
  stage = await startTestIdentity();
  account = await stage.createAccount();
});
afterAll(() => stage.stop());

const published = async (): Promise<readonly string[]> => {
  const set = (await stage.get('/.well-known/jwks.json')).json() as { keys: { kid: string }[] };
  return set.keys.map(({ kid }) => kid);
};
const signIn = async (): Promise<{ access: string; kid: string | undefined }> => {
  const { access_token: access } = await stage.signIn(account);
  return { access, kid: decodeProtectedHeader(access).kid };
};
const works = async (access: string): Promise<boolean> =>
  (await stage.get('/api/v1/me', { authorization: `Bearer ${access}` })).status === 200;

test('publishes a new key before it signs, and no token fails during the rotation', async () => {
  const before = await signIn();
  expect(await published()).toEqual([before.kid]);
  await rotateSigningKeyNow(stage.identity);
  stage.clock.advance({ minutes: 2 });
  const between = await signIn();
  expect(between.kid).toBe(before.kid);
  expect(await published()).toHaveLength(2);
  expect(await works(before.access)).toBe(true);
  stage.clock.advance({ minutes: 15 });
  const after = await signIn();
  expect(after.kid).not.toBe(before.kid);
  expect(await works(between.access)).toBe(true);
  stage.clock.advance({ minutes: 64 });
  expect(await published()).toEqual([after.kid]);
});

test('skips a young key in the monthly rotation', async () => {
  const rotate = (youngerThanMs: number): Promise<boolean> =>
    stage.identity.database
      .transaction()
      .execute((transaction) => rotateSigningKey(transaction, stage.identity, youngerThanMs));
  stage.clock.advance({ hours: 24 * 31 });
  expect(await rotate(7 * 86_400_000)).toBe(true);
  expect(await rotate(7 * 86_400_000)).toBe(false);
});

test('publishes no private part in the key set, and allows caching for five minutes', async () => {
  const answer = await stage.get('/.well-known/jwks.json');
  expect(answer.headers['cache-control']).toBe('public, max-age=300, stale-if-error=3600');
  for (const key of answer.json()['keys'] as Record<string, unknown>[])
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

test('opens a sealed value with the same key and purpose, also after a newer key was added', () => {
  const [old, fresh] = ['aa'.repeat(32), 'bb'.repeat(32)];
  const sealed = createSecretBox([old]).seal(Buffer.from('secret'), 'one');
  expect(createSecretBox([fresh, old]).open(sealed, 'one').toString()).toBe('secret');
  expect(() => createSecretBox([fresh, old]).open(sealed, 'two')).toThrow(/unable to authenticate/);
  expect(() => createSecretBox([fresh]).open(sealed, 'one')).toThrow(/does not have/);
  sealed[sealed.length - 1]! ^= 1;
  expect(() => createSecretBox([old]).open(sealed, 'one')).toThrow(/unable to authenticate/);
});
