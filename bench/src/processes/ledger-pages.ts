import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { announceReady } from '../server-usage.ts';

// Serves a selected set of any size, generated on demand, so that the copying client waits for nothing else.
const size = Number(process.argv[2]);
const changesPerPoll = 10;
const modulus = 2n ** 256n;
const versions = new Map<number, number>();
let polls = 0;
let hash = 0n;
for (let at = 0; at < size; at += 1) hash += digestOf(at, 0);
hash %= modulus;

function fieldsOf(at: number, version: number): Record<string, unknown> {
  const id = `01J${String(at).padStart(23, '0')}`;
  return {
    id,
    title: `Lumen opens model ${at} for planning, version ${version}`,
    originalTitle: null,
    summary: `海岸实验室发布新模型 ${at}。Its makers say that it plans a day of work in one pass, needs half of the memory of the one before and is open to everybody; three groups outside of the company have repeated the main result.`,
    source: { name: `Harbour Wire ${at % 40}` },
    links: { original: `https://harbour.example/2026/11/${at}` },
    publishedAt: '2026-11-14T08:00:00.000Z',
    discoveredAt: `2026-11-14T08:${String(at % 60).padStart(2, '0')}:00.000Z`,
    category: 'ai-models',
  };
}

function itemOf(at: number): object {
  const fields = fieldsOf(at, versions.get(at) ?? 0);
  const links = {
    item: `https://daybook.example/items/${String(fields['id'])}`,
    ...(fields['links'] as object),
  };
  return {
    ...fields,
    links,
    language: 'en',
    revisedAt: null,
    score: 50,
    selected: true,
    reason: 'It is new.',
  };
}

function digestOf(at: number, version: number): bigint {
  const fields = fieldsOf(at, version);
  const sorted = Object.fromEntries(
    Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`);
}

function snapshot(from: number, limit: number): object {
  const to = Math.min(size, from + limit);
  const items = Array.from({ length: to - from }, (_, at) => itemOf(from + at));
  const hasMore = to < size;
  return { schemaVersion: 1, cursor: 'c', hasMore, nextPage: hasMore ? String(to) : null, items };
}

/** Every request returns the same number of changed items, for any size of the set. */
function changes(): object {
  polls += 1;
  const changed = Array.from({ length: changesPerPoll }, (_, at) => (polls * 7919 + at * 104_729) % size);
  for (const at of new Set(changed)) {
    const version = versions.get(at) ?? 0;
    versions.set(at, version + 1);
    hash = (hash + digestOf(at, version + 1) - digestOf(at, version) + modulus) % modulus;
  }
  return {
    schemaVersion: 1,
    cursor: `c${polls}`,
    hasMore: false,
    changes: changed.map((at) => ({ op: 'upsert', item: itemOf(at) })),
    set: { version: 1, size, hash: hash.toString(16).padStart(64, '0') },
  };
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x');
  const limit = Number(url.searchParams.get('limit') ?? 100);
  const body = url.pathname.endsWith('/changes')
    ? changes()
    : url.pathname.endsWith('/snapshot')
      ? snapshot(Number(url.searchParams.get('page') ?? 0), limit)
      : { ...snapshot(0, limit), page: { nextCursor: null } };
  // As the news API sends them, but a list is never fresh: each call must reach the server.
  if (url.pathname.includes('/selected/'))
    response.setHeader('etag', `"${polls}"`).setHeader('cache-control', 'public, s-maxage=300');
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => {
  announceReady({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
