import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { ExecutorDescription } from './executor-store.ts';
import { registerExecutor } from './executor-store.ts';

export interface ExecutorLockOptions {
  /** Straight to PostgreSQL, never through a pooler: the lock belongs to the session. */
  readonly url: string;
  readonly self: ExecutorDescription;
  /** A session that sends no query for this long is ended by the server, and with it the lock. */
  readonly heartbeatTimeoutMs: number;
  /** How long to wait for a database that does not answer. */
  readonly connectWithinMs: number;
  readonly onLost: (reason: string) => void;
}

export interface ExecutorLock {
  readonly epoch: number;
  readonly release: () => Promise<void>;
}

/**
 * Shows that one executor is alive. The process sends heartbeats; when it is frozen, starved or cut off they stop, the
 * server ends its session and the lock is free. The process measures the same time by its own clock, so that it stops
 * before others may begin.
 */
export async function acquireExecutorLock(options: ExecutorLockOptions): Promise<ExecutorLock> {
  const session = await connect(options);
  let ended = false;
  const reportLost = (reason: string): void => {
    if (ended) return;
    ended = true;
    clearInterval(heartbeat);
    options.onLost(reason);
  };
  session.on('error', (error) => reportLost(`the lock session broke: ${error.message}`));
  session.on('end', () => reportLost('the lock session ended'));

  let lastAnswerAt = performance.now();
  let isWaiting = false;
  const sendHeartbeat = async (): Promise<void> => {
    isWaiting = true;
    await session.query('SELECT 1');
    lastAnswerAt = performance.now();
    isWaiting = false;
  };
  const heartbeat = setInterval(() => {
    if (performance.now() - lastAnswerAt > options.heartbeatTimeoutMs)
      reportLost('no answer to heartbeats for too long');
    else if (!isWaiting)
      sendHeartbeat().catch((error: Error) => reportLost(`the lock session failed: ${error.message}`));
  }, options.heartbeatTimeoutMs / 8);

  try {
    const epoch = await registerExecutor(session, options.self);
    return {
      epoch,
      release: async () => {
        ended = true;
        clearInterval(heartbeat);
        await session.end();
      },
    };
  } catch (error) {
    ended = true;
    clearInterval(heartbeat);
    await session.end().catch(() => {});
    throw error;
  }
}

async function connect(options: ExecutorLockOptions): Promise<pg.Client> {
  const deadline = performance.now() + options.connectWithinMs;
  for (;;) {
    const client = new pg.Client(sessionConfig(options));
    const ignore = (): void => {};
    client.on('error', ignore);
    try {
      await client.connect();
      client.off('error', ignore);
      return client;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(250);
    }
  }
}

/** A pooler refuses these settings when connecting, so a wrong address shows at once. */
function sessionConfig({ url, heartbeatTimeoutMs }: ExecutorLockOptions): pg.ClientConfig {
  const keepAliveSeconds = Math.max(1, Math.floor(heartbeatTimeoutMs / 4_000));
  const settings = {
    idle_session_timeout: heartbeatTimeoutMs,
    idle_in_transaction_session_timeout: heartbeatTimeoutMs,
    tcp_user_timeout: heartbeatTimeoutMs,
    tcp_keepalives_idle: keepAliveSeconds,
    tcp_keepalives_interval: keepAliveSeconds,
    tcp_keepalives_count: 3,
  };
  return {
    connectionString: url,
    application_name: 'daybook executor lock',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1_000,
    connectionTimeoutMillis: heartbeatTimeoutMs,
  };
}
