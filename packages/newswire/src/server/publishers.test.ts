import { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { parseFeed } from 'feedsmith';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Got } from '../../test/http-get.ts';
import { httpGet } from '../../test/http-get.ts';
import type { Outlet } from '../dispatch.ts';
import type { Publishers, StandingEntry } from '../index.ts';
import { createWorld, startPublishers } from '../index.ts';
import type { FeedFormat } from '../site/outlet-traits.ts';
import { feedAddress, outletTraits } from '../site/outlet-traits.ts';

const day = 86_400_000;
const startsAt = Date.UTC(2026, 8, 1);
const world = createWorld({ seed: 31, startsAt, itemsPerDay: 400 });
const noon = startsAt + 8 * day;
let now = noon;
let publishers: Publishers;
let agent: Agent;

beforeAll(async () => {
  publishers = await startPublishers({ world, nowMs: () => now });
  agent = new Agent({ keepAlive: true });
});
beforeEach(() => {
  now = noon;
});
afterAll(async () => {
  agent.destroy();
  await publishers.close();
});

const get = (address: string, headers?: Record<string, string>): Promise<Got> =>
  httpGet(publishers.port, address, headers, agent);

const outletOf = (shape: Outlet['shape'], wanted: (outlet: Outlet) => boolean = () => true): Outlet =>
  world.outlets.find((outlet) => outlet.shape === shape && wanted(outlet))!;

interface Read {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly date: string;
}

/** The entries of a feed, whatever its format. */
async function readFeed(outlet: Outlet, format?: FeedFormat): Promise<Read[]> {
  const { status, body } = await get(feedAddress(world.seed, outlet, format));
  expect(status).toBe(200);
  return entriesOf(new TextDecoder(isJson(body) ? 'utf-8' : encodingOf(outlet)).decode(body));
}

const isJson = (body: Buffer): boolean => body[0] === '{'.charCodeAt(0);
const encodingOf = (outlet: Outlet): string => outletTraits(world.seed, outlet).encoding;

function entriesOf(text: string): Read[] {
  const parsed = parseFeed(text);
  if (parsed.format === 'atom')
    return (parsed.feed.entries ?? []).map((entry) => ({
      id: entry.id ?? '',
      title: (typeof entry.title === 'string' ? entry.title : entry.title?.value) ?? '',
      link: entry.links?.find(({ rel }) => rel === 'alternate')?.href ?? '',
      date: entry.published ?? entry.updated ?? '',
    }));
  if (parsed.format === 'json')
    return (parsed.feed.items ?? []).map((item) => ({
      id: item.id ?? '',
      title: item.title ?? '',
      link: item.url ?? '',
      date: item.date_published ?? '',
    }));
  if (parsed.format === 'rdf')
    return (parsed.feed.items ?? []).map((item) => ({
      id: item.rdf?.about ?? '',
      title: item.title ?? '',
      link: item.link ?? '',
      date: item.dc?.dates?.[0] ?? '',
    }));
  return (parsed.feed.items ?? []).map((item) => ({
    id: item.guid?.value ?? '',
    title: item.title ?? '',
    link: item.link ?? '',
    date: item.pubDate ?? '',
  }));
}

