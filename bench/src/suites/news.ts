import type { Suite, SuiteContext } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { isInstalled } from '../load-generator.ts';
import { measureCachedResources } from '../news/cached-resources.ts';
import { measureColdPage } from '../news/cold-page.ts';
import type { NewsSet } from '../news/news-load.ts';
import { measurePageGrowth } from '../news/page-growth.ts';
import { folderOf, openCluster } from '../news/saved-cluster.ts';
import { loadMissingSets } from '../news/saved-sets.ts';
import { measureSearch } from '../news/search-latency.ts';
import { measureSnapshot } from '../news/snapshot-rate.ts';

const recent: NewsSet = { inWindow: 10_000, older: 0, olderSelected: 0 };

interface Sizes {
  readonly searched: NewsSet;
  /** The same window as `recent` has, with an archive behind it. */
  readonly archived: NewsSet;
}

const sizes: Readonly<Record<'quick' | 'full', Sizes>> = {
  quick: {
    searched: recent,
    archived: { ...recent, older: 10_000, olderSelected: 10_000 },
  },
  full: {
    searched: { ...recent, inWindow: 1_000_000 },
    archived: { ...recent, older: 4_990_000, olderSelected: 1_000_000 },
  },
};

export const suite: Suite = {
  name: 'news',
  summary: 'the news API beside bare Fastify, bare SQL and COPY; search and growth',
  promise:
    'Cached responses and 304s of the news API reach 0.90 of a bare Fastify route with the same bytes and headers. An uncached page of items adds at most 1.5 ms to its bare SQL. A search among 1 M items of the window (10 k with `--quick`) takes at most 30 ms at the 95th percentile, for rare and common terms, in English and Chinese. The buffers that a page reads do not grow with the archive (10 k items against 5 M, 20 k with `--quick`). A snapshot of the selected set is read at half the rate of a bare COPY, in constant memory. The simulated world provides the sets; the bulk import loads them, and they are stored under `.data/bench/`. PostgreSQL runs with `shared_buffers = 1GB` and otherwise its defaults.',
  run: async (context) => {
    if (!isInstalled('wrk')) {
      context.didNotRun('wrk is not installed (Debian package wrk)');
      return;
    }
    const { searched, archived } = sizes[context.quick ? 'quick' : 'full'];
    await loadMissingSets(context, [...new Set([searched, archived, recent])]);
    await withSet(context, recent, async (small) => {
      // In a quick run `cache` and `pages` measure the cost of a cached response.
      if (!context.quick) await measureCachedResources(context, small);
      await measureColdPage(context, small);
      await withSet(context, archived, async (large) => {
        const count = (archived.inWindow + archived.older).toLocaleString('en-US');
        await measurePageGrowth(context, [small, large], count);
        await measureSnapshot(context, large, archived.olderSelected);
      });
    });
    await withSet(context, searched, (urls) => measureSearch(context, urls, searched.inWindow));
  },
};

async function withSet(
  { root }: Pick<SuiteContext, 'root'>,
  set: NewsSet,
  measure: (urls: DatabaseUrls) => Promise<void>,
): Promise<void> {
  const { cluster, urls } = await openCluster(folderOf(root, set));
  try {
    await measure(urls);
  } finally {
    await cluster.stop();
  }
}
