import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { parseFeed } from 'feedsmith';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Got } from '../../test/http-get.ts';
import { httpGet } from '../../test/http-get.ts';
import type { FaultScope } from '../fault/fault.ts';
import type { Fault, Publishers } from '../index.ts';
import { createWorld, startPublishers } from '../index.ts';
import { feedAddress, outletTraits } from '../site/outlet-traits.ts';

const startsAt = Date.UTC(2026, 8, 1);
const world = createWorld({ seed: 3, startsAt, itemsPerDay: 300 });
const start = startsAt + 6 * 86_400_000;
let now = start;
let publishers: Publishers;
const outlet = world.outlets.find(
  (one) => one.language === 'zh' && one.shape === 'site' && outletTraits(3, one).encoding === 'utf-8',
)!;
const feed = feedAddress(world.seed, outlet, 'rss2');
const atom = feedAddress(world.seed, outlet, 'atom');

beforeAll(async () => {
  publishers = await startPublishers({ world, nowMs: () => now });
});
afterEach(() => {
  publishers.faults.clear();
  now = start;
});
afterAll(() => publishers.close());

const get = (address = feed, headers?: Record<string, string>): Promise<Got> =>
  httpGet(publishers.port, address, headers);
const spoil = (fault: Fault, scope?: FaultScope): void => publishers.faults.add(outlet, fault, scope);
const itemsOf = (text: string) => {
  const parsed = parseFeed(text);
  if (parsed.format !== 'rss') throw new Error(parsed.format);
  return parsed.feed.items ?? [];
};

describe('connections', () => {
  test('slow: delays the headers and sends the body at the configured rate', async () => {
    const { body } = await get();
    spoil({ kind: 'slow', delayMs: 80, bytesPerSecond: body.length * 5 });
    const began = performance.now();
    expect((await get()).body).toEqual(body);
    expect(performance.now() - began).toBeGreaterThan(180);
  });

  test('dead: closes the connection without a response and counts it as status 0', async () => {
    spoil({ kind: 'dead' });
    await expect(get()).rejects.toThrow(/ECONNRESET|socket hang up/);
    expect(publishers.counters.domain(outlet.domain).byStatus[0]).toBe(1);
  });

  test('silent: sends no response until the reader times out', async () => {
    spoil({ kind: 'silent' });
    const waited = Promise.race([get(), new Promise((resolve) => setTimeout(resolve, 150, 'nothing'))]);
    expect(await waited).toBe('nothing');
  });

  test('cut: sends fewer bytes than announced', async () => {
    spoil({ kind: 'cut' });
    await expect(get()).rejects.toThrow(/aborted|ECONNRESET/);
  });

  test('endless: sends more bytes than any feed has', async () => {
    spoil({ kind: 'endless' });
    const { promise, resolve } = Promise.withResolvers<number>();
    const { request } = await import('node:http');
    const { host, pathname } = new URL(feed);
    const options = { host: '127.0.0.1', port: publishers.port, path: pathname, headers: { host } };
    const asked = request(options, (response) => {
      let bytes = 0;
      response
        .on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > 5_000_000) {
            asked.destroy();
            resolve(bytes);
          }
        })
        .on('error', () => {});
    }).on('error', () => {});
    asked.end();
    expect(await promise).toBeGreaterThan(5_000_000);
  });

  test('bomb: sends a small body that unpacks to a large one', async () => {
    for (const [encoding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      publishers.faults.clear();
      spoil({ kind: 'bomb', encoding, bytes: 2 ** 25 });
      const { body, headers } = await get();
      expect(headers['content-encoding']).toBe(encoding);
      expect(unpack(body).length / body.length).toBeGreaterThan(500);
    }
  });
});

