import { dayMs, minuteMs } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { NamedHub } from '../sources/source.ts';

export type HubSubscriptionId = Id<'hub subscription'>;

/** The state of a wanted subscription. */
export interface HubSubscription {
  /** The hub sends pushes until then; null: the hub has not confirmed. */
  readonly leaseUntil: EpochMicroseconds | null;
  /** Time of the last push with a valid signature. */
  readonly pushedAt: EpochMicroseconds | null;
  /** Start of the last poll since the subscription was wanted. */
  readonly polledAt: EpochMicroseconds | null;
  /** Time of the last poll that found an entry that no push had announced. */
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
 * The hub of a feed. The HTTP header takes precedence over the document (WebSub section 4). Requests to hubs carry the
 * secret of a subscription, so they use https, even if the feed names the hub with http.
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

/** The lease that Daybook requests. */
export const leaseSecondsWanted = 10 * 86_400;
const leaseMsMax = 30 * dayMs;
const renewMinMs = 10 * minuteMs;

/** The end of the lease that a hub grants, and the time of its renewal: after three quarters of the lease. */
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

/** The wait after the n-th unconfirmed request: doubles, up to a day. */
export function retryMs(attempts: number): number {
  return Math.min(dayMs, 10 * minuteMs * 2 ** Math.min(attempts, 10));
}

/** How pushes change the next poll of a source. */
export type PushVerdict =
  /** A push arrived during the poll, so the response may not contain the pushed entry. */
  | { readonly kind: 'ask soon' }
  /** Pushes have announced every entry so far. */
  | { readonly kind: 'announced'; readonly until: EpochMicroseconds }
  | { readonly kind: 'none' };

/** Whether a poll found entries that no push had announced, and whether the source can be polled less often. */
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
  // The pushed entry is not in the list yet, because a cache still serves the old list.
  const isAwaited = isAnnounced && !hasNewEntries;
  const isTrusted = isPushedAfter(unannouncedAt) && !isUnannounced && !isAwaited;
  if (!isTrusted || leaseUntil === null || leaseUntil <= now)
    return { isUnannounced, verdict: { kind: 'none' } };
  return { isUnannounced, verdict: { kind: 'announced', until: leaseUntil } };
}

/** A short description for the operator. */
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
