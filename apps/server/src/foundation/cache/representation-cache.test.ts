import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import { notFound } from '../http/http-problems.ts';
import { ProblemError } from '../problem.ts';
import { CacheTagVersions } from './cache-tag-versions.ts';
import type { Resource } from './representation-cache.ts';
import { RepresentationCache } from './representation-cache.ts';
import type { BuiltBody, Representation } from './representation.ts';

const clock = createTestClock('2026-11-15T00:00:00.000Z');
let versions: CacheTagVersions;
let version: { changed: bigint; purged: bigint };
let buildErrors: unknown[];
let elapsedMs = 0;

beforeEach(() => {
  versions = new CacheTagVersions(() => elapsedMs);
  version = { changed: 0n, purged: 0n };
  buildErrors = [];
  poll();
});

/** As the watcher does after each poll. */
function poll(cache?: RepresentationCache): void {
  versions.update([{ tag: 'items', ...version }]);
  cache?.dropPurged();
}

function change(cache: RepresentationCache): void {
  version.changed += 1n;
  poll(cache);
}

function purge(cache?: RepresentationCache): void {
  version.changed += 1n;
  version.purged += 1n;
  poll(cache);
}

function createCache(bounds: { entriesMax?: number; bytesMax?: number } = {}): RepresentationCache {
  return new RepresentationCache({
    versions,
    nowMs: clock.nowMs,
    entriesMax: 100,
    bytesMax: 1_000_000,
    freshForMs: 60_000,
    rebuildEveryMs: 2_000,
    staleWaitMs: 30,
    onBuildError: (_key, error) => buildErrors.push(error),
    ...bounds,
  });
}

const bodyOf = (body: string): BuiltBody => ({ status: 200, contentType: 'text/plain', body });
const textOf = async (found: Representation | Promise<Representation>): Promise<string> =>
  (await found).identity.toString();

/** Each build answers with its number. */
function counted(key = 'a'): Resource & { readonly builds: () => number } {
  let builds = 0;
  return {
    key,
    cacheTags: ['items'],
    builds: () => builds,
    build: async () => bodyOf(String((builds += 1))),
  };
}

/** Each build waits until the test resolves it. */
function gated(): Resource & { readonly gates: PromiseWithResolvers<string>[] } {
  const gates: PromiseWithResolvers<string>[] = [];
  return {
    key: 'a',
    cacheTags: ['items'],
    gates,
    build: async () => {
      const gate = Promise.withResolvers<string>();
      gates.push(gate);
      return bodyOf(await gate.promise);
    },
  };
}

test('shares one build among a hundred concurrent callers, and shares but does not cache a failed build', async () => {
  const cache = createCache();
  const resource = gated();
  const failing = Array.from({ length: 100 }, () => textOf(cache.get(resource)));
  resource.gates[0]!.reject(new Error('no'));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  const callers = Array.from({ length: 100 }, () => textOf(cache.get(resource)));
  resource.gates[1]!.resolve('body');
  expect(new Set(await Promise.all(callers))).toEqual(new Set(['body']));
  expect(resource.gates).toHaveLength(2);
  expect(cache.counts).toMatchObject({ builds: 2, failedBuilds: 1, entries: 1 });
});

