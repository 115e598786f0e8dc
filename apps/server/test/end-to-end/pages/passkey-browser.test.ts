import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  accessibilityFaultsInEveryLook,
  giveAuthenticator,
  launchBrowser,
  noBrowser,
  signInOnPage,
} from '../../browser.ts';
import { openPage, sendForm, signInForCookie } from '../../form-client.ts';
import { expectProblem } from '../../http-client.ts';
import type { TestAccount, TestIdentity } from '../../identity.ts';
import { startTestIdentity } from '../../identity.ts';

const host = 'accounts.localhost';
const origin = `http://${host}`;
const cookieName = 'daybook-passkey-challenge';

interface Device {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The number of its passkeys. */
  readonly keysOf: () => Promise<number>;
}

describe.skipIf(noBrowser !== null)('passkeys, with the virtual authenticator of Chromium', () => {
  let stage: TestIdentity;
  let browser: Browser;
  beforeAll(async () => {
    stage = await startTestIdentity({ pages: true, authUrl: origin });
    browser = await launchBrowser({ host, port: stage.app.port });
  });
  afterAll(async () => {
    await browser.close();
    await stage.stop();
  });

  /** A browser whose device creates passkeys at once. */
  const openDevice = async (): Promise<Device> => {
    stage.clock.advance({ minutes: 1 });
    const context = await browser.newContext();
    const page = await context.newPage();
    const keysOf = await giveAuthenticator(page);
    return { context, page, keysOf };
  };
  const beginPasskey = async (page: Page, name: string, password: string): Promise<void> => {
    await page.goto(`${origin}/account/passkeys`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Current password').fill(password);
    await page.keyboard.press('Enter');
  };
  const addPasskey = async (page: Page, name: string, password: string): Promise<void> => {
    await beginPasskey(page, name, password);
    await page.locator('button:focus', { hasText: 'Create passkey' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Passkey added.').waitFor();
  };
  const newcomer = async (): Promise<Device & { account: TestAccount }> => {
    const account = await stage.createAccount();
    const device = await openDevice();
    await signInOnPage(device.context, origin, account);
    return { account, ...device };
  };
  /** The device's answer to the sign-in page, and its cookie, before either is sent. */
  const answerOf = async (page: Page): Promise<{ response: string; cookie: string }> => {
    await page.context().clearCookies({ name: 'daybook-session' });
    await page.goto(`${origin}/auth/passkey`);
    const response = await page.evaluate<string>(`(async () => {
      const asked = JSON.parse(document.querySelector('form[data-passkey]').dataset.options);
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
      return JSON.stringify(await navigator.credentials.get({ publicKey }));
    })()`);
    const challenge = (await page.context().cookies()).find(({ name }) => name === cookieName);
    return { response, cookie: `${cookieName}=${challenge?.value}` };
  };
  const send = ({ response, cookie }: { response: string; cookie: string }) =>
    sendForm(stage, '/auth/passkey', { response }, { cookie });

  test('a person adds one, signs in with it by the keyboard alone, and removes it by its name', async () => {
    const { account, context, page } = await newcomer();
    await addPasskey(page, 'My laptop', account.password);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await context.clearCookies();
    await page.goto(`${origin}/auth/signin?return=%2Faccount%2Fpasskeys`);
    await page.getByRole('link', { name: 'Sign in with a passkey' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in with a passkey' }).waitFor();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/account/passkeys`);
    await page.locator('.confirmed > summary').click();
    await page.getByRole('button', { name: 'Remove My laptop' }).click();
    await page.getByText('You have no passkeys.').waitFor();
    await context.clearCookies();
    await page.goto(`${origin}/auth/passkey`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    expect(await page.getByRole('alert').filter({ hasText: 'not accepted' }).innerText()).toMatch(/Passkey/);
  }, 60_000);

  test('the password can be disabled: the token endpoint then says so, and a passkey still opens the account', async () => {
    const { account, context, page } = await newcomer();
    const elsewhere = await signInForCookie(stage, account);
    const early = { currentPassword: account.password };
    expect((await sendForm(stage, '/account/password/off', early, { cookie: elsewhere })).status).toBe(409);
    await addPasskey(page, 'Telephone', account.password);
    await page.getByRole('link', { name: 'Remove password' }).click();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    await page.getByLabel('Current password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('This password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your account has no password').waitFor();
    const { email, password } = account;
    expectProblem(await stage.post('/api/auth/token', { email, password }), 401, 'password_not_set');
    expect((await openPage(stage, '/account', elsewhere)).status).toBe(303);
    await context.clearCookies();
    await page.goto(`${origin}/auth/passkey`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${origin}/account`);
  }, 60_000);

  test('an answer is accepted once, in the same browser, within five minutes', async () => {
    const { account, page } = await newcomer();
    await addPasskey(page, 'Key', account.password);
    const first = await answerOf(page);
    const second = await answerOf(page);
    expect((await send({ ...first, cookie: second.cookie })).status).toBe(401);
    expect((await send({ ...first, cookie: '' })).status).toBe(401);
    expect((await send(first)).status).toBe(303);
    expect((await send(first)).status).toBe(401);
    // Used by the attempt with a foreign answer.
    expect((await send(second)).status).toBe(401);
    const late = await answerOf(page);
    stage.clock.advance({ minutes: 5 });
    expect((await send(late)).status).toBe(401);
    const raced = await answerOf(page);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(raced)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  }, 60_000);

  test('an answer for another origin, with a changed signature, or malformed, is refused', async () => {
    const { account, page } = await newcomer();
    await addPasskey(page, 'Key', account.password);
    interface Answer {
      readonly id: string;
      readonly response: Readonly<Record<string, string>>;
    }
    const changes: readonly ((answer: Answer) => unknown)[] = [
      (answer) => {
        const { clientDataJSON = '', ...rest } = answer.response;
        const said = Buffer.from(clientDataJSON, 'base64url').toString();
        const lied = Buffer.from(said.replaceAll(origin, 'http://evil.localhost')).toString('base64url');
        return { ...answer, response: { ...rest, clientDataJSON: lied } };
      },
      (answer) => ({ ...answer, response: { ...answer.response, signature: 'MEUCIQ' } }),
      (answer) => ({ ...answer, id: 'AAAA', rawId: 'AAAA' }),
      () => ({ id: 'AAAA' }),
      () => [],
      () => null,
    ];
    for (const change of changes) {
      const { response, cookie } = await answerOf(page);
      const changed = JSON.stringify(change(JSON.parse(response) as Answer));
      const refused = await send({ response: changed, cookie });
      expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('not accepted')]);
    }
  }, 60_000);

  test('adding a passkey requires the password: without it the device is not asked, nor is one added for another account', async () => {
    const { account, page, keysOf } = await newcomer();
    await beginPasskey(page, 'Key', 'not the password');
    await page.getByText('This password is wrong.').waitFor();
    expect([await page.getByLabel('Name').inputValue(), await keysOf()]).toEqual(['Key', 0]);
    await beginPasskey(page, 'Key', account.password);
    await page.getByRole('heading', { name: 'Create passkey' }).waitFor();
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
    const other = await stage.createAccount();
    const cookie = await signInForCookie(stage, other);
    const challenge = (await page.context().cookies()).find(({ name }) => name === cookieName);
    const stolen = `${cookie}; ${cookieName}=${challenge?.value}`;
    const [finish, response] = ['/account/passkeys/finish', '{"id":"AAAA"}'];
    for (const one of [cookie, stolen])
      expect((await sendForm(stage, finish, { response }, { cookie: one })).status).toBe(401);
    const unnamed = { name: '', currentPassword: other.password };
    expect((await sendForm(stage, '/account/passkeys', unnamed, { cookie })).status).toBe(400);
    await page.goto(`${origin}/account/passkeys`);
    expect(await page.getByText('You have no passkeys.').count()).toBe(1);
    expect((await openPage(stage, '/account/passkeys')).status).toBe(303);
    const unknown = `/account/passkeys/${other.id}/remove`;
    expect((await sendForm(stage, unknown, {}, { cookie })).status).toBe(404);
  }, 60_000);
});
