import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Category } from '../../record/index.ts';
import type { ListForm } from '../parse/parse-feed.ts';

export type SourceId = Id<'source'>;

/** What a person decides about a source. */
export interface SourceSettings {
  readonly name: string;
  readonly owner: string;
  readonly firstParty: boolean;
  readonly tier: 1 | 2 | 3 | 4;
  readonly language: string | null;
  readonly categoryHint: Category | null;
  /** Items of an `editorial` source can be selected; `signal` items only count for heat; `isolated` entries are never published. */
  readonly participation: 'editorial' | 'signal' | 'isolated';
  /** Whether pages of its articles may be read. */
  readonly fullText: boolean;
  readonly feedUrl: string;
  readonly homepageUrl: string | null;
  readonly form: ListForm;
  /** Between two requests; null: as for everyone. */
  readonly spacingMs: number | null;
  /** The Authorization header that its publisher asks for; null: none. */
  readonly sealedAuthorization: Buffer | null;
  readonly note: string;
}

/** `suspended` and `stopped` by the rules for 404 and 410; `paused` and `removed` by a person. */
export type SourceState = 'active' | 'paused' | 'suspended' | 'stopped' | 'removed';

/** The WebSub hub that a feed names, and the topic under which the hub knows the feed. */
export interface NamedHub {
  readonly url: string;
  readonly topic: string;
}

export interface Source extends SourceSettings {
  readonly id: SourceId;
  readonly domain: string;
  /** That its feed names; null: none. */
  readonly hub: NamedHub | null;
  readonly state: SourceState;
  readonly stateReason: string | null;
  readonly health: SourceHealth;
}

/** How its polls have gone. */
export interface SourceHealth {
  readonly dueAt: EpochMicroseconds;
  readonly polledAt: EpochMicroseconds | null;
  readonly succeededAt: EpochMicroseconds | null;
  /** How the last poll ended, in a few words. */
  readonly outcome: string | null;
  readonly failures: number;
  readonly newestEntryAt: EpochMicroseconds | null;
  readonly usualGapMs: number | null;
}

export type HealthVerdict = 'not polled yet' | 'well' | 'failing' | 'silent' | Exclude<SourceState, 'active'>;

/** Beyond this many of its usual gaps, and a week, silence is worth a look. */
export const silentAfterGaps = 8;
export const silentAfterMs = 7 * 86_400_000;

export function healthVerdict({ state, health }: Source, nowMs: number): HealthVerdict {
  if (state !== 'active') return state;
  if (health.polledAt === null) return 'not polled yet';
  if (health.failures > 0) return 'failing';
  if (health.newestEntryAt === null || health.usualGapMs === null) return 'well';
  const silentMs = nowMs - Number(health.newestEntryAt / 1000n);
  return silentMs > Math.max(silentAfterMs, silentAfterGaps * health.usualGapMs) ? 'silent' : 'well';
}

const nameCharsMax = 200;

/** An address that can be asked; null when it is none. */
export function feedAddressOf(text: string): URL | null {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/u.test(url.protocol) || url.href.length > 2_000) return null;
  url.hash = '';
  return url.username === '' && url.password === '' ? url : null;
}

/** For what was given as an address alone. */
export function settingsFor(
  feedUrl: URL,
  given: Partial<SourceSettings> & { readonly name?: string | undefined },
): SourceSettings {
  const name = (given.name ?? feedUrl.hostname.replace(/^www\./u, '')).trim().slice(0, nameCharsMax);
  return {
    owner: name,
    firstParty: false,
    tier: 3,
    language: null,
    categoryHint: null,
    participation: 'editorial',
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
