import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accessibilityFaultsInEveryLook, launchBrowser, noBrowser, signInOnPage } from '../../browser.ts';
import type { TestStorage } from '../../storage.ts';
import { startTestStorage } from '../../storage.ts';

/** A second of silence. */
function silence(): Buffer {
  const [rate, head] = [8_000, Buffer.alloc(44)];
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + rate, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.write('data', 36);
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, Buffer.alloc(rate, 128)]);
}

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const contents: Readonly<Record<string, readonly [string, Buffer]>> = {
  'dot.png': ['image/png', Buffer.from(png, 'base64')],
  'silence.wav': ['audio/wav', silence()],
  'notes.md': [
    'text/markdown',
    Buffer.from('# Notes\n<script>document.title = "ran"</script>\n'.repeat(600)),
  ],
  'lie.png': ['image/png', Buffer.from('<script>document.title = "ran"</script>')],
};

describe.skipIf(noBrowser !== null)('the pages of a file, in a real browser', () => {
  let stage: TestStorage;
  let browser: Browser;
  let context: BrowserContext;
  let origin: string;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    stage = await startTestStorage({ pages: true, authUrl: 'http://localhost' });
    origin = `http://localhost:${stage.app.port}`;
    const { id: project } = await stage.newProject();
    for (const [name, [mediaType, bytes]] of Object.entries(contents))
      ids.set(name, (await stage.newFile(project, name, bytes, `mediaType=${mediaType}`)).id);
    await stage.inspectAll();
    browser = await launchBrowser();
    context = await browser.newContext();
    await signInOnPage(context, origin, stage.acme.owner);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stage.stop();
  });

  const open = async (name: string, within = context): Promise<Page> => {
    const page = await within.newPage();
    await page.goto(`${origin}/platform/${stage.acme.key}/files/${ids.get(name)}`);
    return page;
  };
  const faultless = async (page: Page): Promise<void> => {
    expect([page.url(), ...(await accessibilityFaultsInEveryLook(page))]).toEqual([page.url()]);
  };

  test('a picture is shown, also without script', async () => {
    const page = await open('dot.png');
    const picture = page.getByRole('img', { name: 'dot.png' });
    await picture.scrollIntoViewIfNeeded();
    const width = await picture.evaluate(async (element) => {
      const image = element as unknown as { decode: () => Promise<void>; naturalWidth: number };
      await image.decode();
      return image.naturalWidth;
    });
    expect(width).toBe(1);
    await faultless(page);
    const plain = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    });
    const still = await open('dot.png', plain);
    expect((await still.getByRole('img', { name: 'dot.png' }).boundingBox())?.width).toBeGreaterThan(0);
  }, 90_000);

  test('a sound can be played', async () => {
    const page = await open('silence.wav');
    const seconds = await page.locator('audio').evaluate(async (element) => {
      const audio = element as unknown as {
        duration: number;
        load: () => void;
        onloadedmetadata: unknown;
        onerror: unknown;
        preload: string;
      };
      await new Promise((resolve, reject) => {
        audio.onloadedmetadata = resolve;
        audio.onerror = reject;
        audio.preload = 'metadata';
        audio.load();
      });
      return audio.duration;
    });
    expect(seconds).toBeCloseTo(1);
    await faultless(page);
  }, 90_000);

  test('a text is shown as text up to a bound, and nothing in it runs', async () => {
    const page = await open('notes.md');
    await page.getByText('Showing the first 16.4 kB.').waitFor();
    expect(await page.getByRole('region', { name: 'Content' }).innerText()).toContain('<script>document');
    expect(await page.title()).not.toContain('ran');
    await faultless(page);
  }, 90_000);

  test('a file is shared, and a link to it created, copied and revoked, on pages without accessibility violations', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const page = await open('notes.md');
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    await page.getByLabel('Recipient').fill(stage.viewer.username);
    await page.getByLabel('write: ').check();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText(`Shared with ${stage.viewer.username}.`).waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(copied).toBe(await page.getByLabel('Link', { exact: true }).inputValue());
    await faultless(page);
    const shared = new URL(await copied()).pathname;
    expect((await context.request.get(origin + shared)).status()).toBe(200);
    await page.getByText('Revoke', { exact: true }).click();
    await page.getByRole('button', { name: 'Revoke link to notes.md' }).click();
    await page.getByText('No links to this file.').waitFor();
    expect((await context.request.get(origin + shared)).status()).toBe(404);
    await page.getByText('Change', { exact: true }).last().click();
    await page.getByText('Stop sharing', { exact: true }).click();
    await faultless(page);
    await page.getByRole('button', { name: `Stop sharing with ${stage.viewer.username}` }).click();
    await page.getByText('is not shared directly').waitFor();
    await page.goto(`${origin}/platform/${stage.acme.key}/shared`);
    await faultless(page);
  }, 90_000);

  test('a file with a false type is not shown, and has no preview', async () => {
    const page = await open('lie.png');
    expect(await page.locator('img, audio, video, pre').count()).toBe(0);
    const answer = await page.goto(`${page.url()}/preview`);
    expect([answer?.status(), await page.title()]).toEqual([404, expect.not.stringContaining('ran')]);
  }, 90_000);
});
