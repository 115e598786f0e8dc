import type { SuiteContext } from '@daybook/evidence';
import type pg from 'pg';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { ItemPosition } from '../../../apps/server/src/news/items/items-query.ts';
import { readPosition, spanOf } from '../../../apps/server/src/news/items/items-query.ts';
import { readItemsPage } from '../../../apps/server/src/news/items/items-representation.ts';
import { connectForBench } from '../measured-api.ts';
import { touchedBuffersOf } from '../touched-buffers.ts';
import { everything, itemsDeps, walkCursors } from './items-pages.ts';

const limit = 40;
const pagesDeep = 200;

interface TouchedBuffers {
  readonly first: number;
  readonly deep: number;
}

/** Buffers that a page touches with a small archive behind the window and with a large one. */
export async function measurePageGrowth(
  context: SuiteContext,
  [small, large]: readonly [DatabaseUrls, DatabaseUrls],
  archived: string,
): Promise<void> {
  const [few, many] = [await touchedBuffers(small), await touchedBuffers(large)];
  for (const [page, name] of [
    ['first', 'first page'],
    ['deep', `page ${pagesDeep}`],
  ] as const) {
    context.ratio({
      name: `buffers of the ${name}, archive of ${archived}`,
      unit: 'buffers',
      ours: [many[page]],
      bare: [few[page]],
      goal: { atMost: 1.2 },
    });
  }
}

async function touchedBuffers(urls: DatabaseUrls): Promise<TouchedBuffers> {
  const { database, pool, close } = connectForBench(urls.newsReader, 'bench growth');
  try {
    const deps = itemsDeps({ database, pool });
    const cursor = (await walkCursors(deps, everything, limit, pagesDeep - 1)).at(-1) ?? '';
    const position = readPosition(cursor, everything, spanOf(everything.window, deps.clock.now()));
    return { first: await buffersOfPage(pool, null), deep: await buffersOfPage(pool, position) };
  } finally {
    await close();
  }
}

function buffersOfPage(pool: pg.Pool, position: ItemPosition | null): Promise<number> {
  return touchedBuffersOf(pool, (recording) =>
    readItemsPage(itemsDeps({ database: recording, pool }), everything, position, limit),
  );
}
