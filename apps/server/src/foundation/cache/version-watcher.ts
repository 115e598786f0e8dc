import { setTimeout as delay } from 'node:timers/promises';

import type { NotificationListener } from '../database/notification-listener.ts';
import type { CacheTagVersionRow, CacheTagVersions } from './cache-tag-versions.ts';
import { versionChannel } from './cache-tag-versions.ts';

export interface VersionWatcherOptions {
  readonly versions: CacheTagVersions;
  /**
   * Uses the same login and server as the builds, or a copy could outlive its purge; but a separate
   * connection, or it would queue behind the builds.
   */
  readonly readVersions: () => Promise<readonly CacheTagVersionRow[]>;
  readonly notifications: NotificationListener;
  readonly pollEveryMs: number;
  readonly onPolled: () => void;
  readonly onUnreachable: (error: unknown) => void;
  readonly onReachable: () => void;
}

export interface VersionWatcher {
  readonly stop: () => Promise<void>;
}

/** Minimum pause between polls, however many notifications arrive: it bounds the polling rate. */
const restMs = 50;
/** How often the process notes that it runs, to notice that it was frozen. */
const runEveryMs = 250;

/**
 * Polls the versions, which alone guarantees the one second. Notifications only trigger an earlier poll, so
 * losing the listening connection costs half a second and nothing else.
 */
export async function startVersionWatcher(options: VersionWatcherOptions): Promise<VersionWatcher> {
  const stopping = new AbortController();
  const alarm = createAlarm(options.pollEveryMs);
  stopping.signal.addEventListener('abort', alarm.ring, { once: true });

  const pollForever = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await alarm.rung();
      if (!stopping.signal.aborted) await poll(options);
      await delay(restMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  await poll(options);
  options.versions.run();
  const running = setInterval(() => {
    if (options.versions.run()) alarm.ring();
  }, runEveryMs);
  const polling = pollForever();
  options.notifications.subscribe(versionChannel, alarm.ring);
  return {
    stop: async () => {
      clearInterval(running);
      stopping.abort();
      await polling;
    },
  };
}

async function poll(options: VersionWatcherOptions): Promise<void> {
  const wasUnreachable = options.versions.databaseUnreachable;
  try {
    const sentAtMs = performance.now();
    // A connection closed while idle fails on use; a second attempt distinguishes that from an unreachable database.
    const rows = await options.readVersions().catch(() => options.readVersions());
    options.versions.update(rows, sentAtMs);
    options.onPolled();
    if (wasUnreachable) options.onReachable();
  } catch (error) {
    options.versions.lose();
    if (!wasUnreachable) options.onUnreachable(error);
  }
}

/** Rings after a delay, or at once; a ring without a waiter is stored for the next waiter. */
function createAlarm(afterMs: number): { readonly ring: () => void; readonly rung: () => Promise<void> } {
  let next = Promise.withResolvers<void>();
  return {
    ring: () => next.resolve(),
    rung: async () => {
      const timer = setTimeout(next.resolve, afterMs);
      await next.promise;
      clearTimeout(timer);
      next = Promise.withResolvers<void>();
    },
  };
}
