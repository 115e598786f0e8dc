import { expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { PublisherServer } from '../../../test/publisher-server.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { CrawlPolicy } from './crawl-policy.ts';
import type { ArticleOutcome } from './fetch-article.ts';
import { fetchArticle } from './fetch-article.ts';
import { productToken } from './user-agent.ts';

interface Site {
  readonly robots?: string | number;
  readonly tdm?: string;
  readonly headers?: Record<string, string>;
  readonly html?: string;
}

const page = '<!doctype html><html><title>Story</title><body>Text</body></html>';

async function startSite(site: Site): Promise<
  PublisherServer & {
    read: (url: string) => Promise<ArticleOutcome>;
    clock: ReturnType<typeof createTestClock>;
  }
> {
  const clock = createTestClock('2026-11-15T00:00:00.000Z');
  const publisher = await startPublisher((request, response) => {
    if (request.url === '/robots.txt') {
      const { robots = 404 } = site;
      if (typeof robots === 'number') response.writeHead(robots).end();
      else response.end(robots);
    } else if (request.url === '/.well-known/tdmrep.json') {
      if (site.tdm === undefined) response.writeHead(404).end();
      else response.end(site.tdm);
    } else if (request.url === '/moved')
      response.writeHead(302, { location: 'http://closed.example/a' }).end();
    else response.writeHead(200, { 'content-type': 'text/html', ...site.headers }).end(site.html ?? page);
  });
  const crawlPolicy = new CrawlPolicy(publisher.fetcher, clock, productToken);
  return {
    ...publisher,
    clock,
    read: async (url) => fetchArticle({ fetcher: publisher.fetcher, crawlPolicy }, url),
  };
}

test('returns a page as text, with its document', async () => {
  const { read } = await startSite({});
  expect(await read('http://site.example/a')).toMatchObject({
    kind: 'page',
    html: page,
    document: { status: 200 },
  });
});

test.each([
  ['robots.txt', { robots: 'User-agent: Daybook\nDisallow: /' }],
  ['robots.txt unreachable', { robots: 503 }],
  [
    'tdm-reservation',
    { tdm: '[{"location":"/open/*","tdm-reservation":0},{"location":"/*","tdm-reservation":1}]' },
  ],
  ['tdm-reservation', { headers: { 'tdm-reservation': '1' } }],
  ['tdm-reservation', { html: `<meta name="tdm-reservation" content="1">${page}` }],
  ['noai', { headers: { 'x-robots-tag': 'noindex, noai' } }],
  ['noai', { headers: { 'x-robots-tag': 'daybook: noai' } }],
  ['noai', { html: `<META content='noarchive, noai' name=robots>${page}` }],
] as const)('opts out by %s: %j', async (by, site) => {
  const { read } = await startSite(site);
  expect(await read('http://site.example/a')).toMatchObject({ kind: 'opted out', by });
});

test.each<Site>([
  { robots: 403 },
  { robots: 'User-agent: Otherbot\nDisallow: /' },
  { tdm: '[{"location":"/other/*","tdm-reservation":1}]' },
  { tdm: 'not json' },
  { headers: { 'tdm-reservation': '0', 'x-robots-tag': 'otherbot: noai, nosnippet' } },
  { html: `<meta name="otherbot" content="noai"><meta name="robots" content="index">${page}` },
])('reads a page despite rules for other crawlers or paths: %j', async (site) => {
  const { read } = await startSite(site);
  expect(await read('http://site.example/a')).toMatchObject({ kind: 'page' });
});

test('does not request a disallowed page, even after a redirect', async () => {
  const { read, requests } = await startSite({ robots: 'User-agent: *\nDisallow: /a' });
  expect(await read('http://site.example/moved')).toMatchObject({
    kind: 'opted out',
    url: 'http://closed.example/a',
  });
  expect(requests.filter((request) => request.endsWith(' /a'))).toEqual([]);
});

test('requests the crawl policy of a publisher once a day', async () => {
  const { read, requests, clock } = await startSite({});
  const asked = (): number => requests.filter((request) => request.endsWith('/robots.txt')).length;
  await read('http://site.example/a');
  await read('http://site.example/b');
  expect(asked()).toBe(1);
  clock.advance({ hours: 25 });
  await read('http://site.example/c');
  expect(asked()).toBe(2);
});

test('calls beforeRequest before every request, including those for the crawl policy', async () => {
  const { fetcher } = await startSite({});
  const crawlPolicy = new CrawlPolicy(fetcher, createTestClock('2026-11-15T00:00:00.000Z'), productToken);
  const turns: string[] = [];
  const beforeRequest = async (url: URL): Promise<'go' | 'defer'> => {
    turns.push(url.pathname);
    return Promise.resolve(turns.length > 2 ? 'defer' : 'go');
  };
  expect(
    await fetchArticle({ fetcher, crawlPolicy }, 'http://site.example/a', { beforeRequest }),
  ).toMatchObject({
    kind: 'deferred',
  });
  expect(turns).toEqual(['/robots.txt', '/.well-known/tdmrep.json', '/a']);
});

test('reports a document that is not a page', async () => {
  const { read } = await startSite({ headers: { 'content-type': 'application/pdf' }, html: '%PDF-1.7' });
  expect(await read('http://site.example/a')).toMatchObject({ kind: 'not a page' });
});