describe('other answers', () => {
  test('sends 410, 404 and 403 in a span of the world’s time, then the feed again', async () => {
    spoil({ kind: 'status', status: 410 }, { fromMs: start + 1000, untilMs: start + 2000 });
    const statuses: number[] = [];
    for (const at of [0, 1000, 1999, 2000]) {
      now = start + at;
      statuses.push((await get()).status);
    }
    expect(statuses).toEqual([200, 410, 410, 200]);
  });

  test('sends Retry-After with 429 and 503, in seconds or as a date of the world’s time', async () => {
    spoil({ kind: 'status', status: 429, retryAfter: { seconds: 120 } }, { times: 1 });
    expect((await get()).headers['retry-after']).toBe('120');
    spoil({ kind: 'status', status: 503, retryAfter: { dateInSeconds: 3600 } }, { times: 1 });
    const { status, headers } = await get();
    expect([status, Date.parse(headers['retry-after']!)]).toEqual([503, start + 3_600_000]);
    expect((await get()).status).toBe(200);
  });

  test('redirects to any address, to the feed’s new address, and in loops', async () => {
    spoil({ kind: 'redirect', status: 302, to: 'http://169.254.169.254/latest/meta-data/' }, { times: 1 });
    expect((await get()).headers.location).toBe('http://169.254.169.254/latest/meta-data/');
    spoil({ kind: 'moved', status: 308 });
    const { status, headers } = await get();
    expect(status).toBe(308);
    expect(itemsOf((await get(headers.location)).text).length).toBeGreaterThan(0);
    publishers.faults.clear();
    spoil({ kind: 'redirect-loop', steps: 2 });
    const seen = [feed];
    for (let hop = 0; hop < 4; hop += 1) seen.push((await get(seen.at(-1))).headers.location!);
    expect(new Set(seen).size).toBe(3);
    publishers.faults.clear();
    spoil({ kind: 'redirect-loop' });
    const chain = [feed];
    for (let hop = 0; hop < 6; hop += 1) chain.push((await get(chain.at(-1))).headers.location!);
    expect(new Set(chain).size).toBe(7);
  });

  test('sends challenge, consent and paywall pages with status 200, for feeds or for pages', async () => {
    const [item] = itemsOf((await get()).text);
    for (const [kind, sign] of [
      ['challenge', 'Just a moment'],
      ['consent', '在您继续之前'],
      ['paywall', '订阅后继续阅读'],
    ] as const) {
      publishers.faults.clear();
      spoil({ kind });
      const { status, text, headers } = await get();
      expect([status, headers['content-type'], text.includes(sign)]).toEqual([
        200,
        'text/html; charset=utf-8',
        true,
      ]);
      expect((await get(item!.link)).text).not.toContain(sign);
      spoil({ kind }, { on: 'page' });
      expect((await get(item!.link)).text).toContain(sign);
    }
  });

  test('sends 304 without validators, an empty body, or a wrong content type', async () => {
    spoil({ kind: 'not-modified' }, { times: 1 });
    expect((await get()).status).toBe(304);
    spoil({ kind: 'blank' }, { times: 1 });
    const blank = await get();
    expect([blank.status, blank.body.length]).toEqual([200, 0]);
    spoil({ kind: 'content-type', type: 'text/html' });
    expect((await get()).headers['content-type']).toBe('text/html');
  });

  test('serves a protected feed to clients with its password or token', async () => {
    spoil({ kind: 'password', user: 'reader', password: 'secret' });
    expect((await get()).status).toBe(401);
    const basic = `Basic ${Buffer.from('reader:secret').toString('base64')}`;
    expect((await get(feed, { authorization: basic })).status).toBe(200);
    publishers.faults.clear();
    spoil({ kind: 'bearer', token: 'abc' });
    expect((await get(feed, { authorization: basic })).status).toBe(401);
    expect((await get(feed, { authorization: 'Bearer abc' })).status).toBe(200);
  });
});

