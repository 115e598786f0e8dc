import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accessibilityFaultsInEveryLook, launchBrowser, noBrowser, signInOnPage } from '../../browser.ts';
import type { TestAccount } from '../../identity.ts';
import { startTestWatch } from '../../watch.ts';

describe.skipIf(noBrowser !== null)('saved searches, in a real browser', () => {
  let stage: Awaited<ReturnType<typeof startTestWatch>>;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let account: TestAccount;
  beforeAll(async () => {
    stage = await startTestWatch(undefined, { site: true, authUrl: 'http://localhost' });
    origin = `http://localhost:${stage.app.port}`;
    browser = await launchBrowser();
    account = await stage.createAccount();
    await stage.factory.publish({
      title: 'Wafer plant opens',
      sourceName: 'Halden Wire',
      language: 'en',
      hoursAgo: 1,
    });
    await stage.match();
    await stage.sendMail();
    const context = await browser.newContext();
    await signInOnPage(context, origin, account);
    page = await context.newPage();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  test('a reader saves the search of a page, receives its mail and unsubscribes with its link', async () => {
    await page.goto(`${origin}/search?q=wafer`);
    await page.getByRole('link', { name: 'Save this search' }).click();
    expect(await page.getByLabel('Words', { exact: true }).inputValue()).toBe('wafer');
    await page.getByLabel('Hidden sources').fill('Halden Wire');
    await page.getByLabel('E-mail', { exact: true }).selectOption('hourly');
    await page.getByLabel('Show new items on the front page in this browser').check();
    await press('Save search');
    await page.getByRole('heading', { name: 'wafer' }).waitFor();
    await page.getByText('No item matches yet.').waitFor();
    await stage.factory.publish({ title: 'Wafer prices fall', sourceName: 'Brno Daily', language: 'en' });
    await stage.factory.publish({ title: 'Wafer plant closes', sourceName: 'Halden Wire', language: 'en' });
    await stage.match();
    await page.reload();
    await page.getByRole('link', { name: 'Wafer prices fall' }).waitFor();
    expect(await page.getByText('Wafer plant').count()).toBe(0);
    stage.clock.advance({ hours: 1 });
    await stage.sendMail();
    const mail = await stage.mailbox.latestTo(account.email);
    expect([mail.subject, mail.body.includes('Wafer prices fall')]).toEqual(['1 new item: wafer', true]);
    await page.goto(`${origin}/watch/unsubscribe?token=${mail.token}`);
    await press('Stop this e-mail');
    await page.getByRole('heading', { name: 'E-mail stopped' }).waitFor();
    await page.getByRole('link', { name: 'Manage saved searches' }).click();
    await page.getByText('No e-mail').waitFor();
  });

  test('the front page of this browser shows the matches, and that of another asks for nothing', async () => {
    await page.goto(`${origin}/`);
    const section = page.getByRole('region', { name: 'Your saved searches' });
    await section.getByRole('link', { name: 'Wafer prices fall' }).waitFor();
    const other = await browser.newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await other.goto(`${origin}/`, { waitUntil: 'networkidle' });
    expect(asked.filter((path) => path.startsWith('/account'))).toEqual([]);
    await other.close();
  });

  test('a feed address and a webhook are created, shown once and deleted', async () => {
    await page.goto(`${origin}/account/watch`);
    await page.getByRole('link', { name: 'wafer', exact: true }).click();
    await press('Create feed address');
    const address = await page.getByLabel('Private feed address').inputValue();
    expect((await page.request.get(`${origin}${new URL(address).pathname}`)).status()).toBe(200);
    await page.getByText('Create webhook').first().click();
    await page.getByLabel('Address', { exact: true }).fill('https://hooks.example/x');
    await press('Create webhook');
    expect(await page.getByLabel('Secret that signs deliveries').inputValue()).toMatch(/^whsec_/);
    await page.goto(`${origin}/account/watch`);
    await page.getByRole('link', { name: 'wafer', exact: true }).click();
    await page.getByText('Signed JSON').first().waitFor();
    expect(await page.getByText(/whsec_/).count()).toBe(0);
    await page.getByText('Delete feed address').first().click();
    await press('Delete feed address');
    expect((await page.request.get(`${origin}${new URL(address).pathname}`)).status()).toBe(404);
  });

  test('the pages are accessible in every look', async () => {
    for (const path of ['/account/watch', '/account/watch/new']) {
      await page.goto(origin + path);
      expect([path, await accessibilityFaultsInEveryLook(page)]).toEqual([path, []]);
    }
    await page.goto(`${origin}/account/watch`);
    await page.getByRole('link', { name: 'wafer', exact: true }).click();
    await page.waitForURL(/watch\/[0-9a-f-]{36}/);
    expect(await accessibilityFaultsInEveryLook(page)).toEqual([]);
  });
});