describe('a cached copy', () => {
  test('is served synchronously while nothing changed', async () => {
    const [cache, resource] = [createCache(), counted()];
    const first = await cache.get(resource);
    clock.advance({ seconds: 59 });
    expect(cache.get(resource)).toBe(first);
  });

  test('is rebuilt after a minute, because time windows move', async () => {
    const [cache, resource] = [createCache(), counted()];
    await cache.get(resource);
    clock.advance({ seconds: 60 });
    expect(await textOf(cache.get(resource))).toBe('2');
  });

  test('is rebuilt when the clock was set back', async () => {
    const [cache, resource] = [createCache(), counted()];
    await cache.get(resource);
    clock.advance({ hours: -1 });
    expect(await textOf(cache.get(resource))).toBe('2');
  });

  test('is rebuilt when stale, at most once in two seconds however often tags change', async () => {
    const [cache, resource] = [createCache(), counted()];
    await cache.get(resource);
    for (let step = 0; step < 40; step += 1) {
      clock.advance({ milliseconds: 250 });
      change(cache);
      await cache.get(resource);
    }
    expect(resource.builds()).toBe(1 + 5);
  });

  test('stays valid when another tag changes', async () => {
    const [cache, resource] = [createCache(), counted()];
    await cache.get({ ...resource, cacheTags: ['other'] });
    clock.advance({ seconds: 10 });
    purge(cache);
    expect(await textOf(cache.get({ ...resource, cacheTags: ['other'] }))).toBe('1');
  });

  test('is served stale when its rebuild is slow or fails, and callers do not queue behind the rebuild', async () => {
    const [cache, resource] = [createCache(), gated()];
    const first = cache.get(resource);
    resource.gates[0]!.resolve('old');
    await first;
    clock.advance({ seconds: 5 });
    change(cache);
    expect(await textOf(cache.get(resource))).toBe('old');
    clock.advance({ seconds: 1 });
    expect(await textOf(cache.get(resource))).toBe('old');
    resource.gates[1]!.reject(new Error('no'));
    await vi.waitFor(() => expect(buildErrors).toHaveLength(1));
    const third = textOf(cache.get(resource));
    resource.gates[2]!.reject(new Error('no'));
    expect(await third).toBe('old');
    expect(cache.counts.staleHits).toBe(3);
  });
});

describe('a purge', () => {
  test('drops the copy at once: the next caller waits for a new one', async () => {
    const [cache, resource] = [createCache(), gated()];
    const first = cache.get(resource);
    resource.gates[0]!.resolve('withdrawn');
    await first;
    purge(cache);
    expect(cache.counts.entries).toBe(0);
    const next = textOf(cache.get(resource));
    resource.gates[1]!.resolve('corrected');
    expect(await next).toBe('corrected');
  });

  test('is not undone by a build that began before it', async () => {
    const [cache, resource] = [createCache(), gated()];
    const before = textOf(cache.get(resource));
    purge(cache);
    const after = textOf(cache.get(resource));
    resource.gates[0]!.resolve('withdrawn');
    await vi.waitFor(() => expect(resource.gates).toHaveLength(2));
    resource.gates[1]!.resolve('corrected');
    expect([await before, await after]).toEqual(['corrected', 'corrected']);
  });

  test('also applies to a caller that waits for the rebuild of a stale copy', async () => {
    const [cache, resource] = [createCache(), gated()];
    const first = cache.get(resource);
    resource.gates[0]!.resolve('withdrawn');
    await first;
    clock.advance({ seconds: 5 });
    change(cache);
    const waiting = textOf(cache.get(resource));
    purge(cache);
    resource.gates[1]!.resolve('withdrawn');
    await vi.waitFor(() => expect(resource.gates).toHaveLength(3));
    resource.gates[2]!.resolve('corrected');
    expect(await waiting).toBe('corrected');
  });

  test('during every build ends in 503, never in the purged copy', async () => {
    const cache = createCache();
    const build = async (): Promise<BuiltBody> => {
      purge(cache);
      return bodyOf('withdrawn');
    };
    await expect(textOf(cache.get({ key: 'a', cacheTags: ['items'], build }))).rejects.toMatchObject({
      definition: { code: 'temporarily_unavailable' },
      retryAfterSeconds: 1,
    });
  });

  test('is detected when a restored database shows smaller version numbers or none', async () => {
    const [cache, resource] = [createCache(), counted()];
    purge(cache);
    await cache.get(resource);
    versions.update([]);
    expect(await textOf(cache.get(resource))).toBe('2');
  });
});

test('serves only copies begun after the last purge, for any sequence of builds, changes and purges', async () => {
  const step = fc.constantFrom(
    'get',
    'get',
    'change',
    'purge',
    'second',
    'minute',
    'unreachable',
    'reachable',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const cache = createCache();
      versions.databaseUnreachable = false;
      let epoch = 0;
      const resource: Resource = { key: 'a', cacheTags: ['items'], build: async () => bodyOf(String(epoch)) };
      const [served, current]: [string[], string[]] = [[], []];
      for (const next of steps) {
        if (next === 'get') {
          served.push(await textOf(cache.get(resource)));
          current.push(String(epoch));
        }
        if (next === 'change' && !versions.databaseUnreachable) change(cache);
        if (next === 'purge' && !versions.databaseUnreachable) {
          epoch += 1;
          purge(cache);
        }
        if (next === 'second') clock.advance({ seconds: 1 });
        if (next === 'minute') clock.advance({ minutes: 1 });
        if (next === 'unreachable') versions.databaseUnreachable = true;
        if (next === 'reachable') versions.databaseUnreachable = false;
      }
      expect(served).toEqual(current);
    }),
  );
});

