import { describe, expect, test } from 'vitest';

import { isoMilliseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import type { FeedDocument } from './feed-document.ts';
import type { ParsedFeed } from './feed.ts';
import { parseFeed } from './parse-feed.ts';

const received = parseIsoDatetime('2026-11-15T12:00:00Z');
if (!received.ok) throw new Error('unreachable');
const receivedAt = received.value;

function documentOf(text: string, more: Partial<FeedDocument> = {}): FeedDocument {
  const bytes = new TextEncoder().encode(text);
  return { bytes, contentType: null, url: 'https://site.example/feed.xml', receivedAt, ...more };
}

function read(text: string, more: Partial<FeedDocument> = {}): ParsedFeed {
  const parsed = parseFeed(documentOf(text, more));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const rss = (items: string, channel = ''): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Site</title><link>https://site.example/</link>${channel}${items}</channel></rss>`;
const atom = (entries: string, attributes = ''): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>Site</title>${entries}</feed>`;
const shown = (instant: Parameters<typeof isoMilliseconds>[0] | null): string | null =>
  instant === null ? null : isoMilliseconds(instant);

describe('identity', () => {
  const keysOf = (text: string): readonly (readonly string[])[] =>
    read(text).entries.map(({ keys }) => keys.map(({ from }) => from));
  const values = (feed: ParsedFeed): readonly (readonly string[])[] =>
    feed.entries.map(({ keys }) => keys.map(({ value }) => value));

  test('identifies an Atom entry without id by its address', () => {
    const feed = atom('<entry><title>One</title><link href="https://site.example/one"/></entry>');
    expect(keysOf(feed)).toEqual([['address']]);
  });

  test('distinguishes entries with the same guid by their addresses', () => {
    const item = (name: string): string =>
      `<item><guid>same</guid><title>${name}</title><link>https://site.example/${name}</link></item>`;
    const feed = read(rss(item('one') + item('two')));
    expect(feed.entries.map(({ title }) => title)).toEqual(['one', 'two']);
    expect(new Set(feed.entries.map(({ keys }) => keys[0].value)).size).toBe(2);
    expect(feed.entries[0]?.keys[0].from).toBe('guid and address');
  });

  test('distinguishes entries with the same guid and address by their text', () => {
    const item = (name: string): string =>
      `<item><guid>same</guid><title>${name}</title><link>https://site.example/</link></item>`;
    expect(keysOf(rss(item('one') + item('two')))).toEqual([['text'], ['text']]);
  });

  test('reads an entry that a feed contains twice once', () => {
    const item = '<item><guid>1</guid><title>One</title><link>https://site.example/one</link></item>';
    const feed = read(rss(item + item));
    expect(feed.entries).toHaveLength(1);
    expect(feed.omitted.repeatedEntries).toBe(1);
  });

  test('an entry whose guid changes shares its address key with the one before', () => {
    const item = (guid: string): string =>
      rss(
        `<item><guid isPermaLink="false">${guid}</guid><title>One</title><link>https://site.example/one</link></item>`,
      );
    const [before = []] = values(read(item('old')));
    const [after = []] = values(read(item('new')));
    expect(before[0]).not.toBe(after[0]);
    expect(after.filter((value) => before.includes(value))).toHaveLength(1);
  });

  test('keys stay the same when a site moves to https or adds tracking parameters', () => {
    const item = (base: string, more = ''): string =>
      rss(`<item><guid>${base}/one</guid><title>One</title><link>${base}/one${more}</link></item>`);
    expect(values(read(item('http://www.site.example')))).toEqual(
      values(read(item('https://site.example', '?utm_source=rss'))),
    );
  });

  test('the address of the site itself identifies no entry', () => {
    expect(
      keysOf(rss('<item><guid>1</guid><title>One</title><link>https://site.example</link></item>')),
    ).toEqual([['guid', 'guid and address']]);
  });

  test('a YouTube video and a GitHub release stay unrevised when an edit changes their date', () => {
    const release = (updated: string): string =>
      atom(
        `<entry><id>tag:github.com,2008:Repository/1/v1</id><updated>${updated}</updated><link rel="alternate" href="https://github.com/a/b/releases/tag/v1"/><title>v1</title><content type="html">&lt;p&gt;Fixes&lt;/p&gt;</content></entry>`,
      );
    const [before] = read(release('2026-11-01T00:00:00Z')).entries;
    const [after] = read(release('2026-11-14T09:00:00Z')).entries;
    expect(after?.keys).toEqual(before?.keys);
    expect(after?.fingerprint).toBe(before?.fingerprint);
    expect(after?.published.instant).toBeNull();

    const video = (updated: string, views: number): string =>
      atom(
        `<entry><id>yt:video:abc</id><title>Talk</title><link rel="alternate" href="https://www.youtube.com/watch?v=abc"/><published>2026-11-01T00:00:00+00:00</published><updated>${updated}</updated><media:group><media:title>Talk</media:title><media:thumbnail url="https://i.ytimg.example/abc.jpg"/><media:description>About models</media:description><media:community><media:statistics views="${views}"/></media:community></media:group></entry>`,
        'xmlns:media="http://search.yahoo.com/mrss/"',
      );
    const [first] = read(video('2026-11-02T00:00:00+00:00', 10)).entries;
    const [second] = read(video('2026-11-14T00:00:00+00:00', 4_000)).entries;
    expect(second).toEqual({ ...first, updated: second?.updated });
    expect(shown(second?.published.instant ?? null)).toBe('2026-11-01T00:00:00.000Z');
    expect(second?.summary).toBe('About models');
    expect(second?.image).toBe('https://i.ytimg.example/abc.jpg');
  });

  test('a changed title or text is a revision; a changed counter is not', () => {
    const item = (title: string, text: string): string =>
      rss(`<item><guid>1</guid><title>${title}</title><description>${text}</description></item>`);
    const print = (text: string): string | undefined => read(text).entries[0]?.fingerprint;
    const before = print(item('One', 'Points: 12'));
    expect(print(item('One', 'Points: 940'))).toBe(before);
    expect(print(item('Two', 'Points: 12'))).not.toBe(before);
    expect(print(item('One', 'Raised $12'))).not.toBe(print(item('One', 'Raised $13')));
  });
});

