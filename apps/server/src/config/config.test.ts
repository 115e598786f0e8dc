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

test('a sign-in provider is asked for by its issuer, kept to the letter, and named after its host', () => {
  const set = { DAYBOOK_OPENID_ISSUER: 'https://id.example/realm/', DAYBOOK_OPENID_CLIENT_ID: 'daybook' };
  expect(readConfig(minimal).identity.openId).toBeNull();
  expect(readConfig({ ...minimal, ...set }).identity.openId).toEqual({
    issuer: 'https://id.example/realm/',
    clientId: 'daybook',
    clientSecret: '',
    name: 'id.example',
  });
  const { DAYBOOK_OPENID_ISSUER } = set;
  expect(() => readConfig({ ...minimal, DAYBOOK_OPENID_ISSUER })).toThrow(/CLIENT_ID is required/);
});

test.each(['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000/a'])(
  'an issuer on this machine needs no TLS: %s',
  (value) => {
    const set = { DAYBOOK_OPENID_ISSUER: value, DAYBOOK_OPENID_CLIENT_ID: 'daybook' };
    expect(readConfig({ ...minimal, ...set }).identity.openId?.issuer).toBe(value);
  },
);

test.each([
  'http://id.example',
  'http://localhost.evil.example',
  'http://127.0.0.1@evil.example',
  'https://user@id.example',
  'https://id.example/?a',
  'https://id.example/#a',
  'id.example',
])('%s is not taken as an issuer', (value) => {
  const set = { DAYBOOK_OPENID_ISSUER: value, DAYBOOK_OPENID_CLIENT_ID: 'daybook' };
  expect(() => readConfig({ ...minimal, ...set })).toThrow(/DAYBOOK_OPENID_ISSUER must be/);
});