describe('documents', () => {
  test('sends an empty feed after a full one', async () => {
    expect(itemsOf((await get()).text).length).toBeGreaterThan(0);
    spoil({ kind: 'empty' });
    expect(itemsOf((await get()).text)).toEqual([]);
  });

  test('sends bytes in another encoding than header and declaration state, or states none', async () => {
    const right = (await get()).text;
    const [item] = itemsOf(right);
    spoil({ kind: 'encoding', actual: 'gbk', declared: 'utf-8' });
    const { body, headers, text } = await get();
    expect(headers['content-type']).toContain('charset=utf-8');
    expect(text).toContain('�');
    expect(new TextDecoder('gbk').decode(body)).toContain(item!.title);
    publishers.faults.clear();
    spoil({ kind: 'encoding', actual: 'gbk', declared: null });
    const undeclared = await get();
    expect(undeclared.headers['content-type']).not.toContain('charset');
    expect(undeclared.text).toMatch(/^<\?xml version="1.0"\?>/);
  });

  test('writes dates without zone, in the future, all equal, unreadable, or missing', async () => {
    const datesWith = async (
      style: Extract<Fault, { kind: 'dates' }>['style'],
    ): Promise<(string | undefined)[]> => {
      publishers.faults.clear();
      spoil({ kind: 'dates', style });
      return itemsOf((await get()).text).map(({ pubDate }) => pubDate);
    };
    for (const date of await datesWith('without-zone')) expect(date ?? '').toMatch(/^(|.* \d\d:\d\d:\d\d)$/);
    for (const date of await datesWith('future')) expect(Date.parse(date!)).toBeGreaterThan(now);
    expect(new Set(await datesWith('same')).size).toBe(1);
    expect((await datesWith('missing')).filter((date) => date !== undefined)).toEqual([]);
    expect((await datesWith('unreadable')).filter((date) => date && !Number.isNaN(Date.parse(date)))).toEqual(
      [],
    );
  });

  test('writes guids that change, are all the same or are missing, and Atom entries without id', async () => {
    const guids = async (): Promise<(string | undefined)[]> =>
      itemsOf((await get()).text).map(({ guid }) => guid?.value);
    spoil({ kind: 'guids', style: 'changing' });
    expect(new Set(await guids()).isDisjointFrom(new Set(await guids()))).toBe(true);
    publishers.faults.clear();
    spoil({ kind: 'guids', style: 'duplicate' });
    expect(new Set(await guids()).size).toBe(1);
    publishers.faults.clear();
    spoil({ kind: 'guids', style: 'missing' });
    expect(new Set(await guids())).toEqual(new Set([undefined]));
    expect((await get(atom)).text).not.toMatch(/<entry>\s*<id>/);
  });

  test('writes alternating titles, duplicate entries and links without a host', async () => {
    const titles = async (): Promise<unknown[]> => itemsOf((await get()).text).map(({ title }) => title);
    spoil({ kind: 'rotating-titles' });
    const [one, two, three] = [await titles(), await titles(), await titles()];
    expect([one, two]).not.toEqual([two, one]);
    expect(three).toEqual(one);
    publishers.faults.clear();
    spoil({ kind: 'repeated-entries' });
    const ids = itemsOf((await get()).text).map(({ guid }) => guid?.value);
    expect(new Set(ids).size).toBe(ids.length / 2);
    publishers.faults.clear();
    spoil({ kind: 'relative-links' });
    expect((await get()).text).toMatch(/<item>.*?<link>\/(?!\/)/s);
  });

  test('writes XML that is not well-formed, and entities that expand without end', async () => {
    const spoilt = async (how: Extract<Fault, { kind: 'malformed' }>['how']): Promise<string> => {
      publishers.faults.clear();
      spoil({ kind: 'malformed', how });
      return (await get()).text;
    };
    expect(await spoilt('blank-before-declaration')).toMatch(/^\s+<\?xml/);
    expect(await spoilt('unclosed')).not.toContain('</rss>');
    expect(await spoilt('control-character')).toContain('<title>\u0001');
    const bomb = await spoilt('entity-bomb');
    expect(bomb).toContain('<!ENTITY e9');
    expect(bomb).toContain('&e9;');
  });
});
