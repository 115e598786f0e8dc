import { Buffer } from 'node:buffer';

import { parseVerifierKey } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import type { ForkEvidence } from '@daybook/client/log/fork';
import { verifyForkEvidence } from '@daybook/client/log/fork';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { logKeyFile } from '../../../src/record/wiring.ts';
import { launchBrowser, noBrowser } from '../../browser.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';
import { sequenceLog } from '../../sequence-log.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');

describe.skipIf(noBrowser !== null)('content and the public log, in a real browser', () => {
  let database: TestDatabase;
  let factory: ReturnType<typeof createRecordFactory>;
  let app: NewsApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let signer: Awaited<ReturnType<typeof logKeyFile.parseLogKeys>>;
  let origin: string;
  let itemId: Id<'item'>;
  let storyId: Id<'story'>;
  const requests: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    factory = createRecordFactory({ database: database.database, clock });
    signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('daybook.example/log'));
    const { publisher } = factory;
    itemId = await factory.publishSelected({ title: 'A lab opens its model', language: 'en' });
    const other = await factory.publish({ title: 'The lab replies', sourceName: 'The Post', language: 'en' });
    const itemIds = [itemId, other];
    storyId = valueOf(await publisher.openStory({ title: 'A lab opens its model', itemIds })).storyId;
    const quote = (id: Id<'item'>, sourceName: string, span: string) => ({
      itemId: id,
      sourceName,
      spans: [span],
      textHash: null,
      saltRevision: null,
    });
    const lab = quote(itemId, 'The Halden Wire', 'The lab says that its model has 70 billion parameters.');
    const post = quote(other, 'The Post', 'It cost $4 million.');
    const sentences = [
      { text: 'The model has 70 billion parameters.', cites: [itemId], quotes: [lab] },
      { text: 'It cost 4 million dollars.', cites: [itemId, other], quotes: [lab, post] },
    ];
    const digest = { text: sentences.map(({ text }) => text).join(' '), sentences, contradictions: [] };
    valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
    const contents = {
      headline: 'A lab opens its model',
      overview: 'And another replies.',
      language: 'en' as const,
      headlineCites: [itemId],
      overviewCites: [other],
      sections: [{ key: 'all', label: 'All', itemIds }],
      flashes: [],
    };
    valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
    clock.advance({ minutes: 1 });
    valueOf(await publisher.reviseItem({ itemId, changes: { title: 'A lab opens its large model' } }));
    await sequenceLog(database.database, signer);
    app = await startNewsApp({ database, clock });
    origin = `http://localhost:${app.port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app.stop();
    await database.drop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  });
  afterEach(() => context.close());

  const result = (kind: string) => page.locator(`[data-verified][data-result="${kind}"]`);
  const verifyOn = async (path: string): Promise<string> => {
    await page.goto(`${origin}${path}`);
    await page.getByRole('link', { name: /Verify in the public log|在公开日志中验证/ }).click();
    await result('verified').waitFor();
    return result('verified').innerText();
  };

  test('a digest is checked against its quotations in the browser, without another request for content', async () => {
    for (const [path, name, supported] of [
      ['', 'Check in this browser', 'the quotations support all 2 sentences'],
      ['/zh', '在本浏览器中核对', '引文支持全部 2 句'],
    ] as const) {
      await page.goto(`${origin}${path}/story/${storyId}`);
      const part = page.locator('[data-quotes]');
      await part.locator('summary').click();
      requests.length = 0;
      await part.getByRole('button', { name }).click();
      await part.getByRole('status').filter({ hasText: supported }).waitFor();
      expect(requests.filter((one) => !one.startsWith('/assets/'))).toEqual([]);
      const facts = part.locator('[data-facts] li');
      expect(await facts.allTextContents()).toEqual(['70 billion parameters — 1', '4 million dollars — 2']);
    }
  });

  test('a sentence that the quotations do not support is reported', async () => {
    await page.goto(`${origin}/story/${storyId}`);
    const part = page.locator('[data-quotes]');
    await part.locator('summary').click();
    await part
      .locator('[data-sentence]')
      .first()
      .evaluate((sentence) => {
        sentence.textContent = 'The model has 80 billion parameters.';
      });
    await part.getByRole('button').click();
    await part.getByRole('status').filter({ hasText: 'support 1 of 2 sentences' }).waitFor();
    expect(await part.locator('[data-result="unsupported"] [data-facts]').textContent()).toContain(
      '80 billion',
    );
  });

  test('without scripts the quotations are on the page, and no button is', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const read = await plain.newPage();
    await read.goto(`${origin}/story/${storyId}`);
    const part = read.locator('[data-quotes]');
    expect(await part.locator('q').allTextContents()).toContain('It cost $4 million.');
    expect(await part.locator('button').isVisible()).toBe(false);
    await plain.close();
  });

  test('an item, the digest of a story and an edition are verified on their pages, and the log is read on request only', async () => {
    requests.length = 0;
    await page.goto(`${origin}/items/${itemId}`);
    expect(requests.filter((path) => path.startsWith('/log'))).toEqual([]);
    expect(await verifyOn(`/items/${itemId}`)).toMatch(
      /^Verified: this content is entry \d+ of the log, recorded at /,
    );
    expect(requests.some((path) => path.startsWith('/log/tile/entries/'))).toBe(true);
    expect(await verifyOn(`/story/${storyId}`)).toContain('Verified: this content is entry');
    expect(await verifyOn('/daily/2026-11-15')).toContain('Log daybook.example/log');
    expect(await verifyOn(`/zh/items/${itemId}`)).toContain('验证通过：该内容是日志第');
  });

  test('the page for verification accepts an address, an id and a saved proof', async () => {
    await page.goto(`${origin}/verify?target=${encodeURIComponent(`${origin}/story/${storyId}`)}`);
    await result('verified').waitFor();
    await page.getByLabel('Address, ID or date').fill('2026-11-15');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Verified: this content is entry').waitFor();
    const proof = await app.get(`/api/v1/items/${itemId}/proof`);
    const file = { name: 'proof.json', mimeType: 'application/json' };
    await page.getByLabel('Or a saved proof (JSON file)').setInputFiles({ ...file, buffer: proof.body });
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Verified: this content is entry').waitFor();
    const forged = Buffer.from(proof.text.replace('large model', 'small model'));
    await page.getByLabel('Or a saved proof (JSON file)').setInputFiles({ ...file, buffer: forged });
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('the content differs from the entry').waitFor();
    expect(await result('refused').count()).toBe(1);
  });

  test('content that was changed without an entry is refused', async () => {
    const headline = (text: string) =>
      database.asSuperuser(`UPDATE record.edition_revision SET headline = $1 WHERE kind = 'daily'`, [text]);
    await headline('Something else');
    try {
      await page.goto(`${origin}/verify?target=2026-11-15`);
      await result('refused').waitFor();
      expect(await result('refused').innerText()).toContain('Not verified');
    } finally {
      await headline('A lab opens its model');
    }
  });

  test('the history shows which words changed, and none that a correction removed', async () => {
    await page.goto(`${origin}/items/${itemId}`);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.locator('ins').allInnerTexts()).toContain('large ');
    const wrong = await factory.publish({ title: 'A wrongword title', language: 'en' });
    clock.advance({ minutes: 1 });
    const changes = { title: 'A right title' };
    valueOf(await factory.publisher.correctItem({ itemId: wrong, changes, reason: 'A word was wrong.' }));
    await page.goto(`${origin}/items/${wrong}/history`);
    await page.getByText('A word was wrong.').waitFor();
    expect(await page.content()).not.toContain('wrongword');
    await page.goto(`${origin}/zh/story/${storyId}/history`);
    await page.getByRole('heading', { name: '修改历史' }).waitFor();
  });

  test('a log that contradicts what the browser saw before is reported with evidence that others can verify', async () => {
    expect(await verifyOn(`/items/${itemId}`)).toContain('Verified');
    await database.asSuperuser(
      `UPDATE record.log_entry SET body_hash = sha256('other') WHERE entry = (SELECT min(entry) FROM record.log_entry)`,
    );
    await database.asSuperuser('UPDATE record.log_entry SET leaf_index = NULL');
    await database.asSuperuser('TRUNCATE record.log_tile');
    await database.asSuperuser(
      'UPDATE record.log_head SET size = 0, checkpoint = NULL, checkpoint_size = 0, checkpoint_at = NULL',
    );
    await sequenceLog(database.database, signer);
    await expect
      .poll(async () => (await app.get('/log/checkpoint')).text, { timeout: 20_000 })
      .not.toBe(await page.evaluate(() => JSON.parse(localStorage.getItem('daybook-log') ?? '').checkpoint));
    await page.goto(`${origin}/items/${itemId}`);
    await page.getByRole('link', { name: 'Verify in the public log' }).click();
    await page.getByText('two logs that contradict each other').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the evidence' }).click();
    const parts: Buffer[] = [];
    for await (const part of await (await downloading).createReadStream()) parts.push(part as Buffer);
    const evidence = JSON.parse(Buffer.concat(parts).toString()) as ForkEvidence;
    const logKeys = (await Promise.all(signer.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
    expect(await verifyForkEvidence(evidence, { logKeys })).toBe(true);
  });
});
