import { hostname } from 'node:os';

import type { Database } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import { createEpochFence } from './epoch-fence.ts';
import type { ExecutorLock } from './executor-lock.ts';
import { acquireExecutorLock } from './executor-lock.ts';
import { leaveEpoch } from './executor-store.ts';
import type { PaidCall, PaidStep } from './paid-call.ts';
import { performPaidCall } from './paid-call.ts';

/** Paid calls of a process without the engine. */
export interface PaidSession {
  /** Spends at most once for a key. Rejects without spending while the session cannot be opened. */
  readonly perform: <Output>(step: PaidStep, paid: PaidCall<Output>) => Promise<Output>;
  readonly close: () => Promise<void>;
}

export interface PaidSessionDeps {
  readonly database: Database;
  /** The same login direct to PostgreSQL, bypassing any pooler. */
  readonly lockUrl: string;
  readonly logger: Logger;
}

/** As those of the engine. */
const timings = { heartbeatTimeoutMs: 8_000, connectWithinMs: 10_000, loopStuckAfterMs: 5 * 60_000 };

interface OpenEpoch {
  readonly lock: ExecutorLock;
  /** Whether the epoch has ended: this process must not spend under it any more. */
  isLost: boolean;
}

/**
 * Opens an epoch with the first call, as a worker does when it starts, but without workflows. A process that was
 * suspended while workers ended its epoch begins no call and writes no receipt; the next call opens another epoch.
 */
export function createPaidSession({ database, lockUrl, logger }: PaidSessionDeps): PaidSession {
  let opening: Promise<OpenEpoch> | null = null;
  /** The end of an epoch can be noticed after the next one has begun, which stays. */
  const forget = (ended: Promise<OpenEpoch>): void => {
    if (opening === ended) opening = null;
  };
  const open = async (onLost: () => void): Promise<OpenEpoch> => {
    let opened: OpenEpoch | null = null;
    const lock = await acquireExecutorLock({
      url: lockUrl,
      self: { host: hostname(), processId: process.pid, release: 'paid-calls', versions: {} },
      ...timings,
      onLost: (reason) => {
        logger.warn({ reason }, 'the epoch for paid calls has ended');
        onLost();
        if (opened !== null) opened.isLost = true;
      },
    });
    opened = { lock, isLost: false };
    return opened;
  };
  const current = (): Promise<OpenEpoch> => {
    if (opening !== null) return opening;
    const begun: Promise<OpenEpoch> = open(() => forget(begun)).catch((error: unknown) => {
      forget(begun);
      throw error;
    });
    opening = begun;
    return begun;
  };
  return {
    perform: async (step, paid) => {
      const epoch = current();
      const { lock } = await epoch;
      const fence = createEpochFence(lock.epoch, () => forget(epoch));
      const untilDone = <Output>(work: () => Promise<Output>): Promise<Output> => work();
      return performPaidCall({ database, fence, epoch: lock.epoch, logger, untilDone }, step, paid);
    },
    close: async () => {
      const epoch = await opening?.catch(() => null);
      opening = null;
      if (epoch === null || epoch === undefined) return;
      if (!epoch.isLost) await leaveEpoch(database, epoch.lock.epoch);
      await epoch.lock.release();
    },
  };
}
