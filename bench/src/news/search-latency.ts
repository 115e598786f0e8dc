import type { SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';
import type { SearchTerm } from '@daybook/newswire';
import { searchTerms } from '@daybook/newswire';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { ItemsQuery } from '../../../apps/server/src/news/items/items-query.ts';
import { readItemsPage } from '../../../apps/server/src/news/items/items-representation.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { connectForBench } from '../measured-api.ts';
import { touchedBuffersOf } from '../touched-buffers.ts';
import { elapsedMs } from './elapsed.ts';
import { everything, itemsDeps } from './items-pages.ts';
import { startNewsChild } from './news-child.ts';
import { windowWorld } from './news-load.ts';

const limit = 50;
const goal = { atMost: 30 } as const;
/** A look at 4,000 rows and a search through the index, among 10 k items. */
const buffersGoal = { atMost: 1_500 } as const;

interface Timing {
  readonly term: SearchTerm;
  readonly ms: number;
}

const shares: Readonly<Record<SearchTerm['class'], string>> = {
  absent: 'absent',
  rare: 'rare',
  uncommon: '0.1 %',
  frequent: '1–2 %',
  common: '> 10 %',
};

/** One client that searches for one term after the other: in this process, and through the api. */
export async function measureSearch(
  context: SuiteContext,
  urls: DatabaseUrls,
  inWindow: number,
): Promise<void> {
  const every = context.quick ? 6 : 1;
  const terms = searchTerms(windowWorld(inWindow)).filter((_, at) => at % every === 0);
  await measureBuffers(context, urls, terms);
  // In a quick run a class has so few searches that its 95th percentile is the slowest of them, which depends more on
  // the machine than on the search: a quick run judges the buffers they read.
  if (context.quick) return;
  const rounds = 9;
  const all = await timeSearches(urls, terms, { ...everything, mode: 'all' }, rounds);
  for (const language of ['en', 'zh'] as const) {
    for (const name of Object.keys(shares) as SearchTerm['class'][]) {
      const ms = msOf(all, (term) => term.class === name && term.language === language);
      context.figure({
        name: `search, ${shares[name]}, ${language}, p95`,
        value: quantile(ms, 0.95),
        unit: 'ms',
        goal,
      });
    }
  }
  const selected = await timeSearches(urls, terms, { ...everything, mode: 'selected' }, rounds);
  const sent = await timeRequests(urls, terms, 3);
  for (const name of Object.keys(shares) as SearchTerm['class'][]) {
    const [selectedMs, sentMs] = [selected, sent].map((timings) =>
      msOf(timings, (term) => term.class === name),
    );
    context.figure({
      name: `search among the selected, ${shares[name]}, p95`,
      value: quantile(selectedMs ?? [], 0.95),
      unit: 'ms',
      goal,
    });
    context.figure({
      name: `search over HTTP, ${shares[name]}, p95`,
      value: quantile(sentMs ?? [], 0.95),
      unit: 'ms',
    });
  }
}

/** The most that one search of the class reads. */
async function measureBuffers(
  context: SuiteContext,
  urls: DatabaseUrls,
  terms: readonly SearchTerm[],
): Promise<void> {
  const { pool, close } = connectForBench(urls.newsReader, 'bench search');
  try {
    for (const [name, ofClass] of Map.groupBy(terms, (term) => term.class)) {
      const read: number[] = [];
      for (const { term } of ofClass) {
        const query = { ...everything, q: term };
        read.push(
          await touchedBuffersOf(pool, (recording) =>
            readItemsPage(itemsDeps({ database: recording, pool }), query, null, limit),
          ),
        );
      }
      context.figure({
        name: `search, ${shares[name]}, pages of memory read at most`,
        value: Math.max(...read),
        unit: 'buffers',
        ...(context.quick ? { goal: buffersGoal } : {}),
      });
    }
  } finally {
    await close();
  }
}

function msOf(timings: readonly Timing[], belongs: (term: SearchTerm) => boolean): readonly number[] {
  return timings.filter(({ term }) => belongs(term)).map(({ ms }) => ms);
}

async function timeSearches(
  urls: DatabaseUrls,
  terms: readonly SearchTerm[],
  query: ItemsQuery,
  rounds: number,
): Promise<readonly Timing[]> {
  const { database, pool, close } = connectForBench(urls.newsReader, 'bench search');
  const deps = itemsDeps({ database, pool });
  const search = ({ term }: SearchTerm) => readItemsPage(deps, { ...query, q: term }, null, limit);
  const timings: Timing[] = [];
  try {
    for (const term of terms) await search(term);
    for (let round = 0; round < rounds; round += 1) {
      for (const term of terms) timings.push({ term, ms: await elapsedMs(() => search(term)) });
    }
  } finally {
    await close();
  }
  return timings;
}

/** Another page size in each round: the api caches its search results. */
async function timeRequests(
  urls: DatabaseUrls,
  terms: readonly SearchTerm[],
  rounds: number,
): Promise<readonly Timing[]> {
  const daybook = await startNewsChild(urls);
  const client = createKeepAliveClient(daybook.address);
  const timings: Timing[] = [];
  try {
    await client.read('/api/v1/items');
    for (let round = 0; round < rounds; round += 1) {
      for (const term of terms) {
        const path = `/api/v1/items?mode=all&limit=${limit - round}&q=${encodeURIComponent(term.term)}`;
        timings.push({ term, ms: await elapsedMs(() => client.read(path)) });
      }
    }
  } finally {
    client.close();
    await daybook.stop();
  }
  return timings;
}
