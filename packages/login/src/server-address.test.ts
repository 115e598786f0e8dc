import { expect, test } from 'vitest';

import { serverAddress } from './server-address.ts';

test('prefers --url to DAYBOOK_URL, and defaults to this machine', () => {
  const host = { env: { DAYBOOK_URL: 'https://one.example' } };
  expect(serverAddress(host, 'https://two.example')).toBe('https://two.example');
  expect(serverAddress(host, undefined)).toBe('https://one.example');
  expect(serverAddress({ env: {} }, undefined)).toBe('http://localhost:8080');
});

test.each(['https://Daybook.example', 'https://daybook.example/', 'https://daybook.example:443//'])(
  '%s names the same server',
  (written) => expect(serverAddress({ env: {} }, written)).toBe('https://daybook.example'),
);

test.each([
  ['daybook.example', /is not a server URL/],
  ['ftp://daybook.example', /is not a server URL/],
  ['http://daybook.example', /does not use TLS/],
  ['http://localhost.evil.example', /does not use TLS/],
  ['https://you@daybook.example', /must not have a query, fragment or user/],
  ['https://daybook.example/?a=1', /must not have a query, fragment or user/],
])('%s is refused', (written, why) => {
  expect(() => serverAddress({ env: {} }, written)).toThrow(why);
});
