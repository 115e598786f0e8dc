import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { TopicVersions } from './topic-versions.ts';

export const versionChannel = 'daybook_representation_version';

export interface VersionWatcherOptions {
  readonly versions: TopicVersions;
  /** Read through the same login and server as the bodies are built from, or a copy could outlive its purge. */
  readonly readVersions: () => Promise<
    readonly { readonly topic: string; readonly changed: bigint; readonly purged: bigint }[]
  >;
  /** A direct connection for LISTEN, never through a pooler. */
  readonly listenUrl: string;
  readonly pollEveryMs: number;
  readonly onPolled: () => void;
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
}

export interface VersionWatcher {
  readonly stop: () => Promise<void>;
}

/**
 * Polls the versions; that alone keeps the promise of one second. Notifications only hasten it, so losing the
 * listening connection costs half a second and nothing else.
 */
export async function startVersionWatcher(options: VersionWatcherOptions): Promise<VersionWatcher> {
  const stopping = new AbortController();
  let wake = Promise.withResolvers<void>();

  const poll = async (): Promise<void> => {
    const wasAway = options.versions.away;
    try {
      options.versions.update(await options.readVersions());
      options.onPolled();
      if (wasAway) options.onBack();
    } catch (error) {
      options.versions.away = true;
      if (!wasAway) options.onAway(error);
    }
  };
  const pollForever = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const timer = delay(options.pollEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
      await Promise.race([timer, wake.promise]);
      wake = Promise.withResolvers<void>();
      if (!stopping.signal.aborted) await poll();
    }
  };
  await poll();
  const polling = pollForever();
  const listening = listenForever(options, stopping.signal, () => wake.resolve());
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([polling, listening]);
    },
  };
}

async function listenForever(
  options: VersionWatcherOptions,
  stopping: AbortSignal,
  onNotice: () => void,
): Promise<void> {
  while (!stopping.aborted) {
    const client = new pg.Client({
      connectionString: options.listenUrl,
      application_name: 'daybook cache listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    client.on('notification', onNotice);
    stopping.addEventListener('abort', () => resolve(), { once: true });
    try {
      await client.connect();
      await client.query(`LISTEN ${versionChannel}`);
      // Whatever was said before we listened.
      onNotice();
      await lost;
    } catch {
      // Away; polling says so.
    }
    await client.end().catch(() => {});
    await delay(options.pollEveryMs, undefined, { signal: stopping }).catch(() => {});
  }
}
