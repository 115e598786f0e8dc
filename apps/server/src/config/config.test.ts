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
