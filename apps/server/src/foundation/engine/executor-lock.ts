import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { ExecutorDescription } from './executor-store.ts';

export interface ExecutorLockOptions {
  /** Straight to PostgreSQL, never through a pooler: the lock belongs to the session. */
  readonly url: string;
  readonly self: ExecutorDescription;
  /** A session that sends no query for this long is ended by the server, and with it the lock. */
  readonly heartbeatTimeoutMs: number;
  /** How long to wait for a database that does not answer. */
  readonly connectWithinMs: number;
  /** An event loop that has not turned for this long does not work any more: the lock is given up. */
  readonly loopStuckAfterMs: number;
  /** The epoch has ended, or will be ended by others: this process may not work any more. */
  readonly onLost: (reason: string) => void;
  /** The session broke, or is there again; the epoch goes on meanwhile. */
  readonly onSession?: (state: 'broken' | 'regained', detail: string) => void;
}

export interface ExecutorLock {
  readonly epoch: number;
  readonly release: () => Promise<void>;
}

/** What the thread is started with. */
export interface LockThreadSettings extends Omit<ExecutorLockOptions, 'onLost' | 'onSession'> {
  /** Milliseconds of `performance.timeOrigin + now()` when the event loop of the process last turned. */
  readonly loopTurnedAt: SharedArrayBuffer;
}

export type LockThreadMessage =
  | { readonly kind: 'acquired'; readonly epoch: number }
  | { readonly kind: 'broken' | 'regained' | 'lost'; readonly detail: string };

const loopTurnEveryMs = 1_000;

/**
 * Shows that one executor is alive. A thread of its own sends the heartbeats, so that neither long work in the event
 * loop nor a busy machine ends them. When the process is frozen or cut off they stop, the server ends the session and
 * the lock is free. A session that breaks is opened again: as long as no process has ended the epoch, the process goes on;
 * the fence keeps it from writing afterwards.
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
