import type { Clock } from '../../foundation/clock.ts';
import type { FetchOutcome, FetchRequest } from './fetch-outcome.ts';
import type { Fetcher } from './fetcher.ts';
import type { OptOut, TdmFile } from './opt-outs.ts';
import { noTdmFile, parseTdmFile } from './opt-outs.ts';
import type { RobotsRules } from './robots-rules.ts';
import { everythingAllowed, parseRobots } from './robots-rules.ts';

interface OriginWishes {
  /** Null: the server did not say. */
  readonly robots: RobotsRules | null;
  readonly tdm: TdmFile;
  readonly goodUntilMs: number;
}

const hourMs = 3_600_000;
/** The standard's longest. */
const keptMs = 24 * hourMs;
/** After an error of the server: long enough not to press, short enough to notice its return. */
const keptAfterErrorMs = hourMs;
const originsMax = 2_000;

/** What the publishers of pages have asked of machines, per origin, asked once a day. */
export class PublisherWishes {
  readonly #fetcher: Fetcher;
  readonly #clock: Clock;
  readonly #productToken: string;
  readonly #origins = new Map<string, OriginWishes>();

  constructor(fetcher: Fetcher, clock: Clock, productToken: string) {
    this.#fetcher = fetcher;
    this.#clock = clock;
    this.#productToken = productToken;
  }

  /** Null: nothing speaks against asking for the page. `deferred`: the question itself has to wait for its turn. */
  async optOutFor(
    url: URL,
    beforeRequest?: FetchRequest['beforeRequest'],
  ): Promise<OptOut | 'deferred' | null> {
    const wishes = this.#remembered(url.origin) ?? (await this.#ask(url.origin, beforeRequest));
    if (wishes === 'deferred') return 'deferred';
    if (wishes.robots === null) return 'robots.txt unreachable';
    if (!wishes.robots.allows(`${url.pathname}${url.search}`)) return 'robots.txt';
    return wishes.tdm.reserves(url.pathname) ? 'tdm-reservation' : null;
  }

  #remembered(origin: string): OriginWishes | null {
    const known = this.#origins.get(origin);
    return known !== undefined && known.goodUntilMs > this.#clock.nowMs() ? known : null;
  }

  async #ask(
    origin: string,
    beforeRequest: FetchRequest['beforeRequest'],
  ): Promise<OriginWishes | 'deferred'> {
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
    const hasAnswered = hasSettled(robots);
    const tdm = hasAnswered ? await ask('/.well-known/tdmrep.json', 'application/json') : null;
    if (tdm?.kind === 'deferred') return 'deferred';
    const wishes = {
      robots: hasAnswered ? this.#robotsOf(robots) : null,
      tdm: tdm?.kind === 'document' ? parseTdmFile(new TextDecoder().decode(tdm.bytes)) : noTdmFile,
      goodUntilMs: this.#clock.nowMs() + (hasAnswered ? keptMs : keptAfterErrorMs),
    };
    this.#remember(origin, wishes);
    return wishes;
  }

  #remember(origin: string, wishes: OriginWishes): void {
    this.#origins.delete(origin);
    this.#origins.set(origin, wishes);
    const oldest = this.#origins.keys().next().value;
    if (this.#origins.size > originsMax && oldest !== undefined) this.#origins.delete(oldest);
  }

  #robotsOf(outcome: FetchOutcome): RobotsRules {
    if (outcome.kind !== 'document') return everythingAllowed;
    return parseRobots(new TextDecoder().decode(outcome.bytes), this.#productToken);
  }
}

/** The server has said what it has, if only that there is no such file; 429 and 5xx say nothing of the kind. */
function hasSettled(outcome: FetchOutcome): boolean {
  if (outcome.kind === 'document') return true;
  return outcome.kind === 'refused' && outcome.status < 500 && !outcome.isRateLimited;
}
