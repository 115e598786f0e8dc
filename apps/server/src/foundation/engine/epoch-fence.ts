import type { Transaction } from 'kysely';

import type { DB } from '../database/generated/database-types.ts';
import { holdEpoch } from './executor-store.ts';

/**
 * Called inside the transaction it protects. Others can end this epoch only before it or after its commit, so a
 * process that was suspended during its takeover writes nothing.
 */
export type EpochFence = (transaction: Transaction<DB>) => Promise<void>;

export class EpochEndedError extends Error {
  constructor(epoch: number) {
    super(`epoch ${epoch} has ended; its work belongs to others`);
    this.name = 'EpochEndedError';
  }
}

export function createEpochFence(epoch: number, onEnded: (reason: string) => void): EpochFence {
  return async (transaction) => {
    if (await holdEpoch(transaction, epoch)) return;
    const error = new EpochEndedError(epoch);
    onEnded(error.message);
    throw error;
  };
}
