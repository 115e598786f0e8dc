import { expect, it } from 'vitest';

import { secretIn } from './secret.ts';

it.each([
  ['-----BEGIN RSA PRIVATE KEY-----', 'a private key'],
  ['key: AKIAABCDEFGHIJKLMNOP', 'an access key'],
  [`token ghp_${'a1'.repeat(18)}`, 'an access token'],
  ['password: hunter2hunter2', 'a password'],
  ['密码：abcdefgh1', 'a password'],
  ['pay with 4111 1111 1111 1234 or 4242 4242 4242 4242', 'a card number'],
])('%s contains %s', (text, name) => {
  expect(secretIn(text)).toBe(name);
});

it.each([
  'password: <your password>',
  'api_key = $API_KEY',
  'call +49 170 1234567 on 2024-01-02',
  '1234567890123456',
  'the order 0000 0000 0000 0000',
  '[a post](https://social.example/status/4242424242424242) and www.shop.example/p/4242424242424242',
  'record 42424242424242424',
])('%s contains none', (text) => {
  expect(secretIn(text)).toBeNull();
});
