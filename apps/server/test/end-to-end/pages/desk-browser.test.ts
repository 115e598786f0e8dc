import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { issueEdition } from '../../../src/newsroom/editions/compile-edition.ts';
import { startTestAccess } from '../../access.ts';
import {
  accessibilityFaultsInEveryLook,
  launchBrowser,
  looks,
  noBrowser,
  signInOnPage,
} from '../../browser.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { createTestNewsroom } from '../../newsroom.ts';

const period = '2026-11-16';

describe.skipIf(noBrowser !== null)('the desk, in two real browsers', () => {
  let stage: Awaited<ReturnType<typeof startTestAccess>>;
  let record: ReturnType<typeof createRecordFactory>;
  let publish: () => Promise<void>;
  let browser: Browser;
  let contexts: readonly BrowserContext[];
  let page: Page;
  let other: Page;
  let origin: string;
  let sourceId: string;

  beforeAll(async () => {
    stage = await startTestAccess({
      pages: true,
      site: true,
      authUrl: 'http://localhost',
      newsroomOrganization: 'team-1',
    });
    const { database, clock } = stage;
    origin = `http://localhost:${stage.app.port}`;
    record = createRecordFactory({ database: database.database, clock });
    const newsroom = createTestNewsroom(database, clock, {
      fetch: () => Promise.reject(new Error('no publisher is asked')),
      release: async () => {},
      close: async () => {},
    });
    ({ publish } = newsroom);
    const source = await newsroom.add('http://lab.example/feed', { name: 'Lab', tier: 1 });
    sourceId = source.id;
    const organization = await stage.createOrganization();
    const colleague = await organization.addMember('admin');
    browser = await launchBrowser();
    contexts = [await browser.newContext(), await browser.newContext()];
    const [mine, theirs] = contexts as [BrowserContext, BrowserContext];
    await signInOnPage(mine, origin, organization.owner);
    await signInOnPage(theirs, origin, colleague);
    [page, other] = [await mine.newPage(), await theirs.newPage()];
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });

  const press = (name: string, on = page) => on.getByRole('button', { name, exact: true }).first().click();
  const done = (on = page) => on.getByText('Saved. The decision is in the journal.').waitFor();

  async function land(title: string): Promise<Id<'item'>> {
    const id = record.ids.next<'item'>();
    await stage.database.asSuperuser(
      `INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
       VALUES ($1, $2, $3, $4, $5, '2026-11-14T23:00:00Z', false)`,
      [id, sourceId, `https://lab.example/${id}`, title, `${title} on Monday. It reads long texts.`],
    );
    return id;
  }

  test('an entry is held, rewritten and released with the keyboard, and is on the front page', async () => {
    const id = await land('Lab releases the language model Corvid');
    await page.goto(`${origin}/desk?kind=waiting`);
    await page.getByText('Lab releases the language model Corvid').first().waitFor();
    await page.getByText('Hold…', { exact: true }).first().click();
    await page.getByLabel('Reason (for editors)').first().fill('A colleague calls the publisher.');
    await page.keyboard.press('Enter');
    await done();
    await publish();
    await page.goto(`${origin}/desk?kind=held`);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.waitForURL(`${origin}/desk/entries/${id}`);
    await page.keyboard.press('e');
    const title = page.getByLabel('Title', { exact: true });
    expect(await title.evaluate((field) => field.matches(':focus'))).toBe(true);
    await title.fill('Corvid costs 99 million dollars');
    await page.getByText('Not supported by the source text:').waitFor();
    await title.fill('On Monday Lab releases the language model Corvid');
    await page.getByText('The source text supports every fact.').waitFor();
    await press('Save');
    await done();
    await press('Release');
    await done();
    await publish();
    await page.goto(`${origin}/desk/items/${id}`);
    await page.keyboard.press('s');
    await page.keyboard.type('It reads long texts.');
    await page.keyboard.press('Enter');
    await done();
    const reader = await browser.newPage();
    await reader.goto(origin);
    await reader.getByText('On Monday Lab releases the language model Corvid').first().waitFor();
    await reader.close();
  }, 60_000);

  test('a merge is undone with one key, and a digest is rewritten sentence by sentence', async () => {
    const open = async (title: string) => {
      const itemIds = [
        await record.publish({ title, sourceName: `${title} one` }),
        await record.publish({ title, sourceName: `${title} two` }),
      ];
      return valueOf(await record.publisher.openStory({ title, itemIds })).storyId;
    };
    const [one, two] = [await open('Tarn buys Quill'), await open('Quill is bought')];
    await page.goto(`${origin}/desk/stories?query=Quill`);
    for (const step of ['j', 'x', 'j', 'x', 'm']) await page.keyboard.press(step);
    await page.getByRole('heading', { name: 'Merge two stories' }).waitFor();
    await page.getByRole('radio', { name: /^Quill is bought/ }).check();
    await press('Merge');
    await page.waitForURL(`${origin}/desk/stories/${two}?done=1`);
    await page.getByRole('button', { name: 'Undo: Merged' }).first().waitFor();
    await page.keyboard.press('u');
    await page.getByText('Undoes an earlier decision').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/desk/stories/${two}`);
    await page.goto(`${origin}/desk/stories/${one}`);
    const english = page.locator('form[action$="/digest"]').first();
    await english.getByLabel('Sentence 1').fill('Tarn buys Quill.');
    await english.getByLabel('Item numbers').first().fill('1');
    await english.getByLabel('Reason (for editors)').fill('It had none.');
    await press('Save digest in English');
    await done();
    const reader = await browser.newPage();
    await reader.goto(`${origin}/story/${one}`);
    await reader.getByText('Tarn buys Quill.').first().waitFor();
    expect(new URL(reader.url()).pathname).toBe(`/story/${one}`);
    await reader.close();
  }, 60_000);

  test('a colleague sees who is editing and what changed, and a stale form shows both versions', async () => {
    const id = await record.publish({ title: 'Halden opens an office' });
    const address = `${origin}/desk/items/${id}`;
    await page.goto(address);
    await other.goto(address);
    await page.getByLabel('Summary', { exact: true }).fill('It reads longer texts.');
    await other.getByText('is editing this page').waitFor();
    await page.getByRole('combobox', { name: 'Category' }).selectOption('industry');
    await page.locator('form[action$="/correct"]').getByLabel('Reason').fill('It is about a company.');
    await page.getByLabel('Summary', { exact: true }).fill('It reads longer texts than its predecessor.');
    await press('Save and publish the correction');
    await done();
    await other.getByText('Another editor or a rule changed this.').waitFor();
    await other.getByRole('combobox', { name: 'Category' }).selectOption('paper');
    await other.locator('form[action$="/correct"]').getByLabel('Reason').fill('It is a paper.');
    await press('Save and publish the correction', other);
    await other.getByText('Changed in the meantime').first().waitFor();
    await other.getByText('industry').first().waitFor();
    expect(new URL(other.url()).pathname).toBe(`/desk/items/${id}/correct`);
  }, 60_000);

  test('lists mark changes without moving', async () => {
    const id = await record.publish({ title: 'Dunmere hires a chief scientist' });
    await other.goto(`${origin}/desk/items`);
    const before = await other.locator('td.main .name').allTextContents();
    await page.goto(`${origin}/desk/items/${id}`);
    await page.keyboard.press('s');
    await page.keyboard.type('It matters.');
    await page.keyboard.press('Enter');
    await done();
    await other.getByText('Changed just now').waitFor();
    expect(await other.locator('td.main .name').allTextContents()).toEqual(before);
  }, 60_000);

  test('the daily is published at its hour with the headline of an editor', async () => {
    stage.clock.set('2026-11-15T23:10:00.000Z');
    for (const title of ['Merrow opens a plant', 'Perrine is on sale', 'Craywater picks Dunmere'])
      await record.publishSelected({ title, sourceName: title, language: 'en' });
    await page.goto(`${origin}/desk/editions`);
    await page.getByRole('link', { name: `Draft of the daily ${period}` }).click();
    const english = page.locator('form[action$="/rewrite"]').first();
    await english.getByLabel('Headline').fill('Perrine costs 98 dollars');
    await page.getByText('Number: 98 dollars').waitFor();
    await english.getByLabel('Headline').fill('Perrine is on sale');
    await page.getByText('The source text supports every fact.').waitFor();
    await english.getByRole('button').last().click();
    await done();
    stage.clock.set('2026-11-16T00:00:05.000Z');
    const deps = { clock: stage.clock, publisher: record.publisher, language: 'en', aliases: [] } as const;
    await stage.database.database
      .transaction()
      .execute((transaction) => issueEdition(deps, transaction, { kind: 'daily', period }));
    const reader = await browser.newPage();
    await reader.goto(`${origin}/daily/${period}`);
    await reader.getByText('Perrine is on sale').first().waitFor();
    expect(new URL(reader.url()).pathname).toBe(`/daily/${period}`);
    await reader.close();
  }, 60_000);

  test('an item is withdrawn from a phone', async () => {
    const id = await record.publishSelected({ title: 'Withdrawn soon' });
    const [mine] = contexts as [BrowserContext, BrowserContext];
    const phone = await mine.newPage();
    await phone.setViewportSize(looks['phone-light'].viewport);
    await phone.goto(`${origin}/desk/items`);
    await phone.getByRole('link', { name: 'Withdrawn soon' }).click();
    await phone.getByRole('link', { name: 'Withdraw' }).click();
    await phone.getByLabel('Reason (public)').fill('The publisher retracted it.');
    await phone.getByRole('button', { name: 'Withdraw permanently' }).click();
    await phone.waitForURL((address) => !address.pathname.endsWith('/withdraw'));
    expect((await phone.request.get(`${origin}/api/v1/items/${id}`)).status()).toBe(404);
    await phone.close();
  }, 60_000);

  test('the help lists the keys, and the pages are accessible in every look', async () => {
    await page.goto(`${origin}/desk`);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    const itemId = await record.publish({ title: 'Accessible' });
    const { storyId } = valueOf(await record.publisher.openStory({ title: 'An event', itemIds: [itemId] }));
    await land('Lab releases Magpie');
    for (const path of [
      '/desk?kind=waiting',
      '/desk/items',
      `/desk/items/${itemId}`,
      '/desk/stories',
      `/desk/stories/${storyId}`,
      '/desk/journal',
      '/desk/sources',
      '/desk/editions',
    ]) {
      await page.goto(origin + path);
      expect([path, await accessibilityFaultsInEveryLook(page)]).toEqual([path, []]);
    }
  }, 120_000);
});
