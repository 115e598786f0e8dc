import { hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { FetchOutcome, FetchRequest } from './fetch-outcome.ts';
import type { Fetcher } from './fetcher.ts';
import type { OptOut, TdmFile } from './opt-outs.ts';
import { noTdmFile, parseTdmFile } from './opt-outs.ts';
import type { RobotsRules } from './robots-rules.ts';
import { everythingAllowed, parseRobots } from './robots-rules.ts';

interface OriginPolicy {
  /** Null: robots.txt could not be fetched. */
  readonly robots: RobotsRules | null;
  readonly tdm: TdmFile;
  readonly expiresMs: number;
}

/** The longest time that RFC 9309 section 2.4 allows. */
const cachedMs = 24 * hourMs;
/** After a server error. */
const cachedAfterErrorMs = hourMs;
const originsMax = 2_000;

/** robots.txt and tdmrep.json per origin, requested once a day. */
export class CrawlPolicy {
  readonly #fetcher: Fetcher;
  readonly #clock: Clock;
  readonly #productToken: string;
  readonly #origins = new Map<string, OriginPolicy>();

  constructor(fetcher: Fetcher, clock: Clock, productToken: string) {
    this.#fetcher = fetcher;
    this.#clock = clock;
    this.#productToken = productToken;
  }

  /** Null: the page may be requested. `deferred`: the request for the policy must wait for its turn. */
  async optOutFor(
    url: URL,
    beforeRequest?: FetchRequest['beforeRequest'],
  ): Promise<OptOut | 'deferred' | null> {
    const policy = this.#cached(url.origin) ?? (await this.#fetchPolicy(url.origin, beforeRequest));
    if (policy === 'deferred') return 'deferred';
    if (policy.robots === null) return 'robots.txt unreachable';
    if (!policy.robots.allows(`${url.pathname}${url.search}`)) return 'robots.txt';
    return policy.tdm.reserves(url.pathname) ? 'tdm-reservation' : null;
  }

  #cached(origin: string): OriginPolicy | null {
    const known = this.#origins.get(origin);
    return known !== undefined && known.expiresMs > this.#clock.nowMs() ? known : null;
  }

  async #fetchPolicy(
    origin: string,
    beforeRequest: FetchRequest['beforeRequest'],
  ): Promise<OriginPolicy | 'deferred'> {
    const ask = async (path: string, accept: string): Promise<FetchOutcome> =>
      this.#fetcher.fetch({
        url: `${origin}${path}`,
        accept,
        bytesMax: 1024 * 1024,
        deadlineMs: 15_000,
        ...(beforeRequest !== undefined && { beforeRequest }),
      });
    const robots = await ask('/robots.txt', 'text/plain, */*;q=0.5');
    if (robots.kind === 'deferred') return 'deferred';
    const hasAnswered = isDefinite(robots);
    const tdm = hasAnswered ? await ask('/.well-known/tdmrep.json', 'application/json') : null;
    if (tdm?.kind === 'deferred') return 'deferred';
    const policy = {
      robots: hasAnswered ? this.#robotsOf(robots) : null,
      tdm: tdm?.kind === 'document' ? parseTdmFile(new TextDecoder().decode(tdm.bytes)) : noTdmFile,
      expiresMs: this.#clock.nowMs() + (hasAnswered ? cachedMs : cachedAfterErrorMs),
    };
    this.#cache(origin, policy);
    return policy;
  }

  #cache(origin: string, policy: OriginPolicy): void {
    this.#origins.delete(origin);
    this.#origins.set(origin, policy);
    const oldest = this.#origins.keys().next().value;
    if (this.#origins.size > originsMax && oldest !== undefined) this.#origins.delete(oldest);
  }

  #robotsOf(outcome: FetchOutcome): RobotsRules {
    if (outcome.kind !== 'document') return everythingAllowed;
    return parseRobots(new TextDecoder().decode(outcome.bytes), this.#productToken);
  }
}

/** A document or a 4xx status settles the policy; 429, 5xx and failures do not. */
function isDefinite(outcome: FetchOutcome): boolean {
  if (outcome.kind === 'document') return true;
  return outcome.kind === 'refused' && outcome.status < 500 && !outcome.isRateLimited;
}
