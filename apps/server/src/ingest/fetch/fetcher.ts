import type { Client } from 'undici';

import type { Clock } from '../../foundation/clock.ts';
import { sha256 } from '../../foundation/hash.ts';
import { createSocketOpener } from '../../foundation/outbound/guarded-sockets.ts';
import type { HostResolver } from '../../foundation/outbound/host-resolver.ts';
import { resolveHost } from '../../foundation/outbound/host-resolver.ts';
import { isPublicAddress } from '../../foundation/outbound/public-address.ts';
import { DomainConnections } from './domain-connections.ts';
import { failureOf } from './fetch-failure.ts';
import type { FetchFailure, FetchOutcome, FetchRequest, Trace } from './fetch-outcome.ts';
import { nextHop, nextHopOfForm, usableUrl } from './redirects.ts';
import { decompress, readBounded } from './response-body.ts';
import type { ResponseHeaders } from './response-headers.ts';
import {
  freshForMs,
  linksByRelation,
  plainHeaders,
  retryAfterMs,
  saysRateLimited,
  validatorsOf,
} from './response-headers.ts';

export interface FetcherOptions {
  /** Names Daybook, its version and a page about the crawler. */
  readonly userAgent: string;
  readonly clock: Clock;
  /** Development only: `*.example` is a server on this port of loopback. */
  readonly examplePort: number | null;
  /** For tests; by default the name servers and public addresses only. */
  readonly resolve?: HostResolver;
  readonly isAllowedAddress?: (address: string) => boolean;
}

