import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { cookieOf, openPage, sendForm, signInForCookie } from '../../../test/form-client.ts';
import { ask } from '../../../test/http-client.ts';
import type { TestAccount } from '../../../test/identity.ts';
import { testAuthUrl, testDesk, testStorage } from '../../../test/identity.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { accountPages, platformPages } from '../index.ts';

let stage: TestAccess;
let organization: TestOrganization;
let account: TestAccount;
let forms: readonly RouteDeclaration[];
let pages: readonly RouteDeclaration[];
beforeAll(async () => {
  // With a provider, which is never contacted here, so that its pages and forms exist too.
  const openId = { issuer: 'http://127.0.0.1:1', clientId: 'x', clientSecret: '', name: 'Provider' };
  stage = await startTestAccess({ pages: true, openId, newsroomOrganization: 'team-1' });
  organization = await stage.createOrganization();
  account = organization.owner;
  const anonymous: Surface = { name: 'anonymous', cors: null, admit: null, problems: [] };
  const { identity, access } = stage;
  const routes = [
    ...accountPages(identity, anonymous),
    ...platformPages(
      identity,
      access,
      anonymous,
      { bucket: stage.bucket, settings: testStorage },
      testDesk(stage.database, stage.clock, organization.key),
    ),
  ];
  forms = routes.filter(({ bodyFormat }) => bodyFormat === 'form' || bodyFormat === 'multipart');
  // A response of events has no end.
  pages = routes.filter(({ method, path }) => method === 'GET' && path !== '/desk/events');
});
afterAll(() => stage.stop());

const addressOf = ({ path }: RouteDeclaration): string =>
  path
    .replace('{org}', organization.key)
    .replace('{id}', account.id)
    .replace('{number}', '1')
    .replace('{entry}', '1')
    .replace('{username}', account.username)
    .replace('{name}', 'none');

const fromElsewhere: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: testAuthUrl }],
  [
    'a neighbour on the same site',
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.accounts.example' },
  ],
  ['nowhere, with a foreign origin', { 'sec-fetch-site': 'none', origin: 'https://evil.example' }],
  ['nowhere', { 'sec-fetch-site': 'none' }],
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['an origin that only begins like ours', { origin: `${testAuthUrl}.evil.example` }],
  ['our host on another port', { origin: `${testAuthUrl}:8443` }],
  ['our host without encryption', { origin: testAuthUrl.replace('https', 'http') }],
  ['no origin', { origin: 'null' }],
  ['what says nothing', {}],
  ['what only has a referrer', { referer: `${testAuthUrl}/account` }],
];

describe('403', () => {
  test.each(fromElsewhere)('every form refuses a submission from %s', async (_name, headers) => {
    const cookie = await signInForCookie(stage, account);
    expect(forms.length).toBeGreaterThanOrEqual(25);
    for (const form of forms) {
      const answer = await sendForm(stage, addressOf(form), {}, { cookie, headers });
      expect([form.operationId, answer.status]).toEqual([form.operationId, 403]);
      expect(answer.text).toContain('Cross-site request');
      expect(cookieOf(answer)).toBe('');
    }
    expect((await openPage(stage, '/account', cookie)).status).toBe(200);
  });
});

test('every route that changes state is such a form', () => {
  expect([...forms, ...pages].length).toBe(new Set([...forms, ...pages]).size);
  for (const { method, operationId } of forms) expect([operationId, method]).toEqual([operationId, 'POST']);
});

describe('400, 413 and 415', () => {
  test('no form accepts JSON, text, or more than its bound: 64 KiB except for long texts, a picture and files', async () => {
    const larger = forms.filter(({ bodyBytesMax }) => bodyBytesMax !== 64 * 1024);
    expect(larger.map(({ operationId }) => operationId)).toEqual([
      'changePicture',
      'changeAgentOnPage',
      'uploadFileOnPage',
      'importSourcesOnDesk',
    ]);
    for (const form of forms) {
      const refused = form.surface.unreadableBodyIsInvalid === true ? [400, 400, 400] : [415, 415, 413];
      const bodies = [
        ['application/json', '{}'],
        ['text/plain', 'a=b'],
        [
          form.bodyFormat === 'multipart'
            ? 'multipart/form-data; boundary=x'
            : 'application/x-www-form-urlencoded',
          `a=${'x'.repeat(form.bodyBytesMax ?? 0)}`,
        ],
      ] as const;
      const statuses = [];
      for (const [index, [type, body]] of bodies.entries()) {
        const headers = {
          'content-type': type,
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': `10.1.${forms.indexOf(form)}.${index}`,
        };
        statuses.push((await ask(stage.app.port, addressOf(form), { method: 'POST', body, headers })).status);
      }
      expect([form.operationId, ...statuses]).toEqual([form.operationId, ...refused]);
    }
  });
});

test('no page or refusal may be cached, framed, or run anything from another origin', async () => {
  const cookie = await signInForCookie(stage, account);
  const answers = [
    ...(await Promise.all(pages.map((page) => openPage(stage, addressOf(page), cookie)))),
    ...(await Promise.all(pages.map((page) => openPage(stage, `${addressOf(page)}?nonsense=1`)))),
    ...(await Promise.all(forms.map((form) => sendForm(stage, addressOf(form), {}, { headers: {} })))),
  ];
  for (const { status, headers } of answers) {
    expect(headers['cache-control']).toBe('no-store');
    if (status === 303) continue;
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-type': 'text/html; charset=utf-8',
    });
  }
});

describe('session fixation', () => {
  test('a cookie set before signing in is replaced, and grants no access', async () => {
    const planted = `__Host-daybook-session=${'a'.repeat(64)}`;
    const { email, password } = account;
    const answer = await sendForm(stage, '/auth/signin', { email, password }, { cookie: planted });
    expect(cookieOf(answer)).not.toBe(planted);
    expect((await openPage(stage, '/account', planted)).status).toBe(303);
    expect((await openPage(stage, '/account', cookieOf(answer))).status).toBe(200);
  });

  test('signing in again ends the previous session of the browser', async () => {
    const before = await signInForCookie(stage, account);
    const { email, password } = account;
    const answer = await sendForm(stage, '/auth/signin', { email, password }, { cookie: before });
    expect(cookieOf(answer)).not.toBe(before);
    expect((await openPage(stage, '/account', before)).status).toBe(303);
  });

  test('session and device cookies are sent only to this host, only over HTTPS, and are hidden from scripts', async () => {
    const { email, password } = account;
    const answer = await sendForm(stage, '/auth/signin', { email, password });
    const attributes = '=[0-9a-f]{64}; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax$';
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(`^__Host-daybook-session${attributes}`),
      expect.stringMatching(`^__Host-daybook-device${attributes}`),
    ]);
  });
});
