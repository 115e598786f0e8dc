import { expect, test } from 'vitest';

import { startPublisher } from '../../../test/publisher-server.ts';
import { discoverFeeds } from './discover-feeds.ts';

const discover = async (body: string, status = 200) => {
  const { fetcher } = await startPublisher(
    (_, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(body),
  );
  return discoverFeeds(fetcher, 'http://lab.example/news/', {});
};

test('finds the feeds that a page names, once each and with absolute addresses', async () => {
  const found = await discover(
    '<html><head><link rel="alternate" type="application/rss+xml" title="All &amp; news" href="feed.xml"><link rel="alternate" type="application/rss+xml" href="/news/feed.xml"><link rel="alternate" type="application/atom+xml" href="https://lab.example/atom"><link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" type="application/rss+xml" href="javascript:alert(1)"></head></html>',
  );
  expect(found).toEqual({
    ok: true,
    value: [
      { feedUrl: 'http://lab.example/news/feed.xml', title: 'All & news', type: 'application/rss+xml' },
      { feedUrl: 'https://lab.example/atom', title: '', type: 'application/atom+xml' },
    ],
  });
});

test('returns no feeds for a page without any, and a reason if the page does not answer', async () => {
  expect(await discover('<html></html>')).toEqual({ ok: true, value: [] });
  expect(await discover('', 503)).toEqual({ ok: false, reason: 'status 503' });
});
