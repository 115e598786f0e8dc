import { expect, test } from 'vitest';

import { parseNewUsername, parseUsername } from './account.ts';
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
  'Daily',
  'Support Lyon',
  'Root & Branch Security Research',
  'The Owners of Oakwood Lane',
  'Системный администратор Иван',
  'Ελληνικά Νέα',
  '晨报Daily',
  'Tシャツ倶楽部',
  'LG전자',
  'α-Team',
  'µTorrent',
  'Łódź',
  'Việt Nam',
])('accepts %j', (name) => {
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
])('refuses %j, which contains an address', (name) => {
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
])('refuses %j, which reads like an instruction', (name) => {
  expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'instruction' });
});

test.each(['P\u0430ypal', 'G\u03BFogle News', 'D\u0430ybook', 'Банк Rоссия', 'Аpple 苹果', 'αβв'])(
  '%j mixes alphabets within a word',
  (name) => {
    expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'scripts' });
  },
);

test.each([
  'Admin',
  'ADMINS',
  'Adm1n',
  'Support',
  'Support Team',
  'The Security Team',
  'Daybook',
  'Day-book',
  'Daybook Support 24',
  'ｄａｙｂｏｏｋ',
  'Billing & Payments',
  'No-Reply',
  '管理员',
  'Daybook 官方',
])('reserves %j, except for an operator', (name) => {
  expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'reserved' });
  expect(parseDisplayName(name, { reserved: 'accepted' })).toEqual({ ok: true, value: name });
});

test.each(['', ' ', 'a\nb', 'a\u202Eb', 'x'.repeat(101)])('%j is malformed', (name) => {
  expect(parseDisplayName(name)).toEqual({ ok: false, reason: 'malformed' });
});

test('counts a hundred characters as graphemes, not as stored units', () => {
  expect(parseDisplayName('😀'.repeat(100)).ok).toBe(true);
  expect(parseDisplayName('😀'.repeat(101)).ok).toBe(false);
});

test.each([
  'admin',
  'api',
  'security',
  'support',
  'daybook',
  'daybook-support',
  'ad-min',
  'sup_port',
  'admin2',
  'adm1n',
  'www',
  'status',
  'stories',
  'login',
  'no-reply',
  'security-team',
])('reserves the key %j, except for an account or organization that has it', (key) => {
  expect(parseNewUsername(key)).toEqual({ ok: false, reason: 'reserved' });
  expect(parseUsername(key).ok).toBe(true);
});

test.each([
  'acme',
  'team-1',
  'daily-news',
  'apiary',
  'support-lyon',
  'ada',
  'rooted',
  'member',
  'helpful',
  '2026',
])('does not reserve the key %j', (key) => {
  expect(parseNewUsername(key)).toEqual({ ok: true, value: key });
});
