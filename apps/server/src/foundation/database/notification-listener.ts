import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

export interface NotificationListenerOptions {
  /** Straight to PostgreSQL, never through a pooler. */
  readonly url: string;
  readonly channel: string;
  readonly retryAfterMs: number;
  /** With the payload; with null at the start of each connection, for whatever was said before we listened. */
  readonly onNotice: (payload: string | null) => void;
}

/** Listens beside everything else until it is stopped. */
export function startListening(options: NotificationListenerOptions): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const listening = listenForever(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await listening;
    },
  };
}

/** Notifications only hasten what something slower ensures, so a lost connection is made again without a word. */
export async function listenForever(
  options: NotificationListenerOptions,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    await listenUntilLost(options, stopping);
    await delay(options.retryAfterMs, undefined, { signal: stopping }).catch(() => {});
  }
}

async function listenUntilLost(
  { url, channel, onNotice }: NotificationListenerOptions,
  stopping: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'daybook cache listener',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  const onStop = (): void => resolve();
  client.on('error', onStop).on('end', onStop);
  client.on('notification', ({ payload }) => onNotice(payload ?? null));
  stopping.addEventListener('abort', onStop);
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onNotice(null);
    await lost;
  } catch {
    // Away; whoever polls says so.
  }
  stopping.removeEventListener('abort', onStop);
  await client.end().catch(() => {});
}
