import { describe, expect, test } from 'vitest';

import { instantFromMs } from '../foundation/instant.ts';
import { readConfig } from './config.ts';

const minimal = { DATABASE_URL: 'postgres://app@db/daybook' };

test('uses one database address for the other two logins as well', () => {
  const { database } = readConfig(minimal);
  expect(database).toMatchObject({ ownerUrl: minimal.DATABASE_URL, newsReaderUrl: minimal.DATABASE_URL });
});

test('treats the other addresses as pooled when a direct address is set, and migrates over the direct one', () => {
  expect(readConfig(minimal).database.throughPooler).toBe(false);
  const direct = 'postgres://app@db:5432/daybook';
  const { database } = readConfig({ ...minimal, DATABASE_DIRECT_URL: direct });
  expect(database).toMatchObject({ throughPooler: true, directUrl: direct, ownerUrl: direct });
});

test('reports all invalid settings at once', () => {
  expect(() => readConfig({ PORT: '80a', DAYBOOK_LOG_LEVEL: 'loud', DAYBOOK_RATE_PER_MINUTE: '0' })).toThrow(
    /DATABASE_URL is required\n.*PORT must be .*\n.*DAYBOOK_RATE_PER_MINUTE must be .*\n.*DAYBOOK_LOG_LEVEL must be/,
  );
});

test('freezes the configuration', () => {
  const config = readConfig(minimal);
  expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError);
});

test('accepts a storage folder or a bucket, but not both', () => {
  const bucket = {
    DAYBOOK_STORAGE_BUCKET: 'files',
    DAYBOOK_STORAGE_BUCKET_KEY_ID: 'id',
    DAYBOOK_STORAGE_BUCKET_SECRET: 'secret',
  };
  expect(readConfig(minimal).storage).toBeNull();
  expect(readConfig({ ...minimal, DAYBOOK_STORAGE_FOLDER: '/srv' }).storage?.bucket).toEqual({
    kind: 'folder',
    folder: '/srv',
  });
  const s3 = { kind: 's3', bucket: 'files', url: null, region: 'us-east-1' };
  expect(readConfig({ ...minimal, ...bucket }).storage?.bucket).toMatchObject(s3);
  expect(() => readConfig({ ...minimal, ...bucket, DAYBOOK_STORAGE_FOLDER: '/srv' })).toThrow(
    /cannot be combined/,
  );
  expect(() => readConfig({ ...minimal, DAYBOOK_STORAGE_BUCKET: 'files' })).toThrow(
    /BUCKET_KEY_ID is required\n.*BUCKET_SECRET is required/,
  );
});

test('accepts a host and port or a socket path for the scanner', () => {
  const scannerAt = (address: string) =>
    readConfig({ ...minimal, DAYBOOK_STORAGE_FOLDER: '/srv', DAYBOOK_CLAMD: address }).storage?.scanner;
  expect(scannerAt('')).toBeNull();
  expect(scannerAt('clamd.internal:3310')).toEqual({ host: 'clamd.internal', port: 3310 });
  expect(scannerAt('[::1]:3310')).toEqual({ host: '::1', port: 3310 });
  expect(scannerAt('/run/clamav/clamd.ctl')).toEqual({ path: '/run/clamav/clamd.ctl' });
  for (const wrong of ['clamd', 'clamd:', 'clamd:0', 'clamd:65536', '::1:3310', 'tcp://clamd:3310'])
    expect(() => scannerAt(wrong)).toThrow(/DAYBOOK_CLAMD must be host:port/);
});

test('gives previews their own origin only where it differs from the base address', () => {
  const previewUrl = (url: string) =>
    readConfig({
      ...minimal,
      DAYBOOK_STORAGE_FOLDER: '/srv',
      DAYBOOK_BASE_URL: 'https://daybook.example',
      DAYBOOK_FILES_URL: url,
    }).storage?.previewUrl;
  expect(previewUrl('')).toBeNull();
  expect(previewUrl('https://daybook.example/')).toBeNull();
  expect(previewUrl('https://files.daybook.example/')).toBe('https://files.daybook.example');
  expect(() => previewUrl('https://files.daybook.example/a')).toThrow(/must have no path/);
});

test('the token of nginx that reads downloads is optional, and too long to be guessed', () => {
  const token = (value: string) =>
    readConfig({ ...minimal, DAYBOOK_STORAGE_FOLDER: '/files', DAYBOOK_STORAGE_NGINX_TOKEN: value }).storage
      ?.nginxToken;
  expect(token('')).toBeNull();
  expect(token('0123456789abcdef')).toBe('0123456789abcdef');
  expect(() => token('short')).toThrow(/DAYBOOK_STORAGE_NGINX_TOKEN must consist of 16 to 512/);
});

