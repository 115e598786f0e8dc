import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

/** Called with the payload, and with null whenever a connection starts to listen. */
export type OnNotice = (payload: string | null) => void;

/** One connection of a process for all the channels it listens to. */
export interface NotificationListener {
  readonly subscribe: (channel: string, onNotice: OnNotice) => void;
  readonly stop: () => Promise<void>;
}

export interface NotificationListenerOptions {
  /** Direct to PostgreSQL: a pooler in transaction mode loses the subscription silently. */
  readonly url: string;
  readonly retryAfterMs?: number;
}

/** Notifications only speed up work that polling ensures, so a lost connection is reopened silently. */
export function startNotificationListener({
  url,
  retryAfterMs = 500,
}: NotificationListenerOptions): NotificationListener {
  const stopping = new AbortController();
  const handlers = new Map<string, OnNotice>();
  let session: pg.Client | null = null;

  const listen = async (client: pg.Client, channel: string): Promise<void> => {
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    handlers.get(channel)?.(null);
  };
  const listenUntilLost = async (): Promise<void> => {
    const client = createClient(url);
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    client.on('error', () => resolve()).on('end', resolve);
    client.on('notification', ({ channel, payload }) => handlers.get(channel)?.(payload ?? null));
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    try {
      await client.connect();
      session = client;
      for (const channel of handlers.keys()) await listen(client, channel);
      await lost;
    } catch {
      // Unreachable; the poller logs it.
    }
    session = null;
    await client.end().catch(() => {});
  };
  const listenForever = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await listenUntilLost();
      await delay(retryAfterMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const listening = listenForever();
  return {
    subscribe: (channel, onNotice) => {
      handlers.set(channel, onNotice);
      // Where this fails the connection is closed, and the next one listens to all channels.
      if (session !== null) listen(session, channel).catch(() => {});
    },
    stop: async () => {
      stopping.abort();
      await listening;
    },
  };
}

function createClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'daybook notifications',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
}
