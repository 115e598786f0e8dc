import type { Suite, SuiteContext } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { launchBrowser, noBrowser } from '../../../apps/server/test/browser.ts';
import { isInstalled } from '../load-generator.ts';
import { cachedPages } from '../news/cached-paths.ts';
import { compareWithBare } from '../news/cached-resources.ts';
import { measureColdPages } from '../news/cold-timeline.ts';
import { startNewsChild } from '../news/news-child.ts';
import type { NewsSet } from '../news/news-load.ts';
import { folderOf, openCluster } from '../news/saved-cluster.ts';
import { loadMissingSets } from '../news/saved-sets.ts';
import { measureLanguageMemory } from '../pages/language-memory.ts';
import { measurePaint } from '../pages/page-paint.ts';

const set: NewsSet = { inWindow: 10_000, older: 0, olderSelected: 0 };

export const suite: Suite = {
  name: 'pages',
  nightly: true,
  summary: 'pages for readers beside bare Fastify and bare SQL; paint and shifts in Chromium under 4G',
  promise:
    'A cached page, in each language and in both, reaches at least 0.90 of a bare Fastify route with the same bytes and headers. The pages of a second language take at most 32 MB of memory. An uncached page of the timeline takes at most 1.5 times its query at the 95th percentile. On a simulated 4G connection (9 Mbit/s, 165 ms) the largest part of the front page is painted within a second, and the layout does not shift. No page has more than 100 KB before pictures and fonts, and all scripts together at most 15 KB, compressed.',
  run: async (context) => {
    if (!isInstalled('wrk') || noBrowser !== null) {
      context.didNotRun(noBrowser ?? 'wrk is not installed (Debian package wrk)');
      return;
    }
    await loadMissingSets(context, [set]);
    const { cluster, urls } = await openCluster(folderOf(context.root, set));
    try {
      await measurePages(context, urls);
    } finally {
      await cluster.stop();
    }
  },
};

async function measurePages(context: SuiteContext, urls: DatabaseUrls): Promise<void> {
  const daybook = await startNewsChild(urls);
  const browser = await launchBrowser();
  try {
    const bare = await startNewsChild(urls, daybook.address);
    try {
      for (const path of context.quick ? cachedPages.slice(0, 1) : cachedPages)
        await compareWithBare(context, path, [daybook, path], [bare, path], {});
    } finally {
      await bare.stop();
    }
    await measureLanguageMemory(context, daybook);
    await measureColdPages(context, urls, daybook.address);
    await measurePaint(context, browser, daybook.address, cachedPages);
  } finally {
    await browser.close();
    await daybook.stop();
  }
}