describe('dates', () => {
  const dated = (...dates: readonly string[]): string =>
    rss(
      dates
        .map((date, at) => `<item><guid>${at}</guid><title>${at}</title><pubDate>${date}</pubDate></item>`)
        .join(''),
    );
  const firstDate = (text: string, more: Partial<FeedDocument> = {}): ParsedFeed['published'] | undefined =>
    read(text, more).entries[0]?.published;

  test('reads a date without zone in the zone of the language, and marks it', () => {
    expect(firstDate(dated('2026-11-15 09:00:00'))).toMatchObject({ doubt: 'zone assumed' });
    expect(shown(firstDate(dated('2026-11-15 09:00:00'))?.instant ?? null)).toBe('2026-11-15T09:00:00.000Z');
    const chinese = firstDate(dated('2026-11-15 19:00:00'), { language: 'zh-CN' });
    expect(shown(chinese?.instant ?? null)).toBe('2026-11-15T11:00:00.000Z');
    const configured = firstDate(dated('2026-11-15 09:00:00'), { assumedOffset: '-05:00' });
    expect(configured?.doubt).toBe('in the future');
  });

  test('a date in the future becomes unknown, with the original text stored', () => {
    expect(firstDate(dated('Mon, 16 Nov 2026 12:00:00 GMT'))).toEqual({
      raw: 'Mon, 16 Nov 2026 12:00:00 GMT',
      instant: null,
      doubt: 'in the future',
    });
  });

  test('accepts the date of a publisher whose clock is a minute ahead', () => {
    expect(firstDate(dated('Sun, 15 Nov 2026 12:01:00 GMT'))?.instant).toBe(receivedAt);
  });

  test('one date for all entries is the build time and becomes unknown', () => {
    const same = 'Sun, 15 Nov 2026 06:15:27 GMT';
    const feed = read(dated(same, same, same));
    expect(feed.entries.map(({ published }) => published.doubt)).toEqual(
      Array(3).fill('shared by all entries'),
    );
    expect(feed.entries.map(({ published }) => published.instant)).toEqual([null, null, null]);
  });

  test('accepts one midnight for all entries, as in arXiv feeds', () => {
    const same = 'Sun, 15 Nov 2026 00:00:00 -0500';
    expect(read(dated(same, same, same)).entries.every(({ published }) => published.instant !== null)).toBe(
      true,
    );
  });

  test('a date at the beginning of 1970 becomes unknown', () => {
    expect(firstDate(dated('Thu, 01 Jan 1970 00:00:00 GMT'))).toMatchObject({
      instant: null,
      doubt: 'implausible',
    });
  });
});

