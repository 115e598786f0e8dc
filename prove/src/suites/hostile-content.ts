import type { Suite, SuiteContext } from '@daybook/evidence';

import { launchBrowser, noBrowser } from '../../../apps/server/test/browser.ts';
import { requestOnce } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import type { HostileBatch } from '../site/hostile-batch.ts';
import { publishHostileBatch } from '../site/hostile-batch.ts';
import { hostileTexts } from '../site/hostile-texts.ts';

export const suite: Suite = {
  name: 'hostile-content',
  summary:
    'Hostile third-party text runs no script, causes no outside request and breaks no layout on any page.',
  promise:
    'Publishers send three hundred hostile titles, summaries, source names and addresses: scripts, event handlers, `javascript:` and `data:` links, direction controls, endless words, emoji, zero-width characters, unclosed tags, and text for the SVG of preview pictures. On every page that shows them no script runs, no request leaves the site, every link leads to a page, and no content is wider than a phone.',
  measuresNoTime: true,
  run: async (context) => {
    if (noBrowser !== null) {
      context.didNotRun(noBrowser);
      return;
    }
    const stage = await setNewsStage(context.root);
    try {
      await openPages(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

const perPage = 20;

async function openPages(context: SuiteContext, stage: NewsStage): Promise<void> {
  const texts = hostileTexts(300);
  const batches = Array.from({ length: Math.ceil(texts.length / perPage) }, (_, index) =>
    texts.slice(index * perPage, (index + 1) * perPage),
  );
  const port = await stage.startApi({
    DAYBOOK_RATE_PER_MINUTE: '1000000',
  });
  const paths: string[] = [];
  const pictures: string[] = [];
  for (const [index, batch] of batches.entries()) {
    const placed = placesOf(await publishHostileBatch(stage.factory, batch, index));
    // In a quick run one page of each batch is opened, the kinds taking turns.
    paths.push(...(context.quick ? placed.paths.slice(index % 4, (index % 4) + (index % 2)) : placed.paths));
    pictures.push(...placed.pictures.slice(0, context.quick ? 1 : 3));
  }
  const counts = await look(context, port, [
    ...new Set(['/', '/timeline?mode=all', '/hot', '/sources', ...paths]),
  ]);
  // One after another: a server with many pictures to draw refuses some for the moment, which is not what is proved here.
  const statuses: number[] = [];
  for (const path of pictures) statuses.push((await requestOnce(port, path)).status);
  context.figure({
    name: 'hostile texts published',
    value: texts.length,
    unit: 'texts',
    goal: { atLeast: 300 },
  });
  context.figure({
    name: 'pages opened on a phone',
    value: counts.opened,
    unit: 'pages',
    goal: { atLeast: 10 },
  });
  const none = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  none('pages on which a script ran', counts.ran, 'pages');
  none('requests to other hosts', counts.elsewhere, 'requests');
  none('links that lead to no page', counts.badLinks, 'links');
  none('pages wider than the screen', counts.tooWide, 'pages');
  none('preview pictures not drawn', statuses.filter((status) => status !== 200).length, 'pictures');
}

function placesOf({ itemIds: [first, second], storyId, period }: HostileBatch): {
  readonly paths: readonly string[];
  readonly pictures: readonly string[];
} {
  if (storyId === null) return { paths: [], pictures: [] };
  return {
    paths: [`/items/${first}`, `/zh/items/${second}`, `/story/${storyId}`, `/daily/${period}`],
    pictures: [`/og/items/${first}.png`, `/og/items/${second}.png`, `/og/story/${storyId}.png`],
  };
}

interface Counts {
  opened: number;
  ran: number;
  elsewhere: number;
  badLinks: number;
  tooWide: number;
}

const badLinks = `[...document.querySelectorAll('a[href]')].filter((link) => !/^https?:$/.test(link.protocol) || link.onclick).length`;

async function look(context: SuiteContext, port: number, paths: readonly string[]): Promise<Counts> {
  const counts: Counts = { opened: 0, ran: 0, elsewhere: 0, badLinks: 0, tooWide: 0 };
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
    page.on('request', (request) => {
      if (!request.url().startsWith(`http://127.0.0.1:${port}/`)) counts.elsewhere += 1;
    });
    page.on('dialog', (dialog) => void dialog.dismiss());
    for (const path of paths) {
      await page.goto(`http://127.0.0.1:${port}${path}`);
      await page.mouse.move(180, 400);
      const ran = await page.evaluate<boolean>('globalThis.ran === 1');
      const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      counts.opened += 1;
      counts.ran += ran ? 1 : 0;
      counts.tooWide += wide ? 1 : 0;
      counts.badLinks += await page.evaluate<number>(badLinks);
      if (ran || wide) context.note(`${path}${ran ? ' ran something' : ''}${wide ? ' is too wide' : ''}`);
    }
  } finally {
    await browser.close();
  }
  return counts;
}
