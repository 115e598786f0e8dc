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
  beforeAll(async () => {
    ({ stage, browser, origin, stop } = await startMailedBrowser());
  });
  afterAll(() => stop());
  // All requests come from one address: each test has its own window.
  beforeEach(() => stage.clock.advance({ minutes: 10 }));

  const newPage = async (look?: Parameters<Browser['newContext']>[0]): Promise<Page> =>
    (await browser.newContext(look)).newPage();

  /** Opens the link of the newest mail. */
  async function followMail(page: Page, address: string, count = 1): Promise<string> {
    const { body } = await stage.mailbox.latestTo(address, count);
    const link = /http:\/\/localhost:\d+\/auth\/\S+/.exec(body)?.[0] ?? '';
    await page.goto(link);
    return link;
  }

  async function fillSignUp(page: Page, username: string): Promise<void> {
    await page.getByLabel('Name', { exact: true }).fill('林徽因');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('E-mail address').fill(`${username}@example.net`);
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
  }

  async function invite(owner: TestAccount, email: string): Promise<void> {
    const context = await browser.newContext();
    await signInOnPage(context, origin, owner);
    const page = await context.newPage();
    await page.goto(`${origin}/account/organization`);
    await page.getByRole('link', { name: 'Invite member' }).first().click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText(`Invitation sent to ${email}`).waitFor();
    await context.close();
  }

  const isSignedIn = async (context: BrowserContext): Promise<boolean> => {
    const page = await context.newPage();
    await page.goto(`${origin}/account`);
    const signedIn = page.url() === `${origin}/account`;
    await page.close();
    return signedIn;
  };

  test('sign-up: the form, the mail, one button, and the account exists; a used link offers help', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(`${origin}/auth/signin`);
    await page.getByRole('link', { name: 'Create account' }).click();
    await fillSignUp(page, 'huiyin');
    const link = await followMail(page, 'huiyin@example.net');
    await page.reload();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(/\/platform\/[^/]+$/);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto(`${origin}/account`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('林徽因');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${origin}/account`);
  });

  test('a forgotten password: the mail, a new password, and every old session has ended', async () => {
    const account = await stage.createAccount();
    const old = await browser.newContext();
    await signInOnPage(old, origin, account);
    const page = await newPage();
    await page.goto(`${origin}/auth/signin`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('E-mail address').fill(account.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    const link = await followMail(page, account.email);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('This must have 10 to 256 characters.').waitFor();
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Password set' }).waitFor();
    expect(await isSignedIn(old)).toBe(false);
    await signInOnPage(page.context(), origin, { ...account, password: 'another long password' });
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  });

  test('an expired link leads to a new one', async () => {
    const account = await stage.createAccount();
    const page = await newPage();
    await page.goto(`${origin}/auth/forgot`);
    await page.getByLabel('E-mail address').fill(account.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await stage.mailbox.latestTo(account.email);
    stage.clock.advance({ hours: 1 });
    await followMail(page, account.email);
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByLabel('E-mail address').fill(account.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await followMail(page, account.email, 2);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Set a new password');
  });

  test('an invitation leads an account owner through sign-in and into the organization', async () => {
    const [owner, guest] = [await stage.createAccount(), await stage.createAccount()];
    await invite(owner, guest.email);
    const page = await newPage();
    await followMail(page, guest.email);
    await page.getByRole('link', { name: 'Sign in and join' }).click();
    await page.getByLabel('E-mail address').fill(guest.email);
    await page.getByLabel('Password').fill(guest.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Join as member' }).click();
    await page.waitForURL(`${origin}/platform/${owner.organizationKey}`);
    await page.goto(`${origin}/platform/${owner.organizationKey}/members`);
    const usernames = await page.getByRole('cell').locator('.who small').allInnerTexts();
    expect(usernames).toEqual([guest.username, owner.username]);
  });

  test('an invitation lets a person without an account create one and join, with one mail', async () => {
    const owner = await stage.createAccount();
    await invite(owner, 'newcomer@example.net');
    const page = await newPage();
    await followMail(page, 'newcomer@example.net');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('newcomer@example.net');
    await page.getByLabel('Username').fill('newcomer');
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.waitForURL(`${origin}/platform/${owner.organizationKey}`);
    await page.goto(`${origin}/platform/${owner.organizationKey}/members`);
    await page.getByRole('cell').getByText(owner.username, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Send invitation' }).count()).toBe(0);
  });

  test('a changed password ends the other sessions, notifies the owner and is listed in the activity', async () => {
    const account = await stage.createAccount();
    const [here, there] = [await browser.newContext(), await browser.newContext()];
    await signInOnPage(here, origin, account);
    await signInOnPage(there, origin, account);
    const page = await here.newPage();
    await page.goto(`${origin}/account/password`);
    await page.getByLabel('Current password').fill(account.password);
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('All other sessions are signed out').waitFor();
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect((await stage.mailbox.latestTo(account.email)).subject).toBe('Your password was changed');
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('The password was changed.').waitFor();
  });

  test('the pages have no accessibility violations in any theme', async () => {
    const account = await stage.createAccount();
    const page = await newPage();
    const check = async (path: string): Promise<void> => {
      await page.goto(path.startsWith('http') ? path : `${origin}${path}`);
      expect([path, ...(await accessibilityFaultsInEveryLook(page))]).toEqual([path]);
    };
    await invite(account, 'looked-at@example.net');
    await followMail(page, 'looked-at@example.net');
    const join = page.url();
    for (const path of [join, '/auth/signup', '/auth/forgot', '/auth/confirm?token=x']) await check(path);
    await page.goto(`${origin}/auth/signup`);
    await fillSignUp(page, 'looker');
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await followMail(page, 'looker@example.net');
    await check(page.url());
    await signInOnPage(page.context(), origin, account);
    for (const path of ['/account', '/account/password', '/account/organization', '/account/activity', join])
      await check(path);
    await page.goto(`${origin}/account/password`);
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This password is wrong.').waitFor();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
  }, 90_000);
});
