import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ProblemError } from '../../foundation/problem.ts';
import { requireGoodPassword } from './password-rule.ts';

const owner = { email: 'mary.jane@example.org', username: 'mj_watson', name: 'Mary Jane Wátson' };

async function messageOf(password: string, of = owner): Promise<string | null> {
  try {
    await requireGoodPassword(password, of);
    return null;
  } catch (error) {
    if (error instanceof ProblemError) return error.errors?.[0]?.message ?? '';
    throw error;
  }
}

test.each([
  'password123',
  'Passw0rd123!',
  'P@$$w0rd2026',
  '1q2w3e4r5t',
  'qwertyuiop',
  'iloveyou2026',
  'letmein12345',
  'Dragon1990!',
  '!!Maximilian1',
  'ｐａｓｓｗｏｒｄ１２３',
])('refuses %s as too common', async (password) => {
  expect(await messageOf(password)).toMatch(/too common/);
});

test.each([
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'xK9#xK9#xK9#x',
  'abcdefghijkl',
  '9876543210',
  '密码密码密码密码密码',
])('refuses %s as a pattern', async (password) => {
  expect(await messageOf(password)).toMatch(/repeated or sequential pattern/);
});

test.each([
  'mary.jane@example.org',
  'xx-MaryJane-xx-7',
  'the MJ_Watson way',
  'a wátson sings',
  'x7!mary jane!',
])('refuses %s, which contains a name of its owner', async (password) => {
  expect(await messageOf(password)).toMatch(/your e-mail address, username or name/);
  expect(await messageOf(password, { email: 'x@example.org', username: 'xyz', name: 'Li' })).toBeNull();
});

test('treats a Chinese name of two characters as a name', async () => {
  expect(await messageOf('春天的花园里坐着王明与猫', { ...owner, name: '王明' })).toMatch(
    /your e-mail address/,
  );
});

test.each([
  'a long password',
  'correct horse battery staple',
  'daybook-development',
  '春天的花园里有一只猫在睡觉',
  'x7Gq2!mRv0pL',
])('accepts %s', async (password) => {
  expect(await messageOf(password)).toBeNull();
});

test.each(['short', 'x'.repeat(257), ''])(
  'refuses a password without 10 to 256 characters',
  async (password) => {
    expect(await messageOf(password)).toBe('must have 10 to 256 characters');
  },
);

test('accepts random passwords of twelve characters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-zA-Z2-9#%&*+-]{12}$/), async (password) => {
      fc.pre(new Set(password).size > 8);
      expect(await messageOf(password)).toBeNull();
    }),
  );
});
