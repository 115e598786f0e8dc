import { describe, expect, test } from 'vitest';

import { dayMs, minuteMs } from '../../foundation/clock.ts';
import { addMs, epochMicroseconds } from '../../foundation/instant.ts';
import type { HubSubscription } from './hub-subscription.ts';
import { grantedLease, hubNamedBy, judgePushes, retryMs } from './hub-subscription.ts';

const none = { hubs: [], self: null };
const asked = 'https://site.example/feed';

describe('the hub of a feed', () => {
  test('comes from the HTTP header, before the document', () => {
    const header = { hubs: ['https://one.example/'], self: 'https://site.example/a' };
    const document = { hubs: ['https://two.example/'], self: 'https://site.example/b' };
    expect(hubNamedBy(header, document, asked)).toEqual({ url: header.hubs[0], topic: header.self });
    expect(hubNamedBy(none, document, asked)).toEqual({ url: document.hubs[0], topic: document.self });
  });

  test('is requested over https; without a self link the topic is the requested address', () => {
    const document = { hubs: ['http://hub.example:80/x'], self: null };
    expect(hubNamedBy(none, document, asked)).toEqual({ url: 'https://hub.example/x', topic: asked });
  });

  test.each([
    ['ftp://hub.example/'],
    ['https://user:secret@hub.example/'],
    [`https://hub.example/${'x'.repeat(2_000)}`],
    ['hub'],
  ])('is not read from the unusable address %s', (hub) => {
    expect(hubNamedBy(none, { hubs: [hub], self: null }, asked)).toBeNull();
  });
});

const now = epochMicroseconds(1_790_000_000_000_000n);

test('a lease lasts at most 30 days and is renewed after three quarters, at least ten minutes apart', () => {
  expect(grantedLease(864_000, now)).toEqual({
    leaseUntil: addMs(now, 10 * dayMs),
    renewAt: addMs(now, 7.5 * dayMs),
  });
  expect(grantedLease(1, now).renewAt).toBe(addMs(now, 10 * minuteMs));
  expect(grantedLease(1e12, now).leaseUntil).toBe(addMs(now, 30 * dayMs));
});

test('requests that a hub does not confirm are retried after 10 minutes, doubling up to a day', () => {
  expect([0, 1, 2, 50].map(retryMs)).toEqual([10 * minuteMs, 20 * minuteMs, 40 * minuteMs, dayMs]);
});

describe('the effect of pushes on polls', () => {
  const polledAt = addMs(now, -60 * minuteMs);
  const judge = (
    subscription: Partial<HubSubscription>,
    poll: Partial<Parameters<typeof judgePushes>[1]> = {},
  ) =>
    judgePushes(
      {
        leaseUntil: addMs(now, dayMs),
        pushedAt: null,
        polledAt,
        unannouncedAt: null,
        problem: null,
        ...subscription,
      },
      { askedAt: addMs(now, -1_000), now, hasNewEntries: false, ...poll },
    );
  const before = addMs(now, -180 * minuteMs);
  const since = addMs(now, -5 * minuteMs);

  test('polls become less frequent after a push whose entry was found', () => {
    const announced = { kind: 'announced', until: addMs(now, dayMs) };
    expect(judge({ pushedAt: since }, { hasNewEntries: true })).toEqual({
      isUnannounced: false,
      verdict: announced,
    });
    expect(judge({ pushedAt: before }).verdict).toEqual(announced);
  });

  test.each([
    ['nothing has been pushed yet', {}, {}],
    ['the lease has expired', { pushedAt: before, leaseUntil: now }, {}],
    ['the hub denied the subscription', { pushedAt: before, leaseUntil: null }, {}],
    ['a poll found an entry that was not pushed', { pushedAt: before }, { hasNewEntries: true }],
    ['an entry since the last push was not pushed', { pushedAt: before, unannouncedAt: since }, {}],
    ['the entry of a push is not listed yet', { pushedAt: since }, {}],
  ])('polls stay as frequent when %s', (_, subscription, poll) => {
    expect(judge(subscription, poll).verdict).toEqual({ kind: 'none' });
  });

  test('a push during a poll causes another poll', () => {
    expect(judge({ pushedAt: now }).verdict).toEqual({ kind: 'ask soon' });
  });

  test('an entry counts as unannounced only without a push since the poll before it', () => {
    const news = { hasNewEntries: true };
    expect(judge({ pushedAt: before }, news).isUnannounced).toBe(true);
    expect(judge({}, news).isUnannounced).toBe(true);
    expect(judge({ pushedAt: since }, news).isUnannounced).toBe(false);
    expect(judge({ polledAt: null }, news).isUnannounced).toBe(false);
  });
});
