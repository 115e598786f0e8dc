import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

import pg from 'pg';

import type { LockThreadMessage, LockThreadSettings } from './executor-lock.ts';
import { lockExecutorAgain, registerExecutor, unlockExecutor } from './executor-store.ts';

// Started by `acquireExecutorLock`: owns the lock of one executor and sends its heartbeats, until it is requested to
// release it, other processes end the epoch, or the event loop of the process is blocked.
const settings = workerData as LockThreadSettings;
const { heartbeatTimeoutMs, loopStuckAfterMs } = settings;
const loopTurnedAt = new Float64Array(settings.loopTurnedAt);
const reconnectEveryMs = 250;

const say = (message: LockThreadMessage): void => parentPort?.postMessage(message);
const releasing = new AbortController();
parentPort?.once('message', () => releasing.abort());

let session = await connectWithin(settings.connectWithinMs);
const epoch = await registerExecutor(session, settings.self);
say({ kind: 'acquired', epoch });
const reason = await holdLock();
if (reason !== null) say({ kind: 'lost', detail: reason });
await unlockExecutor(session).catch(() => {});
await session.end().catch(() => {});
parentPort?.close();

/** Why the lock was lost; null where it was released. */
async function holdLock(): Promise<string | null> {
  for (;;) {
    await delay(heartbeatTimeoutMs / 8, undefined, { signal: releasing.signal }).catch(() => {});
    if (releasing.signal.aborted) return null;
    const stillMs = performance.timeOrigin + performance.now() - (loopTurnedAt[0] ?? 0);
    if (stillMs > loopStuckAfterMs)
      return `the event loop has not turned for ${Math.round(stillMs / 1_000)} s`;
    try {
      await session.query('SELECT 1');
    } catch (error) {
      say({ kind: 'broken', detail: String(error) });
      const ended = await regain();
      if (ended !== null || releasing.signal.aborted) return ended;
      say({ kind: 'regained', detail: '' });
    }
  }
}

/** Locks again in a new session, as soon as the database answers. Returns why that has become useless. */
async function regain(): Promise<string | null> {
  while (!releasing.signal.aborted) {
    await session.end().catch(() => {});
    try {
      session = await connectWithin(0);
      const state = await lockExecutorAgain(session, epoch);
      if (state === 'ended') return `epoch ${epoch} was ended by others`;
      if (state === 'locked') return null;
    } catch {
      // Not reachable yet.
    }
    await delay(reconnectEveryMs, undefined, { signal: releasing.signal }).catch(() => {});
  }
  return null;
}

async function connectWithin(ms: number): Promise<pg.Client> {
  const deadline = performance.now() + ms;
  for (;;) {
    const client = new pg.Client(sessionConfig());
    // An error shows at the next heartbeat.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(reconnectEveryMs);
    }
  }
}

/** A pooler refuses these settings when connecting, so a wrong address is detected at once. */
function sessionConfig(): pg.ClientConfig {
  const keepAliveSeconds = Math.max(1, Math.floor(heartbeatTimeoutMs / 4_000));
  const limits = {
    idle_session_timeout: heartbeatTimeoutMs,
    idle_in_transaction_session_timeout: heartbeatTimeoutMs,
    tcp_user_timeout: heartbeatTimeoutMs,
    tcp_keepalives_idle: keepAliveSeconds,
    tcp_keepalives_interval: keepAliveSeconds,
    tcp_keepalives_count: 3,
  };
  return {
    connectionString: settings.url,
    application_name: 'daybook executor lock',
    options: Object.entries(limits)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1_000,
    connectionTimeoutMillis: heartbeatTimeoutMs,
    query_timeout: heartbeatTimeoutMs,
  };
}
