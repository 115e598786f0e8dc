import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { RunTransaction } from '../leases/request-turns.ts';

interface Piece {
  readonly work: (transaction: Transaction<DB>) => Promise<unknown>;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const groupMax = 25;
const groupsAtOnceMax = 4;

/**
 * Runs short pieces of work that wait at the same time in one transaction, one after the other, to save begin, fence and
 * commit. No piece waits for a group to fill. If one piece fails, each runs again in a transaction of its own.
 */
export function groupTransactions(transaction: RunTransaction): RunTransaction {
  const waiting: Piece[] = [];
  let running = 0;
  const runWaiting = async (): Promise<void> => {
    running += 1;
    while (waiting.length > 0) await runGroup(transaction, waiting.splice(0, groupMax));
    running -= 1;
  };
  return <Output>(work: (transaction: Transaction<DB>) => Promise<Output>): Promise<Output> => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    waiting.push({ work, resolve: (output) => resolve(output as Output), reject });
    if (running < groupsAtOnceMax) void runWaiting();
    return promise;
  };
}

/** Never rejects: each piece is resolved or rejected by itself. */
async function runGroup(transaction: RunTransaction, group: readonly Piece[]): Promise<void> {
  const runAlone = ({ work, resolve, reject }: Piece): Promise<void> =>
    transaction(work).then(resolve, reject);
  const [first, ...others] = group;
  if (first === undefined) return;
  if (others.length === 0) {
    await runAlone(first);
    return;
  }
  const outputs = await transaction(async (trx) => {
    const all: unknown[] = [];
    for (const { work } of group) all.push(await work(trx));
    return all;
  }).catch(() => null);
  for (const [at, piece] of group.entries())
    if (outputs === null) await runAlone(piece);
    else piece.resolve(outputs[at]);
}