export interface Fetcher {
  readonly fetch: (request: FetchRequest) => Promise<FetchOutcome>;
  /** Closes the connection to a registrable domain, before another process may open one. */
  readonly release: (domain: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const hopsMax = 10;
/** Bodies of redirects and errors are read up to this size, so that the connection can be reused. */
const unusedBodyBytesMax = 65_536;

export function createFetcher(options: FetcherOptions): Fetcher {
  const openSocket = createSocketOpener({
    isAllowed: options.isAllowedAddress ?? isPublicAddress,
    resolve: options.resolve ?? resolveHost,
    examplePort: options.examplePort,
  });
  const connections = new DomainConnections(openSocket);
  return {
    fetch: async (request) => new Fetch(options, connections, request).run(),
    release: async (domain) => connections.release(domain),
    close: async () => connections.close(),
  };
}

interface Response {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Null: the status has no document, or the body is too large. */
  readonly body: Buffer | null;
  readonly isTooLarge: boolean;
}

/** One fetch with its redirects. */
class Fetch {
  readonly #options: FetcherOptions;
  readonly #connections: DomainConnections;
  readonly #request: FetchRequest;
  readonly #hops: string[] = [];
  #firstByteMs: number | null = null;
  #totalMs = 0;

  constructor(options: FetcherOptions, connections: DomainConnections, request: FetchRequest) {
    this.#options = options;
    this.#connections = connections;
    this.#request = request;
  }

  async run(): Promise<FetchOutcome> {
    const start = usableUrl(this.#request.url);
    if (start === null) return this.#failed('unusable address', this.#request.url);
    let url = start;
    let permanentUrl: string | null = null;
    let isPermanentSoFar = true;
    const hopAfter = this.#request.form === undefined ? nextHop : nextHopOfForm;
    for (;;) {
      const turn = (await this.#request.beforeRequest?.(url)) ?? 'go';
      if (turn !== 'go')
        return { kind: turn === 'defer' ? 'deferred' : 'stopped', nextUrl: url.href, ...this.#trace() };
      this.#hops.push(url.href);
      const response = await this.#ask(url, start.origin);
      if ('kind' in response) return response;
      const next = hopAfter(url, response.status, response.headers['location'], this.#hops);
      if (next === null) return this.#answer(url, permanentUrl, response);
      if ('fault' in next) return this.#failed(next.fault, next.detail);
      if (this.#hops.length >= hopsMax) return this.#failed('too many redirects', url.href);
      isPermanentSoFar &&= next.isPermanent;
      if (isPermanentSoFar) permanentUrl = next.url.href;
      url = next.url;
    }
  }

  async #ask(url: URL, firstOrigin: string): Promise<Response | FetchOutcome> {
    const remainingMs = this.#request.deadlineMs - this.#totalMs;
    if (remainingMs <= 0) return this.#failed('deadline', url.href);
    if (this.#request.signal?.aborted === true) return this.#failed('cancelled', url.href);
    let endedBy: 'deadline' | 'cancelled' | null = null;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => undefined;
    let started = performance.now();
    let failure: unknown;
    try {
      return await this.#connections.use(url, async (client, cut) => {
        started = performance.now();
        const end = (by: 'deadline' | 'cancelled'): void => {
          endedBy ??= by;
          cut();
        };
        timer = setTimeout(end, remainingMs, 'deadline');
        onAbort = () => end('cancelled');
        this.#request.signal?.addEventListener('abort', onAbort);
        return this.#exchange(client, url, firstOrigin);
      });
    } catch (error) {
      failure = error;
    } finally {
      clearTimeout(timer);
      this.#request.signal?.removeEventListener('abort', onAbort);
      this.#totalMs += performance.now() - started;
    }
    if (endedBy !== null) return this.#failed(endedBy, url.href);
    const { reason, detail } = failureOf(failure);
    return this.#failed(reason, detail);
  }

  async #exchange(client: Client, url: URL, firstOrigin: string): Promise<Response> {
    const started = performance.now();
    const { form } = this.#request;
    const { statusCode, headers, body } = await client.request({
      method: form === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: this.#headers(url, firstOrigin),
      body: form === undefined ? null : new URLSearchParams(form).toString(),
    });
    this.#firstByteMs = this.#totalMs + performance.now() - started;
    const isDocument = statusCode === 200;
    const read = await readBounded(body, isDocument ? this.#request.bytesMax : unusedBodyBytesMax);
    return {
      status: statusCode,
      headers: plainHeaders(headers),
      body: isDocument && read.ok ? read.value : null,
      isTooLarge: isDocument && !read.ok,
    };
  }

  #headers(url: URL, firstOrigin: string): Record<string, string> {
    const { accept, validators, authorization, form } = this.#request;
    return {
      'user-agent': this.#options.userAgent,
      accept,
      'accept-encoding': 'gzip, deflate, br',
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(typeof validators?.etag === 'string' && { 'if-none-match': validators.etag }),
      ...(typeof validators?.lastModified === 'string' && { 'if-modified-since': validators.lastModified }),
      ...(typeof authorization === 'string' && url.origin === firstOrigin && { authorization }),
    };
  }

  async #answer(url: URL, permanentUrl: string | null, response: Response): Promise<FetchOutcome> {
    const { status, headers } = response;
    const { validators: sent, bytesMax } = this.#request;
    const nowMs = this.#options.clock.nowMs();
    const answer = {
      ...this.#trace(),
      status,
      headers,
      url: url.href,
      permanentUrl,
      freshForMs: freshForMs(headers, nowMs),
      retryAfterMs: retryAfterMs(headers, nowMs),
    };
    const validators = validatorsOf(headers);
    if (status === 304) {
      if (typeof (sent?.etag ?? sent?.lastModified) !== 'string')
        return this.#failed('not modified without validators', url.href);
      // A 304 need not repeat the validators: those that were sent stay valid.
      const merged = {
        etag: validators.etag ?? sent?.etag ?? null,
        lastModified: validators.lastModified ?? sent?.lastModified ?? null,
      };
      return { kind: 'not modified', ...answer, validators: merged };
    }
    if (response.isTooLarge) return this.#failed('too large', url.href);
    if (response.body === null)
      return { kind: 'refused', ...answer, isRateLimited: saysRateLimited(status, headers) };
    const decoded = await decompress(response.body, headers['content-encoding'] ?? null, bytesMax);
    if (!decoded.ok) return this.#failed(decoded.reason, url.href);
    return {
      kind: 'document',
      ...answer,
      bytes: decoded.value,
      contentHash: sha256(decoded.value),
      contentType: headers['content-type'] ?? null,
      validators,
      webSub: {
        hubs: linksByRelation(headers, 'hub', url.href),
        self: linksByRelation(headers, 'self', url.href)[0] ?? null,
      },
    };
  }

  #trace(): Trace {
    return { hops: [...this.#hops], timing: { firstByteMs: this.#firstByteMs, totalMs: this.#totalMs } };
  }

  #failed(reason: FetchFailure, detail: string): FetchOutcome {
    return { kind: 'failed', reason, detail, ...this.#trace() };
  }
}