test('serves any cached copy, however old, while the database is unreachable', async () => {
  const [cache, resource] = [createCache(), counted()];
  await cache.get(resource);
  change(cache);
  versions.databaseUnreachable = true;
  clock.advance({ hours: 5 });
  expect(await textOf(cache.get(resource))).toBe('1');
  versions.databaseUnreachable = false;
  expect(await textOf(cache.get(resource))).toBe('2');
});

test('treats a problem as a response, not as a failed build', async () => {
  const cache = createCache();
  const build = async (): Promise<BuiltBody> => {
    throw new ProblemError(notFound, 'nothing');
  };
  await expect(textOf(cache.get({ key: 'a', cacheTags: ['items'], build }))).rejects.toThrow('not_found');
  expect([cache.counts.failedBuilds, buildErrors]).toEqual([0, []]);
});

describe('cache bounds', () => {
  test('limit entries and bytes for any sequence of requests', async () => {
    const request = fc.tuple(fc.nat(30), fc.nat(5_000));
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 100 }), async (requests) => {
        const cache = createCache({ entriesMax: 10, bytesMax: 40_000 });
        for (const [key, length] of requests) {
          const build = async (): Promise<BuiltBody> => bodyOf('x'.repeat(length));
          await cache.get({ key: String(key), cacheTags: [], build });
          expect(cache.counts.entries).toBeLessThanOrEqual(10);
          expect(cache.counts.bytes).toBeLessThanOrEqual(40_000);
        }
      }),
    );
  });

  test('evict entries requested once before entries requested repeatedly', async () => {
    const cache = createCache({ entriesMax: 10 });
    const popular = counted('popular');
    for (let other = 0; other < 200; other += 1) {
      await cache.get(popular);
      await cache.get(counted(`other ${other}`));
    }
    expect(popular.builds()).toBe(1);
  });

  test('serve a body larger than the cache without caching it or evicting others', async () => {
    const cache = createCache({ bytesMax: 10_000 });
    const small = counted('small');
    await cache.get(small);
    await cache.get({ key: 'large', cacheTags: [], build: async () => bodyOf('x'.repeat(20_000)) });
    await cache.get(small);
    expect([small.builds(), cache.counts.entries]).toEqual([1, 1]);
  });
});

describe('a process that was frozen for longer than a second', () => {
  afterEach(() => void vi.useRealTimers());

  /** No timer runs meanwhile. */
  const freeze = (): void => {
    versions.run();
    elapsedMs += 1_500;
  };

  test('serves no copy before the next poll, and then none that was purged meanwhile', async () => {
    const cache = createCache();
    const resource = counted();
    await cache.get(resource);
    freeze();
    const reading = cache.get(resource);
    purge(cache);
    expect(await textOf(reading)).toBe('2');
    expect(resource.builds()).toBe(2);
  });

  test('does not trust a poll that was sent before it was frozen', async () => {
    const cache = createCache();
    const resource = counted();
    await cache.get(resource);
    const sentAtMs = elapsedMs;
    freeze();
    const reading = cache.get(resource);
    versions.update([{ tag: 'items', ...version }], sentAtMs);
    expect(cache.get(resource)).toBeInstanceOf(Promise);
    purge(cache);
    expect(await textOf(reading)).toBe('2');
  });

  test('serves its copy when the database does not answer', async () => {
    const cache = createCache();
    const resource = counted();
    await cache.get(resource);
    freeze();
    const reading = cache.get(resource);
    versions.lose();
    expect(await textOf(reading)).toBe('1');
  });

  test('serves its copy without waiting again after a poll was awaited for a second', async () => {
    vi.useFakeTimers();
    const cache = createCache();
    const resource = counted();
    await cache.get(resource);
    freeze();
    const reading = cache.get(resource);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await textOf(reading)).toBe('1');
    expect(cache.get(resource)).not.toBeInstanceOf(Promise);
  });
});
