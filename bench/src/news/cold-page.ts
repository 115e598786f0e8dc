import type { SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import { Representation } from '../../../apps/server/src/foundation/cache/representation.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { itemsResource } from '../../../apps/server/src/news/items/items-representation.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { connectForBench } from '../measured-api.ts';
import { recordQueries } from '../recorded-queries.ts';
import { elapsedMs } from './elapsed.ts';
import { everything, itemsDeps, walkCursors } from './items-pages.ts';
import { startNewsChild } from './news-child.ts';

const limit = 50;
const cursorCount = { quick: 40, full: 150 } as const;

/** Uncached pages of items, compared with their SQL query alone, its rows discarded. */
export async function measureColdPage(context: SuiteContext, urls: DatabaseUrls): Promise<void> {
  const { database, pool, close } = connectForBench(urls.newsReader, 'bench cold');
  const daybook = await startNewsChild(urls);
  const client = createKeepAliveClient(daybook.address);
  try {
    const deps = itemsDeps({ database, pool });
    const cursors = await walkCursors(deps, everything, limit, cursorCount[context.quick ? 'quick' : 'full']);
    const { mode, window, by } = everything;
    const build = (cursor: string, through = deps) =>
      itemsResource(through, { mode, window, by, limit, cursor }).build();
    const queries = await recordQueries(pool, async (recording) => {
      for (const cursor of cursors) await build(cursor, itemsDeps({ database: recording, pool }));
    });
    const [built, sent, bare]: [number[], number[], number[]] = [[], [], []];
    const rounds = context.quick ? 2 : 21;
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, cursor] of cursors.entries()) {
        const query = queries[index];
        if (query === undefined) throw new Error('a page sent no query');
        const page = async () =>
          built.push(await elapsedMs(async () => new Representation(await build(cursor))));
        const rows = async () => bare.push(await elapsedMs(() => pool.query(query)));
        for (const run of (index + round) % 2 === 0 ? [page, rows] : [rows, page]) await run();
        // The api caches its pages, so over HTTP each page is cold once.
        const path = `/api/v1/items?mode=${mode}&limit=${limit}&cursor=${cursor}`;
        if (round === rounds - 1) sent.push(await elapsedMs(() => client.read(path)));
      }
    }
    const [ours, theirs] = [median(built), median(bare)];
    context.figure({ name: 'cold page of 50 items, its bare SQL, median', value: theirs, unit: 'ms' });
    context.figure({ name: 'cold page of 50 items, built, median', value: ours, unit: 'ms' });
    context.figure({
      name: 'cold page of 50 items adds to its bare SQL',
      value: ours - theirs,
      unit: 'ms',
      goal: { atMost: 1.5 },
    });
    context.figure({ name: 'cold page of 50 items over HTTP, median', value: median(sent), unit: 'ms' });
  } finally {
    client.close();
    await daybook.stop();
    await close();
  }
}