describe('reads a feed', () => {
  test('with blank lines, a byte order mark or a comment before the XML declaration', () => {
    const feed = rss('<item><title>One</title></item>');
    for (const before of ['\n\n  ', '\ufeff', '\ufeff\n', '<!-- generated -->\n'])
      expect(read(before + feed).entries).toHaveLength(1);
  });

  test('with tags that are never closed, bare ampersands and unknown entities', () => {
    const [entry] = read(
      '<rss><channel><item><title>Q&A: R&D &nbsp;&foo; AT&T</title><description><p>One<br>two</description></item>',
    ).entries;
    expect(entry?.title).toBe('Q&A: R&D &foo; AT&T');
    expect(entry?.summary).toBe('One\ntwo');
  });

  test('embedded in a page', () => {
    expect(
      read(`<html><body>${atom('<entry><title>One</title></entry>')}</body></html>`).entries,
    ).toHaveLength(1);
  });
});

describe('refuses other documents', () => {
  const reason = (text: string): string | null => {
    const parsed = parseFeed(documentOf(text));
    return parsed.ok ? null : parsed.reason;
  };

  test('a challenge page with status 200 is not an empty feed', () => {
    const cloudflare =
      '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><div class="main-wrapper"><noscript>Enable JavaScript and cookies to continue</noscript></div><script>window._cf_chl_opt={cvId:"3"}</script></body></html>';
    expect(reason(cloudflare)).toBe('challenge page');
    expect(
      reason(
        '<html><head><title>环境异常</title></head><body>当前环境异常,完成验证后即可继续访问。</body></html>',
      ),
    ).toBe('challenge page');
  });

  test('a consent page is recognised', () => {
    const consent =
      '<html><head><title>Before you continue to Google Search</title></head><body><p>We use cookies and data to deliver services.</p><button>Reject all</button><button>Accept all</button><a>Manage options</a></body></html>';
    expect(reason(consent)).toBe('consent page');
  });

  test.each([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['<!doctype html><title>News</title><body><p>Hello', 'web page'],
    ['{"error":', 'malformed'],
    ['{"items":[]}', 'unknown format'],
    ['<opml version="2.0"><body/></opml>', 'unknown format'],
    ['nothing at all', 'malformed'],
  ])('%j is %s', (text, expected) => {
    expect(reason(text)).toBe(expected);
  });

  test('but accepts an empty feed', () => {
    expect(read(rss('')).entries).toEqual([]);
  });
});

