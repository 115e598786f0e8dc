import { expect, test } from 'vitest';

import { readConfig } from './config.ts';

const minimal = { DATABASE_URL: 'postgres://app@db/daybook' };

test('one address is enough: the other two logins fall back to it', () => {
  const { database } = readConfig(minimal);
  expect(database).toMatchObject({ ownerUrl: minimal.DATABASE_URL, newsReaderUrl: minimal.DATABASE_URL });
});

test('everything that is wrong is reported at once', () => {
  expect(() => readConfig({ PORT: '80a', DAYBOOK_LOG_LEVEL: 'loud', DAYBOOK_RATE_BURST: '0' })).toThrow(
    /DATABASE_URL is required\n.*PORT must be .*\n.*DAYBOOK_RATE_BURST must be .*\n.*DAYBOOK_LOG_LEVEL must be/,
  );
});

test('nothing can change a configuration once it is read', () => {
  const config = readConfig(minimal);
  expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError);
});

test('lists are split on commas and trimmed', () => {
  const { http } = readConfig({ ...minimal, DAYBOOK_TRUSTED_PROXIES: ' 10.0.0.0/8, ::1 ,' });
  expect(http.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
});

test('the base address follows host and port unless it is set, and keeps no slash at its end', () => {
  expect(readConfig({ ...minimal, HOST: '::1', PORT: '81' }).news.baseUrl).toBe('http://[::1]:81');
  expect(readConfig({ ...minimal, HOST: '0.0.0.0' }).news.baseUrl).toBe('http://localhost:8080');
  const { news } = readConfig({ ...minimal, DAYBOOK_BASE_URL: 'https://news.example/daybook/' });
  expect(news.baseUrl).toBe('https://news.example/daybook');
});

test.each(['news.example', 'ftp://news.example', 'https://news.example/?a', 'https://a"b', 'https://$&'])(
  '%s is not taken as a base address',
  (value) => {
    expect(() => readConfig({ ...minimal, DAYBOOK_BASE_URL: value })).toThrow(/DAYBOOK_BASE_URL must be/);
  },
);