test('lists are split on commas and trimmed', () => {
  const { http } = readConfig({ ...minimal, DAYBOOK_TRUSTED_PROXIES: ' 10.0.0.0/8, ::1 ,' });
  expect(http.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
});

test('derives the base address from host and port unless it is set, and strips a trailing slash', () => {
  expect(readConfig({ ...minimal, HOST: '::1', PORT: '81' }).news.baseUrl).toBe('http://[::1]:81');
  for (const HOST of ['0.0.0.0', '127.0.0.1'])
    expect(readConfig({ ...minimal, HOST }).news.baseUrl).toBe('http://localhost:8080');
  const { news } = readConfig({ ...minimal, DAYBOOK_BASE_URL: 'https://news.example/daybook/' });
  expect(news.baseUrl).toBe('https://news.example/daybook');
});

test.each(['news.example', 'ftp://news.example', 'https://news.example/?a', 'https://a"b', 'https://$&'])(
  'refuses %s as a base address',
  (value) => {
    expect(() => readConfig({ ...minimal, DAYBOOK_BASE_URL: value })).toThrow(/DAYBOOK_BASE_URL must be/);
  },
);

test.each([
  ['', null],
  ['security@example.org', 'mailto:security@example.org'],
  ['https://example.org/report', 'https://example.org/report'],
])('turns the contact for vulnerability reports %j into %j', (given, contact) => {
  const config = readConfig({ ...minimal, DAYBOOK_SECURITY_CONTACT: given });
  expect(config.site.securityContact).toBe(contact);
});

test.each(['http://example.org', 'example.org', 'a@b\nExpires: 2099', 'tel:+1'])(
  'refuses %j as a contact for vulnerability reports',
  (value) => {
    expect(() => readConfig({ ...minimal, DAYBOOK_SECURITY_CONTACT: value })).toThrow(
      /DAYBOOK_SECURITY_CONTACT must be an e-mail address or an https address/,
    );
  },
);

const clock = {
  ...minimal,
  DAYBOOK_CLOCK_START: '2026-01-01T00:00:00+08:00',
  DAYBOOK_CLOCK_STARTED_AT: '2026-11-15T08:00:00Z',
  DAYBOOK_CLOCK_SPEED: '720',
};

test('configures a simulated calendar by a start time, the time it showed and its speed', () => {
  expect(readConfig(minimal).simulatedTime).toBeNull();
  expect(readConfig(clock).simulatedTime).toEqual({
    shows: instantFromMs(Date.parse('2025-12-31T16:00:00Z')),
    startedAt: instantFromMs(Date.parse('2026-11-15T08:00:00Z')),
    speed: 720,
  });
});

test.each([
  [
    'on an installation that others can reach',
    { DAYBOOK_BASE_URL: 'https://news.example' },
    /for development/,
  ],
  ['without the moment it started', { DAYBOOK_CLOCK_STARTED_AT: '' }, /STARTED_AT is required/],
  [
    'without an offset',
    { DAYBOOK_CLOCK_START: '2026-01-01T00:00:00' },
    /must be a date and time with an offset/,
  ],
])('refuses a simulated calendar %s', (_name, more, says) => {
  expect(() => readConfig({ ...clock, ...more })).toThrow(says);
});

test('enables a sign-in provider by its issuer, unchanged, and names it after its host', () => {
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
  'accepts an issuer on this machine without TLS: %s',
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
])('refuses %s as an issuer', (value) => {
  const set = { DAYBOOK_OPENID_ISSUER: value, DAYBOOK_OPENID_CLIENT_ID: 'daybook' };
  expect(() => readConfig({ ...minimal, ...set })).toThrow(/DAYBOOK_OPENID_ISSUER must be/);
});

test('enables a model when its address is set, and then requires a model name', () => {
  expect(readConfig(minimal).newsroom.model).toBeNull();
  const address = { ...minimal, DAYBOOK_MODEL_URL: 'https://models.example/v1/' };
  expect(() => readConfig(address)).toThrow(/DAYBOOK_MODEL is required/);
  expect(readConfig({ ...address, DAYBOOK_MODEL: 'small' }).newsroom.model).toMatchObject({
    baseUrl: 'https://models.example/v1',
    itemModel: 'small',
    digestModel: 'small',
  });
});

describe('traces', () => {
  const tracing = (settings: Readonly<Record<string, string>>) =>
    readConfig({ ...minimal, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', ...settings }).tracing;

  test('are off without an endpoint and of everything with nothing else', () => {
    expect(readConfig({ ...minimal, OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing).toBeNull();
    expect(tracing({})).toEqual({
      endpoint: 'http://127.0.0.1:4318',
      headers: {},
      serviceName: 'daybook',
      ratio: 1,
    });
  });

  test('are of a share with the sampler of a ratio alone', () => {
    const share = { OTEL_TRACES_SAMPLER_ARG: '0.01' };
    expect(tracing(share)?.ratio).toBe(1);
    expect(tracing({ ...share, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' })?.ratio).toBe(0.01);
    for (const wrong of ['1.1', '-1', '1%', 'NaN', '1e-2'])
      expect(() => tracing({ OTEL_TRACES_SAMPLER_ARG: wrong })).toThrow(/must be a number from 0 to 1/);
    expect(() => tracing({ OTEL_TRACES_SAMPLER: 'always' })).toThrow(/OTEL_TRACES_SAMPLER must be one of/);
  });

  test('are sent with headers, which no error repeats', () => {
    const headers = (text: string) => tracing({ OTEL_EXPORTER_OTLP_HEADERS: text })?.headers;
    expect(headers('authorization=Basic%20bm9yYQ==, x-key = a')).toEqual({
      authorization: 'Basic bm9yYQ==',
      'x-key': 'a',
    });
    for (const wrong of ['secret', 'x y=secret', 'x=%0d%0asecret', 'x=%secret'])
      expect(() => headers(wrong)).toThrow(/^(?!.*secret).*OTEL_EXPORTER_OTLP_HEADERS must be/s);
  });
});
