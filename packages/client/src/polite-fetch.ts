import type { AnswerOrigin, ClientProblem } from './answer.ts';
import type { Timeouts } from './attempt-limit.ts';
import { AttemptLimit, endedBy, TimeoutReached } from './attempt-limit.ts';
import type { ClientWorld } from './client-world.ts';

export interface Patience {
  /** How often a request is repeated that met 429, 503 or a broken connection. */
  readonly retriesMax: number;
  /** The longest total duration of waits and attempts after which one more attempt begins. */
  readonly waitMsMax: number;
}

export interface Wish {
  readonly signal?: AbortSignal;
  /** False for responses that are read once and not cached; a new request waits until they are stale. */
  readonly keep?: boolean;
}

interface CachedAnswer {
  readonly etag: string | null;
  readonly body: unknown;
  readonly freshUntil: number;
  readonly movedTo: string | null;
  /** How many characters it came as. */
  readonly length: number;
}

export type Outcome =
  | (Omit<CachedAnswer, 'etag' | 'length'> & { readonly ok: true; readonly from: AnswerOrigin })
  | { readonly ok: false; readonly status: number; readonly problem: ClientProblem };

type Attempt =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'again'; readonly outcome: Outcome; readonly afterMs: number };

const cachedEntriesMax = 500;
/** Total of all cached responses: a program that reads a million items does not cache them all. */
const cachedCharactersMax = 8_000_000;
const rememberedMax = 10_000;
const firstBackoffMs = 500;

/**
 * Follows the server's rules: one request at a time for an address, none before `s-maxage` or `Retry-After` allow it,
 * with the entity tag of the cached response.
 */
export class PoliteFetcher {
  readonly #world: ClientWorld;
  readonly #patience: Patience;
  readonly #timeouts: Timeouts;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #cached = new Map<string, CachedAnswer>();
  #cachedCharacters = 0;
  /** Until when a response that was not cached is fresh. */
  readonly #freshElsewhere = new Map<string, number>();
  readonly #queues = new Map<string, Promise<unknown>>();
  /** No request at all before this moment, by order of the server. */
  #holdUntil = 0;

  constructor(
    world: ClientWorld,
    patience: Patience,
    timeouts: Timeouts,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#world = world;
    this.#patience = patience;
    this.#timeouts = timeouts;
    this.#headers = headers;
  }

  async get(url: string, wish: Wish = {}): Promise<Outcome> {
    const before = this.#queues.get(url) ?? Promise.resolve();
    const mine = before.then(() => this.#getAlone(url, wish));
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (this.#queues.get(url) === settled) this.#queues.delete(url);
      });
    this.#queues.set(url, settled);
    // The signal ends the call also while it waits for the calls before it.
    return endedBy(wish.signal, mine);
  }

