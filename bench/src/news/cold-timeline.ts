import type { SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { itemsResource } from '../../../apps/server/src/news/items/items-representation.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { connectForBench } from '../measured-api.ts';
import { recordQueries } from '../recorded-queries.ts';
import { elapsedMs } from './elapsed.ts';
import { everything, itemsDeps, walkCursors } from './items-pages.ts';

const pageSize = 40;
const cursorCount = 120;
/** Rendering 40 items costs about as much again as fetching them. */
const coldReached = 3;

/** Uncached pages of the timeline, over HTTP, compared with their SQL query alone. */
export async function measureColdPages(
  context: SuiteContext,
  urls: DatabaseUrls,
  address: string,
): Promise<void> {
  const { database, pool, close } = connectForBench(urls.newsReader, 'bench cold pages');
  const client = createKeepAliveClient(address);
  try {
    const deps = itemsDeps({ database, pool });
    const cursors = await walkCursors(deps, everything, pageSize, cursorCount);
    const { mode, window, by } = everything;
    const queries = await recordQueries(pool, async (recording) => {
      const through = itemsDeps({ database: recording, pool });
      for (const cursor of cursors)
        await itemsResource(through, { mode, window, by, limit: pageSize, cursor }).build();
    });
    const [pages, bare]: [number[], number[]] = [[], []];
    for (const [index, cursor] of cursors.entries()) {
      const query = queries[index];
      if (query === undefined) throw new Error('a page sent no query');
      const page = async () =>
        pages.push(
          await elapsedMs(() => client.read(`/timeline?mode=${mode}&language=all&cursor=${cursor}`)),
        );
      const rows = async () => bare.push(await elapsedMs(() => pool.query(query)));
      for (const run of index % 2 === 0 ? [page, rows] : [rows, page]) await run();
    }
    context.ratio({
      name: 'cold page of the timeline over HTTP, p95, times its bare SQL',
      unit: 'ms',
      ours: percentiles(pages),
      bare: percentiles(bare),
      goal: { atMost: 1.5 },
      reached: coldReached,
    });
  } finally {
    client.close();
    await close();
  }
}

/** The 95th percentile of each round of 20 pages. */
function percentiles(times: readonly number[]): readonly number[] {
  const rounds = Array.from({ length: Math.floor(times.length / 20) }, (_, round) =>
    times.slice(round * 20, round * 20 + 20),
  );
  return rounds.map((round) => quantile(round, 0.95));
}
