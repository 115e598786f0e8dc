import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createWorld, startPublishers } from '@daybook/newswire';

import { dayMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { createFetcher } from '../../../apps/server/src/ingest/index.ts';
import { announceReady } from '../server-usage.ts';

// The feeds of a simulated world, built in advance: their cost is not part of the measurement.
const outlets = Number(process.argv[2]);
const startsAt = systemClock.nowMs() - 2 * dayMs;
const world = createWorld({
  seed: 1_310,
  startsAt,
  outlets,
  domains: outlets,
  itemsPerDay: 4 * outlets,
  days: 3,
});
const sources = world.sources();

interface Feed {
  readonly body: Buffer;
  readonly contentType: string;
}

async function collectFeeds(): Promise<ReadonlyMap<string, Feed>> {
  const publishers = await startPublishers({ world, nowMs: systemClock.nowMs, cacheHints: false });
  const fetcher = createFetcher({
    userAgent: 'Daybook/bench',
    clock: systemClock,
    examplePort: publishers.port,
  });
  const feeds = new Map<string, Feed>();
  for (const { feedUrl } of sources) {
    const answer = await fetcher.fetch({
      url: feedUrl,
      accept: '*/*',
      bytesMax: 8_000_000,
      deadlineMs: 60_000,
    });
    if (answer.kind !== 'document') throw new Error(`${feedUrl}: ${answer.kind}`);
    feeds.set(addressOf(feedUrl), {
      body: Buffer.from(answer.bytes),
      contentType: answer.contentType ?? 'application/xml',
    });
  }
  await fetcher.close();
  await publishers.close();
  return feeds;
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const feeds = await collectFeeds();
let answers = 0;
const server = createServer(({ headers, url }, response) => {
  const feed = feeds.get(`${headers.host ?? ''}${url ?? ''}`);
  if (feed === undefined) {
    response.writeHead(404).end();
    return;
  }
  answers += 1;
  // Never the same bytes twice, so that every response has to be parsed.
  const body = Buffer.concat([feed.body, Buffer.alloc(1 + (answers % 1_000), ' ')]);
  response.writeHead(200, { 'content-type': feed.contentType, 'content-length': body.length }).end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  announceReady({ port, sources: sources.map(({ feedUrl, language }) => ({ feedUrl, language })) });
});
