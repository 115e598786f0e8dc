import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ListeningProgram } from '../../browser.ts';
import {
  accessibilityFaults,
  launchBrowser,
  noBrowser,
  signInOnPage,
  startListeningProgram,
} from '../../browser.ts';
import type { TestAccount, TestIdentity } from '../../identity.ts';
import { startTestIdentity } from '../../identity.ts';
import type { OpenIdProvider } from '../../openid-provider.ts';
import { startOpenIdProvider } from '../../openid-provider.ts';

const origin = 'http://daybook.test';

describe.skipIf(noBrowser !== null)('in a real browser, through a real OpenID provider', () => {
  let stage: TestIdentity;
  let provider: OpenIdProvider;
  let browser: Browser;
  let program: ListeningProgram;
  let account: TestAccount;
  beforeAll(async () => {
    provider = await startOpenIdProvider({
      redirectUris: [`${origin}/auth/openid/callback`],
      users: {
        newcomer: { email: 'newcomer@example.org', email_verified: true, name: 'Nina Newcomer' },
        unverified: { email: 'unverified@example.org', email_verified: false },
        // Has the address of an existing account.
        member: { email: 'member-1@example.org', email_verified: true },
      },
    });
    stage = await startTestIdentity({ openId: provider.settings, pages: true, authUrl: origin });
    account = await stage.createAccount();
    browser = await launchBrowser({ host: 'daybook.test', port: stage.app.port });
    program = await startListeningProgram();
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
    await stage.stop();
    await provider.stop();
  });

  const visit = async (page: Page, login: string): Promise<void> => {
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/**`);
  };
  const open = async (path: string, context?: BrowserContext): Promise<Page> => {
    stage.clock.advance({ minutes: 1 });
    const page = await (context ?? (await browser.newContext())).newPage();
    await page.goto(`${origin}${path}`);
    return page;
  };
  const through = (page: Page): Promise<void> =>
    page.getByRole('link', { name: 'Sign in with Test ID' }).click();

  test('a new user signs in for a program, and the same identity opens the same account again', async () => {
    for (const expected of [0, 1]) {
      const page = await open(`/auth/signin?source=api&port=${program.port}&state=s${expected}`);
      await through(page);
      await visit(page, 'newcomer');
      await page.getByRole('heading', { name: 'Authorize this program?' }).waitFor();
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.waitForURL(`http://localhost:${program.port}/callback**`);
      const callback = program.callbacks[expected]!;
      expect(callback.get('state')).toBe(`s${expected}`);
      const answer = await stage.post('/api/auth/token/exchange', { code: callback.get('token') });
      expect(answer.json()['user']).toMatchObject({ email: 'newcomer@example.org', name: 'Nina Newcomer' });
    }
  });

  test.each([
    ['unverified', /has not verified your e-mail address/],
    ['member', /An account with your e-mail address already exists/],
  ])('%s sees the reason, and is not signed in', async (login, text) => {
    const page = await open('/auth/signin');
    await through(page);
    await visit(page, login);
    expect(await page.getByRole('alert').innerText()).toMatch(text);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${origin}/account`);
    expect(new URL(page.url()).pathname).toBe('/auth/signin');
  });

  test('an owner links the provider, signs in with it, and unlinks it', async () => {
    stage.clock.advance({ minutes: 1 });
    const context = await browser.newContext();
    await signInOnPage(context, origin, account);
    const page = await open('/account/provider', context);
    await page.getByRole('link', { name: 'Link Test ID identity' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Current password').fill(account.password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Continue to Test ID' }).click();
    await visit(page, 'member');
    expect(page.url()).toBe(`${origin}/account/provider`);
    expect(await accessibilityFaults(page)).toEqual([]);
    const elsewhere = await open('/auth/signin');
    await through(elsewhere);
    await visit(elsewhere, 'member');
    await elsewhere.waitForURL(`${origin}/account`);
    expect(await elsewhere.getByText(account.email).first().isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Unlink' }).click();
    await page.getByLabel('Current password').fill(account.password);
    await page.getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('No linked identities.').waitFor();
  });

  test('a callback that was not started in this browser signs no one in', async () => {
    const page = await open('/auth/openid/callback?code=stolen&state=guessed');
    expect(await page.getByRole('alert').innerText()).toMatch(/was started in another browser/);
  });
});