describe('feeds', () => {
  test('of every shape are equal in all four formats', { timeout: 60_000 }, async () => {
    for (const shape of [
      'site',
      'video',
      'releases',
      'preprints',
      'podcast',
      'headlines',
      'planet',
    ] as const) {
      const outlet = outletOf(shape);
      const [first, ...others] = await Promise.all(
        (['rss2', 'rss1', 'atom', 'json'] as const).map((format) => readFeed(outlet, format)),
      );
      expect(first!.length).toBeGreaterThan(0);
      for (const other of others) {
        expect(other.map(({ title, link }) => [title, link])).toEqual(
          first!.map(({ title, link }) => [title, link]),
        );
      }
    }
  });

  test('contain the entries of the world, in order of appearance', async () => {
    const standing = [...world.standing({ fromMs: now, toMs: now })];
    for (const outlet of [outletOf('site'), outletOf('site', ({ language }) => language === 'zh')]) {
      const expected = standing
        .filter((entry) => entry.outlet === outlet)
        .toSorted((one, other) => other.fromMs - one.fromMs);
      const read = await readFeed(outlet);
      expect(read.map(({ link }) => link)).toEqual(expected.map(({ address }) => address));
      expect(read.map(({ link }) => world.keyOf(link))).toEqual(
        expected.map(({ dispatchKey }) => dispatchKey),
      );
    }
  });

  test('of a section contain the entries of that section in the site’s feed', async () => {
    const outlet = outletOf('site');
    const all = await readFeed(outlet, 'rss2');
    const wanted = all.filter(({ link }) => world.dispatch(world.keyOf(link)!)!.category === 'industry');
    const { text } = await get(`${outlet.home}category/industry/feed.xml`);
    expect(entriesOf(text)).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(0);
  });

  test('are compressed for clients that accept it, in the encoding that they declare', async () => {
    const outlet = outletOf('site', (one) => outletTraits(world.seed, one).compresses);
    const zipped = await get(feedAddress(world.seed, outlet), { 'accept-encoding': 'br, gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    const plain = await get(feedAddress(world.seed, outlet));
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
    const chinese = createWorld({ seed: 31, startsAt, outlets: 300 });
    const gbk = chinese.outlets.find((one) => outletTraits(31, one).encoding === 'gbk')!;
    const other = await startPublishers({ world: chinese, nowMs: () => now });
    const { body, headers } = await httpGet(other.port, feedAddress(31, gbk, 'rss2'));
    await other.close();
    expect(headers['content-type']).toContain('charset=gbk');
    expect(new TextDecoder('gbk', { fatal: true }).decode(body)).toContain(
      '<?xml version="1.0" encoding="gbk"?>',
    );
  });
});

describe('conditional requests', () => {
  const withValidators = (validators: string): Outlet =>
    outletOf('site', (outlet) => outletTraits(world.seed, outlet).validators === validators);

  test('return 304 with an empty body until the feed changes, then 200 with other validators', async () => {
    for (const validators of ['etag', 'last-modified', 'both']) {
      const outlet = withValidators(validators);
      const address = feedAddress(world.seed, outlet);
      const first = await get(address);
      const { etag, 'last-modified': modified } = first.headers;
      const conditions = {
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(modified === undefined ? {} : { 'if-modified-since': modified }),
      };
      const again = await get(address, conditions);
      expect([again.status, again.body.length]).toEqual([304, 0]);
      const [next] = [...world.standing({ fromMs: now, toMs: now + 5 * day })]
        .filter((entry) => entry.outlet === outlet && entry.fromMs > now)
        .toSorted((one, other) => one.fromMs - other.fromMs);
      now = next!.fromMs;
      const changed = await get(address, conditions);
      expect(changed.status).toBe(200);
      expect(changed.headers.etag ?? changed.headers['last-modified']).not.toBe(etag ?? modified);
      now = noon;
    }
  });

  test('show an entry of a discussion board from the moment it appears, although its points change', async () => {
    const outlet = outletOf('discussion');
    const appearing = [...world.standing({ fromMs: noon, toMs: noon + 5 * day })].filter(
      (entry) => entry.outlet === outlet && entry.fromMs > noon,
    );
    const shown = async (atMs: number, key: string): Promise<boolean> => {
      now = atMs;
      const text = (await get(feedAddress(world.seed, outlet))).body.toString();
      return (text.match(/https?:[^"<\s]+/gu) ?? []).some((address) => world.keyOf(address) === key);
    };
    for (const { fromMs, dispatchKey } of appearing.slice(0, 5))
      expect([await shown(fromMs - 1, dispatchKey), await shown(fromMs + 1, dispatchKey)]).toEqual([
        false,
        true,
      ]);
    now = noon;
    expect(appearing.length).toBeGreaterThan(0);
  });

  test('have no validators for some outlets', async () => {
    const { headers } = await get(feedAddress(world.seed, withValidators('none')));
    expect([headers.etag, headers['last-modified']]).toEqual([undefined, undefined]);
  });

  test('get no polling interval without cache hints', async () => {
    const hinted = await get(feedAddress(world.seed, hintedOutlet()));
    expect(hinted.headers['cache-control']).toMatch(/^max-age=\d+$/);
    const quiet = await startPublishers({ world, nowMs: () => now, cacheHints: false });
    const { headers, text } = await httpGet(quiet.port, feedAddress(world.seed, hintedOutlet(), 'rss2'));
    await quiet.close();
    expect(headers['cache-control']).toBeUndefined();
    expect(text).not.toContain('<ttl>');
  });

  const hintedOutlet = (): Outlet =>
    outletOf('site', (outlet) => {
      const { maxAgeSeconds, ttlMinutes } = outletTraits(world.seed, outlet);
      return maxAgeSeconds !== null && ttlMinutes !== null;
    });
});

describe('changed entries', () => {
  const entries = [...world.standing({ fromMs: noon, toMs: noon + 3 * day })].filter(
    ({ outlet, fromMs }) => outlet.shape === 'site' && fromMs > noon,
  );
  const changed = (wanted: (entry: StandingEntry) => boolean): StandingEntry => entries.find(wanted)!;
  const inFeed = async ({ outlet, address }: StandingEntry, at: number): Promise<Read | undefined> => {
    now = at;
    return (await readFeed(outlet)).find(({ link }) => link === address);
  };

  test('an edited entry keeps its address and id and gets another text', async () => {
    const entry = changed(({ editedMs }) => editedMs.length > 0);
    const [editedAt] = entry.editedMs;
    const before = await inFeed(entry, editedAt! - 1000);
    const pageBefore = await get(entry.address);
    const after = await inFeed(entry, editedAt! + 1000);
    const pageAfter = await get(entry.address);
    expect([after!.id, after!.link]).toEqual([before!.id, before!.link]);
    expect(pageAfter.text).not.toBe(pageBefore.text);
    expect(pageAfter.text).toContain(
      world.article(entry.dispatchKey, editedAt! + 1000)!.editedAt[0]!.slice(0, 10),
    );
  });

  test('a withdrawn entry leaves the feed and its page returns 410', async () => {
    const entry = changed(({ dispatchKey, untilMs }) => {
      const { withdrawnAt } = world.dispatch(dispatchKey)!;
      return withdrawnAt !== null && Math.abs(Date.parse(withdrawnAt) - untilMs) < 2;
    });
    expect(await inFeed(entry, entry.untilMs - 1000)).toBeDefined();
    expect((await get(entry.address)).status).toBe(200);
    expect(await inFeed(entry, entry.untilMs + 1000)).toBeUndefined();
    expect((await get(entry.address)).status).toBe(410);
  });

  test('a vanished entry leaves the feed and its page stays', async () => {
    const entry = changed(
      ({ outlet, dispatchKey, untilMs, fromMs }) =>
        world.dispatch(dispatchKey)!.withdrawnAt === null &&
        entries.some((other) => other.outlet === outlet && other.fromMs < fromMs && other.untilMs > untilMs),
    );
    expect(await inFeed(entry, entry.untilMs - 1000)).toBeDefined();
    expect(await inFeed(entry, entry.untilMs + 1000)).toBeUndefined();
    expect((await get(entry.address)).status).toBe(200);
  });
});

describe('pages', () => {
  test('of articles contain every paragraph, in every layout', async () => {
    const layouts = new Set<number>();
    for (const outlet of world.outlets.filter(({ shape }) => shape === 'site').slice(0, 40)) {
      const { layout, encoding } = outletTraits(world.seed, outlet);
      const [entry] = await readFeed(outlet);
      if (entry === undefined || layouts.has(layout)) continue;
      layouts.add(layout);
      const { status, body, headers } = await get(entry.link);
      expect([status, headers['content-type']]).toEqual([200, `text/html; charset=${encoding}`]);
      const html = new TextDecoder(encoding).decode(body).replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      for (const paragraph of world.article(world.keyOf(entry.link)!, now)!.paragraphs)
        expect(html).toContain(paragraph);
    }
    expect(layouts.size).toBe(5);
  });

  test('list the entries of the feed with their titles on the front page', async () => {
    const outlet = outletOf('site');
    const [{ text }, entries, list] = await Promise.all([
      get(outlet.home),
      readFeed(outlet),
      get(`${outlet.home}api/posts.json`),
    ]);
    for (const { link } of entries.slice(0, 10)) expect(text).toContain(`href="${link}"`);
    expect(text).toContain(`href="${feedAddress(world.seed, outlet, 'atom')}"`);
    const { posts } = JSON.parse(list.text) as { posts: { url: string }[] };
    expect(posts.map(({ url }) => url)).toEqual(entries.slice(0, 20).map(({ link }) => link));
  });

  test('return 404 for an unpublished article, an unknown path and an unknown host', async () => {
    const future = [...world.standing({ fromMs: noon + day, toMs: noon + 2 * day })].find(
      ({ fromMs }) => fromMs > noon + day,
    );
    const addresses = [future!.address, `${outletOf('site').home}nothing/here`, 'http://nobody.example/'];
    for (const address of addresses) expect((await get(address)).status).toBe(404);
    expect((await get('http://halden-wire.example/robots.txt')).text).toContain('User-agent');
  });
});

describe('aggregators', () => {
  test('link to other outlets’ articles: straight, through a redirect, or with a mark', async () => {
    const [discussed] = await readFeed(outletOf('discussion'));
    expect((await get(discussed!.link)).status).toBe(200);
    expect((await get(discussed!.id)).text).toContain(discussed!.link);
    const [redirected] = await readFeed(outletOf('headlines'));
    const { status, headers } = await get(redirected!.link);
    expect([status, world.keyOf(headers.location!)]).toEqual([302, world.keyOf(redirected!.link)]);
    const [marked] = await readFeed(outletOf('planet'));
    expect(marked!.link).toContain('utm_source=');
    expect((await get(marked!.link)).status).toBe(200);
    for (const { link } of [discussed!, redirected!, marked!])
      expect(world.dispatch(world.keyOf(link)!)).toBeDefined();
  });
});

describe('requests', () => {
  test('may name the host in their target, as for a proxy', async () => {
    const address = feedAddress(world.seed, outletOf('site'));
    const direct = await get(address);
    const proxied = await fetchThroughProxy(address);
    expect(proxied).toBe(direct.text);
  });

  async function fetchThroughProxy(address: string): Promise<string> {
    const { request } = await import('node:http');
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    request({ host: '127.0.0.1', port: publishers.port, path: address }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    })
      .on('error', reject)
      .end();
    return promise;
  }
});
