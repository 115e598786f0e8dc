import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Item } from '../src/generated/news-api.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestServer {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

export async function serve(handler: Handler): Promise<TestServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function item(id: string, title = `title of ${id}`): Item {
  return {
    id,
    title,
    originalTitle: null,
    language: 'en',
    summary: '摘要',
    source: { name: 'Gazette' },
    links: { item: `https://daybook.example/items/${id}`, original: `https://gazette.example/${id}` },
    publishedAt: null,
    discoveredAt: '2026-11-15T00:00:00.000Z',
    revisedAt: null,
    category: 'tip',
    score: 50,
    selected: true,
    reason: '',
  };
}

interface Entry {
  readonly position: number;
  readonly id: string;
  readonly item: Item | null;
}

/** A selected set as the documentation of the mirror describes it, over HTTP. */
export class LedgerServer {
  readonly items = new Map<string, Item>();
  #entries: Entry[] = [];
  #position = 0;
  epoch = 1;
  /** Changes the sent items, after they were hashed. */
  corrupt: (item: Item) => Item = (one) => one;
  requests = 0;
  /** Of pages of the snapshot. */
  itemsSent = 0;
  bucketsMax = 8;
  /** A server of an earlier version has none. */
  hasBuckets = true;

  put(one: Item): void {
    this.items.set(one.id, one);
    this.#record(one.id, one);
  }

  remove(id: string): void {
    this.items.delete(id);
    this.#record(id, null);
  }

  #record(id: string, one: Item | null): void {
    this.#position += 1;
    this.#entries = [
      ...this.#entries.filter((entry) => entry.id !== id),
      { position: this.#position, id, item: one },
    ];
  }

  readonly handle: Handler = (request, response) => {
    this.requests += 1;
    const url = new URL(request.url ?? '', 'http://x');
    if (url.searchParams.has('do')) {
      send(response, 200, this.#obey(url.searchParams));
      return;
    }
    const limit = Number(url.searchParams.get('limit') ?? 100);
    if (url.pathname.endsWith('/snapshot')) this.#snapshot(response, limit, url.searchParams.get('page'));
    else if (url.pathname.endsWith('/buckets')) this.#buckets(response);
    else this.#changes(response, limit, url.searchParams.get('cursor') ?? '');
  };

  /** For clients that share no memory with it. */
  #obey(told: URLSearchParams): object {
    const [command, id] = [told.get('do'), told.get('id') ?? ''];
    if (command === 'put') this.put(item(id, told.get('title') ?? undefined));
    if (command === 'remove') this.remove(id);
    // More than a store reads at once.
    if (command === 'fill')
      for (let at = 0; at < 1500; at += 1) this.put(item(`filled-${at}`, told.get('title') ?? undefined));
    if (command === 'renew') this.epoch += 1;
    if (command === 'forge') this.corrupt = (one) => (one.id === id ? { ...one, title: 'forged' } : one);
    const titles = Array.from(this.items.values(), ({ id: of, title }) => [of, title] as const);
    return titles.sort(([left], [right]) => (left < right ? -1 : 1));
  }

  #snapshot(response: ServerResponse, limit: number, page: string | null): void {
    const [cursor, after] =
      page === null ? [this.#cursor(this.#position), ''] : (JSON.parse(page) as [string, string]);
    const all = this.#sorted().filter(({ id }) => id > after);
    const shown = all.slice(0, limit);
    const hasMore = limit < all.length;
    this.itemsSent += shown.length;
    send(response, 200, {
      schemaVersion: 1,
      cursor,
      hasMore,
      nextPage: hasMore ? JSON.stringify([cursor, shown.at(-1)?.id]) : null,
      items: shown.map((one) => this.corrupt(one)),
    });
  }

  #buckets(response: ServerResponse): void {
    if (!this.hasBuckets) {
      send(response, 404, { code: 'not_found', detail: 'an earlier version', status: 404 });
      return;
    }
    const all = this.#sorted();
    const size = Math.max(1, Math.ceil(all.length / this.bucketsMax));
    const cursor = this.#cursor(this.#position);
    const starts = Array.from({ length: Math.max(1, Math.ceil(all.length / size)) }, (_, at) => at * size);
    send(response, 200, {
      schemaVersion: 1,
      cursor,
      set: { version: 1, size: all.length, hash: hashOf(all) },
      count: starts.length,
      buckets: starts.map((start) => {
        const held = all.slice(start, start + size);
        const after = all[start - 1]?.id ?? '';
        return { after, size: held.length, hash: hashOf(held), page: JSON.stringify([cursor, after]) };
      }),
    });
  }

  #sorted(): readonly Item[] {
    return [...this.items.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  #changes(response: ServerResponse, limit: number, cursor: string): void {
    const [epoch, after] = cursor.split(':').map(Number);
    if (epoch !== this.epoch) {
      send(response, 409, { code: 'snapshot_required', detail: 'another ledger', status: 409 });
      return;
    }
    const later = this.#entries.filter(({ position }) => position > (after ?? 0));
    const page = later.slice(0, limit);
    const hasMore = later.length > limit;
    send(response, 200, {
      schemaVersion: 1,
      cursor: this.#cursor(page.at(-1)?.position ?? after ?? 0),
      hasMore,
      changes: page.map(({ id, item: one }) =>
        one === null ? { op: 'remove', id } : { op: 'upsert', item: this.corrupt(one) },
      ),
      ...(hasMore ? {} : { set: { version: 1, size: this.items.size, hash: hashOf(this.items.values()) } }),
    });
  }

  #cursor(position: number): string {
    return `${this.epoch}:${position}`;
  }
}

function hashOf(items: Iterable<Item>): string {
  let sum = 0n;
  for (const one of items) {
    const form = JSON.stringify({
      category: one.category,
      discoveredAt: one.discoveredAt,
      id: one.id,
      links: { original: one.links.original },
      originalTitle: one.originalTitle,
      publishedAt: one.publishedAt,
      source: { name: one.source.name },
      summary: one.summary,
      title: one.title,
    });
    sum += BigInt(`0x${createHash('sha256').update(form).digest('hex')}`);
  }
  return (sum % 2n ** 256n).toString(16).padStart(64, '0');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'public, s-maxage=0' });
  response.end(JSON.stringify(body));
}
