import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

test('returns a distinct, stable picture for every id, whether or not the account exists', async () => {
  const account = await stage.createAccount();
  const [own, again, other] = [
    await stage.get(`/avatars/${account.id}.svg`),
    await stage.get(`/avatars/${account.id}.svg`),
    await stage.get('/avatars/nobody.svg'),
  ];
  expect([own.status, own.headers['content-type'], own.text.slice(0, 4)]).toEqual([
    200,
    'image/svg+xml',
    '<svg',
  ]);
  expect(again.text).toBe(own.text);
  expect(other.text).not.toBe(own.text);
});

test('puts nothing of the URL into the picture', async () => {
  const { text } = await stage.get('/avatars/%22%3E%3Cscript%3E.svg');
  expect(text).not.toContain('script');
});
