import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { accessibilityFaultsInEveryLook, noBrowser, signInOnPage } from '../../browser.ts';
import type { TestAccount } from '../../identity.ts';
import type { MailedBrowser } from '../../mailed-browser.ts';
import { startMailedBrowser } from '../../mailed-browser.ts';
import type { MailedIdentity } from '../../mailed-identity.ts';

describe.skipIf(noBrowser !== null)('in a real browser, with real mail', () => {
  let stage: MailedIdentity;
  let browser: Browser;
  let origin: string;
  let stop: MailedBrowser['stop'];
  let owner: TestAccount;
  beforeAll(async () => {
    ({ stage, browser, origin, stop } = await startMailedBrowser());
  });
  afterAll(() => stop());
  beforeEach(async () => {
    stage.clock.advance({ minutes: 10 });
    owner = await stage.createAccount();
  });

  const signedIn = async (account: TestAccount): Promise<BrowserContext> => {
    const context = await browser.newContext();
    await signInOnPage(context, origin, account);
    return context;
  };
  const open = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    return page;
  };

  /** An API key, as the intruder creates it on the page; returns its secret. */
  async function createKey(intruder: BrowserContext): Promise<string> {
    const page = await open(intruder, '/account/api-keys?new=1');
    await page.getByLabel('Name').fill('backup');
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByRole('button', { name: 'Create key' }).click();
    return page.getByLabel('Secret').inputValue();
  }

  /** From the mail about the new key to a new password that ends all credentials. */
  async function recover(page: Page): Promise<void> {
    await page.goto(`${origin}/auth/forgot`);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    const { body } = await stage.mailbox.latestTo(owner.email, 2);
    await page.goto(/http:\/\/localhost:\d+\/auth\/\S+/.exec(body)?.[0] ?? '');
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('checkbox').check();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Password set' }).waitFor();
  }

  test("after a takeover a reset ends the intruder's credentials, and the security page shows the rest", async () => {
    const intruder = await signedIn(owner);
    const secret = await createKey(intruder);
    const news = await stage.mailbox.latestTo(owner.email);
    expect(news.body).toContain('/account/security');
    const page = await (await browser.newContext()).newPage();
    await recover(page);
    stage.clock.advance({ seconds: 1 });
    expect((await stage.get('/api/v1/me', { 'x-api-key': secret })).status).toBe(401);
    const stolen = await open(intruder, '/account/security');
    expect(new URL(stolen.url()).pathname).toBe('/auth/signin');
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill('another long password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${origin}/account/security`);
    expect(await page.getByText('backup').count()).toBe(0);
    expect(await page.getByText('this browser').count()).toBe(1);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
  });

  test('an owner deletes an organization and restores it', async () => {
    const page = await open(await signedIn(owner), `/platform/${owner.organizationKey}/delete`);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByRole('button', { name: 'Delete organization' }).click();
    await page.getByRole('heading', { name: 'The organization will be deleted' }).waitFor();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    stage.clock.advance({ seconds: 1 });
    await page.goto(`${origin}/platform/${owner.organizationKey}/members`);
    expect(await page.getByRole('cell').getByText(owner.username, { exact: true }).count()).toBe(0);
    await page.goto(`${origin}/platform`);
    await page.getByRole('button', { name: 'Restore' }).click();
    stage.clock.advance({ seconds: 1 });
    await page.goto(`${origin}/platform/${owner.organizationKey}/members`);
    await page.getByRole('cell').getByText(owner.username, { exact: true }).waitFor();
  });
});
