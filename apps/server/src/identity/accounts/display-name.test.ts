import { expect, test } from 'vitest';

import { parseDisplayName } from './display-name.ts';

test.each([
  'Ada Lovelace',
  'J. R. R. Tolkien',
  'Dr. Oetker & Co. KG',
  '林徽因',
  'The Morning Desk 晨报',
  'ClickHouse',
  '1Password',
  'Verify Labs',
  'Your Daily Bread',
  'Open Door Studio',
  'Yahoo!',
  'Area 51, Room 1408',
  '7-Eleven',
  "O'Brien “The Voice”",
  'Alert Logic',
  'Sign In Studio',
  'Here & Now Collective',
])('%j is a name', (name) => {
  expect(parseDisplayName(` ${name} `)).toEqual({ ok: true, value: name });
});

test.each([
  'evil.example',
  'Acme (evil.example/login)',
  'https://evil.example',
  'www.evil',
  'mallory@evil.example',
  'mallory@evil',
  't.co',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'evil。com',
  'Support +1 (800) 555-0199',
  'Ring 0800 555 01 99',
])('%j holds an address', (name) => {
  expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'address' });
});

test.each([
  'Click here to continue',
  'Please verify your account',
  'Your password has expired',
  'URGENT: invoice',
  'Security notice - Daybook',
  'Acme. Reset the password now',
  'This organization was suspended',
  '请点击链接登录',
  '您的账户已被锁定',
])('%j reads like an instruction', (name) => {
  expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'instruction' });
});

test.each(['', ' ', 'a\nb', 'a\u202Eb', 'x'.repeat(101)])('%j is malformed', (name) => {
  expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'malformed' });
});

test('a hundred characters are counted as people see them, not as they are stored', () => {
  expect(parseDisplayName('😀'.repeat(100)).ok).toBe(true);
  expect(parseDisplayName('😀'.repeat(101)).ok).toBe(false);
});
