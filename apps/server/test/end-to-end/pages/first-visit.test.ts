import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { countClicks, launchBrowser, looks, noBrowser } from '../../browser.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let browser: Browser;

async function fillRecord(): Promise<void> {
  const factory = createRecordFactory({ database: database.database, clock });
  const early = await factory.publishSelected({
    hoursAgo: 3,
    sourceName: 'Papermoth',
    title: 'Lanyu raises',
  });
  const late = await factory.publishSelected({ hoursAgo: 1, sourceName: 'Slow Wire', title: 'Lanyu denies' });
  await factory.publishSelected({
    hoursAgo: 2,
    sourceName: '智械周刊',
    title: '岚屿智能发布新模型',
    language: 'zh',
  });
  const { storyId } = valueOf(
    await factory.publisher.openStory({ title: 'Lanyu raises money', itemIds: [early, late] }),
  );
  const digest = {
    text: 'Lanyu raised 40 million dollars.',
    sentences: [{ text: 'Lanyu raised 40 million dollars.', cites: [early] }],
    contradictions: [{ statement: 'Slow Wire says 30 million, not 40.', earlier: [early], later: [late] }],
  };
  valueOf(await factory.publisher.reviseStory({ storyId, changes: { digest } }));
  const items = [early, late].map((itemId, at) => ({
    itemId,
    owner: `owner ${at}`,
    sourceName: at === 0 ? 'Papermoth' : 'Slow Wire',
    firstParty: false,
    weight: 1,
    reportedAt: hoursBefore(clock.now(), 1),
  }));
  valueOf(await factory.publisher.publishRanking({ candidates: [{ itemId: early, items }] }));
  const contents = {
    headline: 'A week of money',
    overview: 'Lanyu raised.',
    headlineCites: [early],
    overviewCites: [early],
    sections: [{ key: 'industry', label: 'Industry', itemIds: [early] }],
    flashes: [],
  };
  valueOf(await factory.publisher.issueEdition({ kind: 'weekly', period: '2026-W45', contents }));
}

describe.skipIf(noBrowser !== null)('the first tasks of a new visitor', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    await fillRecord();
    app = await startNewsApp({ database, clock });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.drop();
  });

  /** On the front page, with every click counted. */
  async function visit(look: keyof typeof looks): Promise<{ page: Page; clicks: () => Promise<number> }> {
    const context = await browser.newContext(looks[look]);
    await context.addInitScript(countClicks);
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${app.port}/`);
    return { page, clicks: () => page.evaluate('Number(sessionStorage.clicks)') };
  }

  describe.each(['phone-light', 'desktop-dark'] as const)('%s', (look) => {
    test('one click from the front page opens the lead story, its sources and where they disagree', async () => {
      const { page, clicks } = await visit(look);
      await page.getByRole('link', { name: 'Lanyu raises money' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Lanyu raises money' }).waitFor();
      const sources = page.getByRole('complementary').getByRole('listitem');
      expect(await sources.allInnerTexts()).toEqual([
        expect.stringContaining('Slow Wire'),
        expect.stringContaining('Papermoth'),
      ]);
      await page.getByRole('heading', { name: 'Where sources disagree' }).waitFor();
      await page.getByText('Slow Wire says 30 million, not 40.').waitFor();
      expect(await clicks()).toBe(1);
    });

    test("one click opens last week's edition", async () => {
      const { page, clicks } = await visit(look);
      await page.getByRole('link', { name: 'Weekly', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'A week of money' }).waitFor();
      expect(await clicks()).toBe(1);
    });

    test('a Chinese word is found by one click, into the field or on its icon, and Enter', async () => {
      const { page, clicks } = await visit(look);
      const sign = page.getByRole('banner').getByRole('link', { name: 'Search', exact: true });
      const isPhone = await sign.isVisible();
      expect(isPhone).toBe(look === 'phone-light');
      await (isPhone ? sign : page.getByRole('searchbox')).click();
      await page.waitForFunction(`document.activeElement.type === 'search'`);
      await page.keyboard.type('模型');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: '岚屿智能发布新模型' }).waitFor();
      expect(await clicks()).toBe(1);
    });

    test('one click opens the API page with the first command of a mirror', async () => {
      const { page, clicks } = await visit(look);
      await page.getByRole('link', { name: 'API', exact: true }).first().click();
      await page.getByRole('heading', { name: /Mirror the selected set/ }).waitFor();
      const command = await page.getByText('/api/v1/selected/snapshot').first().innerText();
      expect(command).toMatch(/^curl 'https:\/\/daybook\.example\/api\/v1\/selected\/snapshot'/);
      expect(await clicks()).toBe(1);
    });
  });
});
