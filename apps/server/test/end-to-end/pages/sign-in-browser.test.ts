import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createAuthenticator } from '../../authenticator.ts';
import type { ListeningProgram } from '../../browser.ts';
import {
  accessibilityFaultsInEveryLook,
  launchBrowser,
  noBrowser,
  signInOnPage,
  startListeningProgram,
} from '../../browser.ts';
import type { TestAccount, TestIdentity } from '../../identity.ts';
import { startTestIdentity } from '../../identity.ts';

describe.skipIf(noBrowser !== null)('in a real browser', () => {
  let stage: TestIdentity;
  let account: TestAccount;
  let browser: Browser;
  let program: ListeningProgram;
  let origin: string;
  beforeAll(async () => {
    stage = await startTestIdentity({ pages: true, authUrl: 'http://localhost' });
    origin = `http://localhost:${stage.app.port}`;
    account = await stage.createAccount();
    browser = await launchBrowser();
    program = await startListeningProgram();
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
    await stage.stop();
  });

  const open = async (path: string): Promise<Page> => {
    stage.clock.advance({ minutes: 1 });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${origin}${path}`);
    return page;
  };
  const fill = async (page: Page, password = account.password): Promise<void> => {
    await page.getByLabel('E-mail address').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const address = (extra = ''): string => `/auth/signin?source=api&port=${program.port}${extra}`;

  test('a program gets a code only after the person has confirmed, and the code opens its session once', async () => {
    const page = await open(address('&state=a%26b'));
    await fill(page);
    await page.getByRole('heading', { name: 'Authorize this program?' }).waitFor();
    expect(await page.getByText(`port ${program.port}`).isVisible()).toBe(true);
    expect(program.callbacks).toHaveLength(0);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(`http://localhost:${program.port}/callback**`);
    const [callback] = program.callbacks;
    expect([...callback!.keys()]).toEqual(['token', 'state']);
    expect(callback!.get('state')).toBe('a&b');
    const code = callback!.get('token');
    const first = await stage.post('/api/auth/token/exchange', { code });
    expect([first.status, first.json()['user']]).toEqual([
      200,
      expect.objectContaining({ email: account.email }),
    ]);
    expect((await stage.post('/api/auth/token/exchange', { code })).status).toBe(401);
  });

  test('a code that is a minute old is refused', async () => {
    const page = await open(address());
    await fill(page);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(`http://localhost:${program.port}/callback**`);
    const code = program.callbacks.at(-1)!.get('token');
    stage.clock.advance({ seconds: 60 });
    expect((await stage.post('/api/auth/token/exchange', { code })).status).toBe(401);
  });

  test.each(['49151', '65536', '0', '80', '-1', '5e4', '50000.5', '50000@evil.example', 'x'])(
    'port %s is refused with a page, before any sign-in form',
    async (port) => {
      const page = await open(`/auth/signin?source=api&port=${encodeURIComponent(port)}`);
      expect(await page.getByRole('alert').innerText()).toMatch(/^Port must /);
      expect(await page.getByLabel('Password').count()).toBe(0);
    },
  );

  test('a wrong password shows the form again with the address and without the password', async () => {
    const page = await open('/auth/signin');
    await fill(page, 'not the password');
    expect(await page.getByRole('alert').innerText()).toMatch(/Wrong e-mail or password/);
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(account.email);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
  });

  test('a page for members redirects to sign-in and back, and works without script', async () => {
    stage.clock.advance({ minutes: 1 });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/account/api-keys`);
    await fill(page);
    await page.waitForURL(`${origin}/account/api-keys`);
    await page.getByRole('link', { name: 'Create API key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('nightly <b>mirror</b>');
    await page.getByLabel('Current password').fill(account.password);
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const me = await stage.get('/api/v1/me', { 'x-api-key': secret });
    expect(me.status).toBe(200);
    await page.goto(`${origin}/account/api-keys`);
    expect(await page.content()).not.toContain(secret);
    await page.locator('.confirmed > summary').click();
    await page.getByRole('button', { name: 'Revoke nightly' }).click();
    await page.getByText('You have no API keys.').waitFor();
    stage.clock.advance({ seconds: 1 });
    expect((await stage.get('/api/v1/me', { 'x-api-key': secret })).status).toBe(401);
  });

  test('the pages have no accessibility violations in any theme', async () => {
    stage.clock.advance({ minutes: 1 });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/auth/signin`);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await fill(page, 'not the password');
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await signInOnPage(context, origin, account);
    const security = ['/account/security', '/account/security/end-all'];
    for (const path of ['/account', ...security, '/account/sessions', '/account/api-keys', address()]) {
      await page.goto(`${origin}${path}`);
      expect([path, ...(await accessibilityFaultsInEveryLook(page))]).toEqual([path]);
    }
  }, 90_000);

  test('a second factor is turned on, used and turned off by the keyboard alone', async () => {
    const guarded = await stage.createAccount();
    stage.clock.advance({ minutes: 1 });
    const context = await browser.newContext();
    await signInOnPage(context, origin, guarded);
    const page = await context.newPage();
    await page.goto(`${origin}/account/second-factor`);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    const authenticator = createAuthenticator(await page.locator('code.typed').innerText());
    const confirm = async (code: string): Promise<void> => {
      await page.getByLabel('Current password').focus();
      await page.keyboard.type(guarded.password);
      await page.keyboard.press('Tab');
      await page.keyboard.type(code);
    };
    await confirm(authenticator(stage.clock.nowMs()));
    await page.keyboard.press('Enter');
    const codes = await page.getByLabel('Recovery codes').inputValue();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);

    stage.clock.advance({ minutes: 1 });
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${origin}/auth/signin`);
    await other.getByLabel('E-mail address').fill(guarded.email);
    await other.getByLabel('Password').fill(guarded.password);
    await other.keyboard.press('Enter');
    await other.getByLabel('One-time code').focus();
    expect(await accessibilityFaultsInEveryLook(other)).toEqual([]);
    await other.keyboard.type(authenticator(stage.clock.nowMs()));
    await other.keyboard.press('Enter');
    await other.waitForURL(`${origin}/account`);

    await page.goto(`${origin}/account/second-factor`);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await confirm(codes.split('\n')[0] ?? '');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('One-time codes are off.').waitFor();
  }, 60_000);

  test('each sign-in has its own session; a person ends another and signs out of this one', async () => {
    stage.clock.advance({ minutes: 1 });
    const [here, there] = [await browser.newContext(), await browser.newContext()];
    await signInOnPage(here, origin, account);
    await signInOnPage(there, origin, account);
    const page = await here.newPage();
    await page.goto(`${origin}/account/sessions`);
    await page.getByRole('button', { name: 'Revoke' }).first().click();
    await page.waitForLoadState();
    const other = await there.newPage();
    await other.goto(`${origin}/account`);
    expect(other.url()).toBe(`${origin}/auth/signin?return=%2Faccount`);
    const [cookie] = await here.cookies();
    await page
      .getByRole('button', { name: /^Account menu/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${origin}/auth/signin`);
    await here.addCookies([cookie!]);
    await page.goto(`${origin}/account`);
    expect(page.url()).toBe(`${origin}/auth/signin?return=%2Faccount`);
  });
});
