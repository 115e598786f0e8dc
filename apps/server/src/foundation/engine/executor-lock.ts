import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { ExecutorDescription } from './executor-store.ts';
import { registerExecutor } from './executor-store.ts';

export interface ExecutorLockOptions {
  /** Straight to PostgreSQL, never through a pooler: the lock belongs to the session. */
  readonly url: string;
  readonly self: ExecutorDescription;
  /** A session that is silent for this long is ended by the server, and with it the lock. */
  readonly silenceMaxMs: number;
  /** How long to wait for a database that is away. */
  readonly connectWithinMs: number;
  readonly onLost: (reason: string) => void;
}

export interface ExecutorLock {
  readonly epoch: number;
  readonly release: () => Promise<void>;
}

/**
 * Shows that one executor is alive. It is asked for by the server, not by us: a process that is frozen, starved or
 * cut off stops speaking, the server ends its session and the lock is free. The process comes to the same conclusion
 * by its own clock, so that it stops before others may begin.
 */
export async function acquireExecutorLock(options: ExecutorLockOptions): Promise<ExecutorLock> {
  const session = await connect(options);
  let over = false;
  const lose = (reason: string): void => {
    if (over) return;
    over = true;
    clearInterval(beat);
    options.onLost(reason);
  };
  session.on('error', (error) => lose(`the lock session broke: ${error.message}`));
  session.on('end', () => lose('the lock session ended'));

  let heardAt = performance.now();
  let asking = false;
  const ask = async (): Promise<void> => {
    asking = true;
    await session.query('SELECT 1');
    heardAt = performance.now();
    asking = false;
  };
  const beat = setInterval(() => {
    if (performance.now() - heardAt > options.silenceMaxMs) lose('silent for too long');
    else if (!asking) ask().catch((error: Error) => lose(`the lock session failed: ${error.message}`));
  }, options.silenceMaxMs / 8);

  try {
    const epoch = await registerExecutor(session, options.self);
    return {
      epoch,
      release: async () => {
        over = true;
        clearInterval(beat);
        await session.end();
      },
    };
  } catch (error) {
    over = true;
    clearInterval(beat);
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
function sessionConfig({ url, silenceMaxMs }: ExecutorLockOptions): pg.ClientConfig {
  const keepAliveSeconds = Math.max(1, Math.floor(silenceMaxMs / 4_000));
  const settings = {
    idle_session_timeout: silenceMaxMs,
    idle_in_transaction_session_timeout: silenceMaxMs,
    tcp_user_timeout: silenceMaxMs,
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
    connectionTimeoutMillis: silenceMaxMs,
  };
}
