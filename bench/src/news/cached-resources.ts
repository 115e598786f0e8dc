import type { SuiteContext } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { alternatingRates, compareRates } from '../alternating-rates.ts';
import { cachedPaths } from './cached-paths.ts';
import type { NewsChild } from './news-child.ts';
import { startNewsChild } from './news-child.ts';

/** Cached responses and 304s of the whole api, and a bare Fastify with the same bytes and headers. */
export async function measureCachedResources(context: SuiteContext, urls: DatabaseUrls): Promise<void> {
  const daybook = await startNewsChild(urls);
  try {
    const bare = await startNewsChild(urls, daybook.address);
    try {
      for (const path of cachedPaths) await compareWithBare(context, path, [daybook, path], [bare, path], {});
      // The one of the two that needs more work to select the cached response.
      const path = '/api/v1/items';
      const headers = { 'if-none-match': await entityTag(daybook.address + path) };
      await compareWithBare(context, `${path}, 304`, [daybook, path], [bare, `/unchanged${path}`], headers);
    } finally {
      await bare.stop();
    }
  } finally {
    await daybook.stop();
  }
}

type Target = readonly [server: NewsChild, path: string];

export async function compareWithBare(
  context: SuiteContext,
  name: string,
  ours: Target,
  bare: Target,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const contender = <Name extends string>(of: Name, [server, path]: Target) => ({
    name: of,
    server,
    url: server.address + path,
    headers,
  });
  const rates = await alternatingRates<'daybook' | 'fastify'>(context, [
    contender('daybook', ours),
    contender('fastify', bare),
  ]);
  compareRates(context, `${name}, beside Fastify`, rates('daybook'), rates('fastify'), { atLeast: 0.9 });
}

async function entityTag(url: string): Promise<string> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}
