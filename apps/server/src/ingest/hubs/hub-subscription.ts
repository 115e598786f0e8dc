import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { NamedHub } from '../sources/source.ts';

export type HubSubscriptionId = Id<'hub subscription'>;

/** What is known of a subscription that the hub is to keep. */
export interface HubSubscription {
  /** Until when the hub sends pushes; null: it does not. */
  readonly leaseUntil: EpochMicroseconds | null;
  /** The last push with a valid signature. */
  readonly pushedAt: EpochMicroseconds | null;
  /** When the last poll since the subscription was wanted began. */
  readonly polledAt: EpochMicroseconds | null;
  /** The last poll that found an entry which no push had announced. */
  readonly unannouncedAt: EpochMicroseconds | null;
  /** Why the last request failed. */
  readonly problem: string | null;
}

interface Links {
  readonly hubs: readonly string[];
  readonly self: string | null;
}

const addressCharsMax = 2_000;

/**
 * The hub of a feed: by its HTTP header before its document, as the Recommendation has it. The secret of a subscription
 * goes to the hub, so a hub is asked over https alone, also where a feed names it with http.
 */
export function hubNamedBy(header: Links, document: Links, askedUrl: string): NamedHub | null {
  const { hubs, self } =
    header.hubs.length > 0 ? { ...header, self: header.self ?? document.self } : document;
  const topic = usableAddress(self ?? askedUrl)?.href;
  for (const named of hubs) {
    const url = usableAddress(named);
    if (url === null || topic === undefined) continue;
    url.protocol = 'https:';
    return { url: url.href, topic };
  }
  return null;
}

function usableAddress(text: string): URL | null {
  const url = text.length > addressCharsMax ? null : URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.href.length > addressCharsMax) return null;
  return url.username === '' && url.password === '' ? url : null;
}

export function isSameHub(one: NamedHub | null, other: NamedHub | null): boolean {
  return one?.url === other?.url && one?.topic === other?.topic;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** How long a subscription is asked to last. */
export const leaseSecondsWanted = 10 * 86_400;
const leaseMsMax = 30 * dayMs;
const renewMinMs = 10 * minuteMs;

/** What a hub grants, and when it is asked again: after three quarters of it. */
export function grantedLease(
  leaseSeconds: number,
  now: EpochMicroseconds,
): { readonly leaseUntil: EpochMicroseconds; readonly renewAt: EpochMicroseconds } {
  const leaseMs = Math.min(leaseSeconds * 1_000, leaseMsMax);
  return {
    leaseUntil: addMs(now, leaseMs),
    renewAt: addMs(now, Math.max(renewMinMs, Math.round(leaseMs * 0.75))),
  };
}

/** After the n-th request that was not confirmed: doubling, a day at most. */
export function retryMs(attempts: number): number {
  return Math.min(dayMs, 10 * minuteMs * 2 ** Math.min(attempts, 10));
}

/** What pushes mean for the next poll of a source. */
export type PushVerdict =
  /** One came while the list was being asked for: whether the answer knew of it nobody can say. */
  | { readonly kind: 'ask soon' }
  /** They have told of every entry so far. */
  | { readonly kind: 'announced'; readonly until: EpochMicroseconds }
  | { readonly kind: 'none' };

/** Whether entries came to a poll without having been pushed, and whether polls may be rarer. */
export function judgePushes(
  { leaseUntil, pushedAt, polledAt, unannouncedAt }: HubSubscription,
  poll: {
    readonly askedAt: EpochMicroseconds;
    readonly now: EpochMicroseconds;
    readonly hasNewEntries: boolean;
  },
): { readonly isUnannounced: boolean; readonly verdict: PushVerdict } {
  const { askedAt, now, hasNewEntries } = poll;
  const isPushedAfter = (instant: EpochMicroseconds | null): boolean =>
    pushedAt !== null && (instant === null || pushedAt > instant);
  const isAnnounced = isPushedAfter(polledAt);
  const isUnannounced = hasNewEntries && polledAt !== null && !isAnnounced;
  if (isPushedAfter(askedAt)) return { isUnannounced, verdict: { kind: 'ask soon' } };
  // A push whose entry is not in the list yet, because a cache still has the old one.
  const isAwaited = isAnnounced && !hasNewEntries;
  const isTrusted = isPushedAfter(unannouncedAt) && !isUnannounced && !isAwaited;
  if (!isTrusted || leaseUntil === null || leaseUntil <= now)
    return { isUnannounced, verdict: { kind: 'none' } };
  return { isUnannounced, verdict: { kind: 'announced', until: leaseUntil } };
}

/** In a few words, for whoever looks after the source. */
export function describeSubscription(
  { leaseUntil, pushedAt, unannouncedAt, problem }: HubSubscription,
  now: EpochMicroseconds,
): string {
  if (leaseUntil === null || leaseUntil <= now) return problem ?? 'not subscribed yet';
  if (pushedAt === null) return 'subscribed, nothing pushed yet';
  return unannouncedAt !== null && unannouncedAt >= pushedAt
    ? 'subscribed, but polls find entries that were not pushed'
    : 'subscribed, polled less often';
}
