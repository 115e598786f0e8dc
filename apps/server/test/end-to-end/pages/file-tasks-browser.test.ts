import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accessibilityFaults, countClicks, launchBrowser, noBrowser, signInOnPage } from '../../browser.ts';
import { noSandbox } from '../../no-sandbox.ts';
import type { TestStorage } from '../../storage.ts';
import { startTestStorage } from '../../storage.ts';

describe.skipIf(noBrowser !== null)('the tasks of people who use files, with the pages alone', () => {
  const local = mkdtempSync(join(tmpdir(), 'daybook-tasks-'));
  let stage: TestStorage;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let origin: string;
  let project: string;
  beforeAll(async () => {
    mkdirSync(join(local, 'letters', '2026'), { recursive: true });
    for (let one = 1; one <= 150; one += 1)
      writeFileSync(join(local, 'letters', `letter ${one}.txt`), `${one}`);
    for (let one = 1; one <= 50; one += 1)
      writeFileSync(join(local, 'letters', '2026', `late ${one}.txt`), `${one}`);
    writeFileSync(join(local, 'minutes.md'), 'The vote was quagmirical.');
    stage = await startTestStorage({ pages: true, authUrl: 'http://localhost' });
    origin = `http://localhost:${stage.app.port}`;
    project = (await stage.newProject('Field notes')).id;
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(countClicks);
    await signInOnPage(context, origin, stage.acme.owner);
    page = await context.newPage();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stage.stop();
    rmSync(local, { recursive: true });
  });

  const home = (): string => `${origin}/platform/${stage.acme.key}`;
  /** Opens the project as its members find it, and counts from there. */
  async function openProject(): Promise<void> {
    await page.goto(`${home()}/projects/${project}`);
    await page.evaluate('sessionStorage.clicks = 0');
  }
  const clicks = (): Promise<number> => page.evaluate<number>('Number(sessionStorage.clicks)');
  const click = (role: 'button' | 'link', name: string | RegExp): Promise<void> =>
    page.getByRole(role, { name, exact: true }).first().click();

  test('a folder of 200 files is uploaded with its folders, and again as new versions', async () => {
    for (const version of [1, 2]) {
      await openProject();
      const loaded = page.waitForEvent('load', { timeout: 150_000 });
      await page.getByLabel('Folder with its contents').setInputFiles(join(local, 'letters'));
      await page.getByText(/^\d+ of 200 files uploaded\.$/).waitFor();
      await loaded;
      await page.getByRole('link', { name: 'letters' }).waitFor();
      const sizes = await stage.database.asSuperuser(
        `SELECT count(*)::int AS files, min(version) AS version,
           (SELECT count(*)::int FROM storage.entry WHERE kind = 'folder') AS folders
         FROM storage.entry WHERE kind = 'file'`,
      );
      expect(sizes).toEqual([{ files: 200, version, folders: 2 }]);
    }
  }, 400_000);

  test('20 files are selected by two clicks and moved to another folder', async () => {
    await openProject();
    await click('link', 'letters');
    const boxes = page.locator('main tbody input[type=checkbox]');
    await boxes.first().click();
    await boxes.nth(19).click({ modifiers: ['Shift'] });
    await page.getByText('20 selected').waitFor();
    await click('button', 'Move selected');
    await page.getByRole('button', { name: 'Move to Field notes' }).waitFor();
    // Without scrolling past the selected files.
    const target = await page.getByRole('button', { name: 'Move to Field notes' }).boundingBox();
    expect(target?.y).toBeLessThan(600);
    expect(await accessibilityFaults(page)).toEqual([]);
    await click('button', 'Move to Field notes');
    await page.waitForURL(`${home()}/projects/${project}`);
    expect(await page.locator('main tbody tr').count()).toBe(20);
    expect(await clicks()).toBe(5);
  }, 90_000);

  test('a project is shared with a group by its name', async () => {
    await stage.send('POST', '/dm/api/core/rbac/groups/', stage.owner, {
      name: 'Editors',
      platform_key: stage.acme.key,
    });
    await openProject();
    await click('link', 'Share');
    await page.getByLabel('Recipient').fill('editors');
    await click('button', 'Share');
    await page.getByText('Shared with editors.').waitFor();
    await page.getByRole('cell', { name: 'Editors group' }).waitFor();
    expect(await clicks()).toBe(2);
  }, 90_000);

  test('a stranger opens a link in Chinese and downloads the file', async () => {
    await openProject();
    await page.getByLabel('Files', { exact: true }).setInputFiles(join(local, 'minutes.md'));
    await click('link', 'minutes.md');
    await click('link', 'Share');
    await click('button', 'Create link');
    const { pathname } = new URL(await page.getByLabel('Link', { exact: true }).inputValue());
    expect(await clicks()).toBe(3);
    const stranger = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' });
    const opened = await stranger.newPage();
    await opened.goto(origin + pathname);
    expect(await accessibilityFaults(opened)).toEqual([]);
    const [download] = await Promise.all([
      opened.waitForEvent('download'),
      opened.getByRole('link', { name: '下载' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('minutes.md');
    await stranger.close();
  }, 90_000);

  test('an earlier version of a file is restored', async () => {
    writeFileSync(join(local, 'minutes.md'), 'Deleted by mistake.');
    await openProject();
    const loaded = page.waitForEvent('load', { timeout: 150_000 });
    await page.getByLabel('Files', { exact: true }).setInputFiles(join(local, 'minutes.md'));
    await loaded;
    await click('link', 'minutes.md');
    await click('button', /^Restore/);
    await page.getByRole('link', { name: 'Version 3' }).waitFor();
    expect(await clicks()).toBe(2);
  }, 90_000);

  test.skipIf(noSandbox !== null)(
    'a file is found by a word of its text',
    async () => {
      await stage.inspectAll();
      await stage.deriveAll();
      await openProject();
      await page.getByPlaceholder('Find by name or text').fill('quagmirical');
      await page.keyboard.press('Enter');
      await page.getByText('No names match. The text of these files matches:').waitFor();
      await click('link', 'minutes.md');
      expect(await clicks()).toBe(1);
    },
    90_000,
  );

  test('the trash is emptied', async () => {
    await openProject();
    await page.getByRole('checkbox', { name: 'minutes.md' }).click();
    await click('button', 'Delete selected');
    await click('button', /^Move 1 entry to the trash$/);
    await click('link', 'Trash');
    await page.getByText('Empty trash', { exact: true }).click();
    await click('button', 'Permanently delete 1 folder or file');
    await page.getByText('The trash is empty.').waitFor();
    expect(await clicks()).toBe(6);
  }, 90_000);

  test('a deleted project is restored', async () => {
    await openProject();
    await page.getByText('Delete project', { exact: true }).click();
    await click('button', 'Move Field notes to trash');
    await click('link', 'Deleted projects');
    await click('button', /^Restore/);
    await page.getByRole('heading', { name: 'Field notes' }).waitFor();
    expect(await clicks()).toBe(4);
  }, 90_000);
});
