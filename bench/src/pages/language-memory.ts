import type { SuiteContext } from '@daybook/evidence';

import type { NewsChild } from '../news/news-child.ts';

const pagesOfItems = 100;

/** What the cache holds for the readers of another language: the same pages once more. */
export async function measureLanguageMemory(context: SuiteContext, daybook: NewsChild): Promise<void> {
  const read = async (path: string): Promise<string> =>
    (await fetch(daybook.address + path, { headers: { 'accept-encoding': 'br' } })).text();
  const { items } = JSON.parse(await read(`/api/v1/items?limit=${pagesOfItems}`)) as {
    items: { id: string }[];
  };
  const paths = ['', '/timeline', '/hot', '/sources', ...items.map(({ id }) => `/items/${id}`)];
  const megabytes: number[] = [];
  for (const prefix of ['', '/zh']) {
    for (const path of paths) await read(prefix + path === '' ? '/' : prefix + path);
    megabytes.push((await daybook.usage()).residentBytes / 1e6);
  }
  const [one = 0, both = 0] = megabytes;
  context.figure({ name: `memory with ${paths.length} pages in one language`, value: one, unit: 'MB' });
  context.figure({
    name: 'memory gained with the same pages in the other language',
    value: both - one,
    unit: 'MB',
    goal: { atMost: 32 },
  });
}
