import { dayMs } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Category } from '../../record/index.ts';
import type { ListForm } from '../parse/parse-feed.ts';

export type SourceId = Id<'source'>;

/** The operator's settings of a source. */
export interface SourceSettings {
  readonly name: string;
  readonly owner: string;
  /** Sources with the same syndicate count as one independent source; null: none. */
  readonly syndicate: string | null;
  readonly firstParty: boolean;
  readonly tier: 1 | 2 | 3 | 4;
  readonly language: string | null;
  readonly categoryHint: Category | null;
  /** Items of an `editorial` source can be selected; `signal` items only count for heat; `isolated` entries are never published. */
  readonly participation: 'editorial' | 'signal' | 'isolated';
  /** Whether entries are published whatever their subject; otherwise those off the subject are declined. */
  readonly allSubjects: boolean;
  /** Which new entries wait for an editor; null: none. */
  readonly holds: 'first-import' | 'all' | null;
  /** Whether pages of its articles may be fetched. */
  readonly fullText: boolean;
  readonly feedUrl: string;
  readonly homepageUrl: string | null;
  readonly form: ListForm;
  /** Between two requests; null: the default. */
  readonly spacingMs: number | null;
  /** The Authorization header of its requests; null: none. */
  readonly sealedAuthorization: Buffer | null;
  readonly note: string;
}

/** The rules for 404 and 410 set `suspended` and `stopped`; the operator sets `paused` and `removed`. */
export type SourceState = 'active' | 'paused' | 'suspended' | 'stopped' | 'removed';

/** The WebSub hub that a feed names, and the topic under which the hub knows the feed. */
export interface NamedHub {
  readonly url: string;
  readonly topic: string;
}

export interface Source extends SourceSettings {
  readonly id: SourceId;
  readonly domain: string;
  /** Null: its feed names no hub. */
  readonly hub: NamedHub | null;
  readonly state: SourceState;
  readonly stateReason: string | null;
  readonly health: SourceHealth;
}

/** The results of its polls. */
export interface SourceHealth {
  readonly dueAt: EpochMicroseconds;
  readonly polledAt: EpochMicroseconds | null;
  readonly succeededAt: EpochMicroseconds | null;
  /** A short description of the last poll. */
  readonly outcome: string | null;
  readonly failures: number;
  readonly newestEntryAt: EpochMicroseconds | null;
  readonly usualGapMs: number | null;
}

export type HealthVerdict = 'not polled yet' | 'well' | 'failing' | 'silent' | Exclude<SourceState, 'active'>;

/** A source is silent after this many of its usual gaps, and at least a week, without an entry. */
export const silentAfterGaps = 8;
export const silentAfterMs = 7 * dayMs;

export function healthVerdict({ state, health }: Source, nowMs: number): HealthVerdict {
  if (state !== 'active') return state;
  if (health.polledAt === null) return 'not polled yet';
  if (health.failures > 0) return 'failing';
  if (health.newestEntryAt === null || health.usualGapMs === null) return 'well';
  const silentMs = nowMs - Number(health.newestEntryAt / 1000n);
  return silentMs > Math.max(silentAfterMs, silentAfterGaps * health.usualGapMs) ? 'silent' : 'well';
}

const nameCharsMax = 200;

/** A usable http(s) address without credentials, or null. */
export function feedAddressOf(text: string): URL | null {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/u.test(url.protocol) || url.href.length > 2_000) return null;
  url.hash = '';
  return url.username === '' && url.password === '' ? url : null;
}

/** Settings for a feed address, with defaults for everything not given. */
export function settingsFor(
  feedUrl: URL,
  given: Partial<SourceSettings> & { readonly name?: string | undefined },
): SourceSettings {
  const name = (given.name ?? feedUrl.hostname.replace(/^www\./u, '')).trim().slice(0, nameCharsMax);
  return {
    owner: name,
    syndicate: null,
    firstParty: false,
    tier: 3,
    language: null,
    categoryHint: null,
    participation: 'editorial',
    allSubjects: false,
    holds: null,
    fullText: false,
    homepageUrl: null,
    form: { kind: 'feed' },
    spacingMs: null,
    sealedAuthorization: null,
    note: '',
    ...given,
    name,
    feedUrl: feedUrl.href,
  };
}