describe('addresses', () => {
  test('are resolved against xml:base, else the site, else the document', () => {
    const based = atom(
      '<entry xml:base="posts/"><title>One</title><link href="one"/></entry>',
      'xml:base="https://other.example/blog/"',
    );
    expect(read(based).entries[0]?.link).toBe('https://other.example/blog/posts/one');
    const item = '<item><title>One</title><link>/one</link></item>';
    expect(read(rss(item), { url: 'https://feeds.example/site' }).entries[0]?.link).toBe(
      'https://site.example/one',
    );
    expect(
      read(`<rss><channel>${item}</channel></rss>`, { url: 'https://feeds.example/x/y' }).entries[0]?.link,
    ).toBe('https://feeds.example/one');
  });

  test('of a feed service resolve to the article', () => {
    const [entry] = read(
      '<rss xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><channel><item><title>One</title><link>http://feedproxy.google.com/~r/site/~3/abc/</link><feedburner:origLink>https://site.example/one?utm_source=feedburner</feedburner:origLink></item></channel></rss>',
    ).entries;
    expect(entry?.link).toBe('https://site.example/one');
    expect(entry?.linkIsRedirector).toBe(false);
  });

  test('that are not http or https are dropped', () => {
    expect(
      read(rss('<item><title>One</title><link>javascript:alert(1)</link></item>')).entries[0]?.link,
    ).toBeNull();
  });
});

test('removes the publisher that an aggregator appends to a title', () => {
  const titleOf = (title: string, publisher: string): string | undefined =>
    read(rss(`<item><title>${title}</title><source url="https://site.example">${publisher}</source></item>`))
      .entries[0]?.title;
  expect(titleOf('A lab opens - The Site', 'The Site')).toBe('A lab opens');
  expect(titleOf('A lab | of its own | The Site', 'The Site')).toBe('A lab | of its own');
  expect(titleOf('A lab opens - in Paris', 'The Site')).toBe('A lab opens - in Paris');
  expect(titleOf('The Site', 'The Site')).toBe('The Site');
  expect(titleOf('A lab opens', '')).toBe('A lab opens');
});

test('reads the stated interval, the hub and the new address of a feed', () => {
  const channel = `<ttl>90</ttl><sy:updatePeriod xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
    <skipHours><hour>0</hour><hour>24</hour><hour>23</hour></skipHours><skipDays><day>Sunday</day></skipDays>
    <atom:link rel="hub" href="https://hub.example/"/><atom:link rel="self" href="https://site.example/feed.xml"/>
    <itunes:new-feed-url>https://new.example/feed</itunes:new-feed-url>`;
  expect(read(rss('', channel))).toMatchObject({
    pace: { ttlSeconds: 5_400, updatePeriodSeconds: 21_600, skipHours: [0, 0, 23], skipDays: [7] },
    webSub: { hubs: ['https://hub.example/'], self: 'https://site.example/feed.xml' },
    newAddress: 'https://new.example/feed',
  });
});

test('reads JSON Feed', () => {
  const feed = read(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Site',
      home_page_url: 'https://site.example/',
      language: 'en-us',
      hubs: [{ type: 'WebSub', url: 'https://hub.example/' }],
      items: [
        {
          id: 7,
          url: '/one',
          title: 'One &amp; two',
          content_html: '<p>Text</p>',
          date_published: '2026-11-14T08:00:00+08:00',
          authors: [{ name: 'Ada' }],
        },
      ],
    }),
  );
  expect(feed).toMatchObject({
    format: 'json feed',
    language: 'en-US',
    webSub: { hubs: ['https://hub.example/'] },
  });
  expect(feed.entries[0]).toMatchObject({
    guid: '7',
    link: 'https://site.example/one',
    title: 'One & two',
    content: 'Text',
    authors: ['Ada'],
    language: 'en-US',
  });
});

test('stops at the bounds of an expensive document and returns the entries before them', () => {
  const entry = '<item><title>One</title></item>';
  const deep = read(rss(`${entry}${'<a>'.repeat(10_000)}`));
  expect(deep.omitted.endedEarly).toBe(true);
  expect(deep.entries).toHaveLength(1);
  const many = read(
    rss(Array.from({ length: 2_100 }, (_, at) => `<item><title>${at}</title></item>`).join('')),
  );
  expect(many.entries).toHaveLength(2_000);
  expect(many.omitted.entriesBeyondBound).toBe(100);
});

test('does not expand entities that refer to other entities or to files', () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>${rss('<item><title>&a; &b; &c;</title></item>').slice(21)}`;
  expect(read(bomb).entries[0]?.title).toBe('ha &b; &c;');
});
