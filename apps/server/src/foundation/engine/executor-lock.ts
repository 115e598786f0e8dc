import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { ExecutorDescription } from './executor-store.ts';

export interface ExecutorLockOptions {
  /** Direct to PostgreSQL, never through a pooler: the lock belongs to the session. */
  readonly url: string;
  readonly self: ExecutorDescription;
  /** The server ends a session that sends no query for this long, which frees the lock. */
  readonly heartbeatTimeoutMs: number;
  /** Time-out for a database that does not answer. */
  readonly connectWithinMs: number;
  /** An event loop blocked for this long does no work any more: the thread releases the lock. */
  readonly loopStuckAfterMs: number;
  /** The epoch has ended, or others will end it: this process must not work any more. */
  readonly onLost: (reason: string) => void;
  /** The session broke, or was reopened; the epoch continues meanwhile. */
  readonly onSession?: (state: 'broken' | 'regained', detail: string) => void;
}

export interface ExecutorLock {
  readonly epoch: number;
  readonly release: () => Promise<void>;
}

/** The start parameters of the thread. */
export interface LockThreadSettings extends Omit<ExecutorLockOptions, 'onLost' | 'onSession'> {
  /** Milliseconds of `performance.timeOrigin + now()` at the last turn of the event loop. */
  readonly loopTurnedAt: SharedArrayBuffer;
}

export type LockThreadMessage =
  | { readonly kind: 'acquired'; readonly epoch: number }
  | { readonly kind: 'broken' | 'regained' | 'lost'; readonly detail: string };

const loopTurnEveryMs = 1_000;

/**
 * Shows that one executor is alive. A separate thread sends the heartbeats, so that neither long work in the event loop
 * nor a busy machine interrupts them. When the process is frozen or disconnected they stop, the server ends the session
 * and the lock is free. A broken session is reopened: until another process ends the epoch, the process continues; the
 * fence prevents later writes.
 */
export async function acquireExecutorLock(options: ExecutorLockOptions): Promise<ExecutorLock> {
  const { onLost, onSession, ...settings } = options;
  const loopTurnedAt = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const turned = new Float64Array(loopTurnedAt);
  const noteTurn = (): void => {
    turned[0] = performance.timeOrigin + performance.now();
  };
  noteTurn();
  const turning = setInterval(noteTurn, loopTurnEveryMs);
  const thread = new Worker(new URL('./executor-lock-thread.ts', import.meta.url), {
    workerData: { ...settings, loopTurnedAt } satisfies LockThreadSettings,
  });
  let released = false;
  const end = (): void => {
    released = true;
    clearInterval(turning);
  };
  const reportLost = (reason: string): void => {
    if (released) return;
    end();
    onLost(reason);
  };
  try {
    const [first] = (await once(thread, 'message')) as [LockThreadMessage];
    if (first.kind !== 'acquired') throw new Error(first.detail);
    thread.on('message', (message: LockThreadMessage) => {
      if (message.kind === 'lost') reportLost(message.detail);
      else if (message.kind !== 'acquired') onSession?.(message.kind, message.detail);
    });
    thread.on('error', (error: Error) => reportLost(`the lock thread failed: ${error.message}`));
    thread.on('exit', () => reportLost('the lock thread ended'));
    return {
      epoch: first.epoch,
      release: async () => {
        end();
        if (thread.threadId === -1) return;
        const ended = once(thread, 'exit');
        thread.postMessage('release');
        await ended;
      },
    };
  } catch (error) {
    end();
    await thread.terminate();
    throw error;
  }
}