  async #getAlone(url: string, wish: Wish): Promise<Outcome> {
    const { signal } = wish;
    signal?.throwIfAborted();
    const cached = this.#cached.get(url);
    if (cached !== undefined && this.#world.now() < cached.freshUntil)
      return { ok: true, from: 'kept', ...cached };
    const freshMs = (this.#freshElsewhere.get(url) ?? 0) - this.#world.now();
    if (freshMs > 0) await this.#world.wait(freshMs, signal);
    let waited = 0;
    for (let attempt = 0; ; attempt += 1) {
      const holdMs = this.#holdUntil - this.#world.now();
      if (holdMs > 0) await this.#world.wait(holdMs, signal);
      const startedAt = this.#world.now();
      const result = await this.#attempt(url, attempt, wish);
      waited += this.#world.now() - startedAt;
      const isLast = attempt >= this.#patience.retriesMax;
      if (result.kind === 'done' || isLast || waited + result.afterMs > this.#patience.waitMsMax)
        return result.outcome;
      waited += result.afterMs;
      await this.#world.wait(result.afterMs, signal);
    }
  }

  async #attempt(url: string, attempt: number, { signal, keep = true }: Wish): Promise<Attempt> {
    const cached = this.#cached.get(url);
    const etag = cached?.etag ?? null;
    const headers = { ...this.#headers, ...(etag === null ? {} : { 'If-None-Match': etag }) };
    const backoffMs = firstBackoffMs * 2 ** attempt * (0.5 + this.#world.random());
    const limit = new AttemptLimit(this.#timeouts, signal);
    try {
      const response = await limit.response(() => this.#world.fetch(url, { headers, signal: limit.signal }));
      if (response.status === 304 && cached !== undefined) {
        const renewed = { ...cached, freshUntil: this.#freshUntil(response) };
        this.#keep(url, renewed);
        return { kind: 'done', outcome: { ok: true, from: 'revalidated', ...renewed } };
      }
      if (response.ok) return { kind: 'done', outcome: await limit.within(this.#found(url, response, keep)) };
      const outcome = await limit.within(refusal(response));
      const afterMs = this.#retryAfter(response);
      if (afterMs !== null) return { kind: 'again', outcome, afterMs };
      return response.status >= 500
        ? { kind: 'again', outcome, afterMs: backoffMs }
        : { kind: 'done', outcome };
    } catch (error) {
      signal?.throwIfAborted();
      return {
        kind: 'again',
        outcome: { ok: false, status: 0, problem: problemOf(error) },
        afterMs: backoffMs,
      };
    } finally {
      limit.end();
    }
  }

  async #found(url: string, response: Response, keep: boolean): Promise<Outcome> {
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    const cached: CachedAnswer = {
      etag: response.headers.get('etag'),
      body: isJson ? (JSON.parse(text) as unknown) : text,
      freshUntil: this.#freshUntil(response),
      movedTo: response.redirected ? response.url : null,
      length: text.length,
    };
    if (keep) this.#keep(url, cached);
    else this.#remember(url, cached.freshUntil);
    return { ok: true, from: 'network', ...cached };
  }

  #freshUntil(response: Response): number {
    const control = response.headers.get('cache-control') ?? '';
    const seconds = /s-maxage=(\d+)/.exec(control)?.[1] ?? /max-age=(\d+)/.exec(control)?.[1] ?? '0';
    return this.#world.now() + Number(seconds) * 1000;
  }

  #retryAfter(response: Response): number | null {
    const afterMs = retryAfterMs(response, this.#world.random());
    if (afterMs === null) return null;
    this.#holdUntil = Math.max(this.#holdUntil, this.#world.now() + afterMs);
    return afterMs;
  }

  #keep(url: string, cached: CachedAnswer): void {
    this.#forget(url);
    // Neither fresh for a while nor with an entity tag: it would never be used.
    if (cached.etag === null && cached.freshUntil <= this.#world.now()) return;
    this.#cached.set(url, cached);
    this.#cachedCharacters += cached.length;
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= cachedEntriesMax && this.#cachedCharacters <= cachedCharactersMax) return;
      this.#forget(oldest);
    }
  }

  #remember(url: string, freshUntil: number): void {
    this.#freshElsewhere.delete(url);
    this.#freshElsewhere.set(url, freshUntil);
    const [oldest] = this.#freshElsewhere.keys();
    if (this.#freshElsewhere.size > rememberedMax && oldest !== undefined)
      this.#freshElsewhere.delete(oldest);
  }

  #forget(url: string): void {
    this.#cachedCharacters -= this.#cached.get(url)?.length ?? 0;
    this.#cached.delete(url);
  }
}

/** With jitter, so that clients that were refused together do not come back together. */
export function retryAfterMs({ status, headers }: Response, random: number): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  if ((status !== 429 && status !== 503) || !Number.isFinite(seconds)) return null;
  return Math.max(seconds, 0) * 1000 * (1 + 0.2 * random);
}

export function problemOf(error: unknown): ClientProblem {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof TimeoutReached) return { code: 'timeout', detail };
  return { code: error instanceof SyntaxError ? 'unreadable_answer' : 'unreachable', detail };
}

export async function refusal(response: Response): Promise<Extract<Outcome, { readonly ok: false }>> {
  const { status } = response;
  const text = await response.text();
  try {
    const problem = JSON.parse(text) as ClientProblem;
    if (typeof problem.code === 'string') return { ok: false, status, problem };
  } catch {
    // An intermediary responded in its own format.
  }
  return { ok: false, status, problem: { code: 'unreadable_answer', detail: text.slice(0, 200) } };
}
