import type { Transaction } from 'kysely';

import type { Clock } from '../foundation/clock.ts';
import { retryConcurrentChanges } from '../foundation/database/concurrent-change.ts';
import type { Database } from '../foundation/database/database.ts';
import type { DB } from '../foundation/database/generated/database-types.ts';
import { savepoint } from '../foundation/database/savepoint.ts';
import type { IdSource } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { Result } from '../foundation/result.ts';
import { accepted } from '../foundation/result.ts';
import type { CopyEffects } from './cache-tags.ts';
import { combineEffects, purge, recordCacheTags, stale } from './cache-tags.ts';
import type { Erasure } from './erase-history.ts';
import { eraseHistory } from './erase-history.ts';
import type { InspectedItems } from './items/inspected-items.ts';
import type { LedgerChange } from './ledger/ledger-store.ts';
import { combineLedgerChanges } from './ledger/ledger-store.ts';
import { LockOrder } from './lock-order.ts';
import type { LogChange } from './log/log-entry.ts';
import { entriesOf } from './log/log-entry.ts';
import { insertLogEntries } from './log/log-store.ts';
import { writeVersionsAndLedger } from './representation-version-store.ts';

export interface PublisherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Checked first in every transaction that the publisher opens; throws if this process may no longer write. */
  readonly fence?: (transaction: Database) => Promise<void>;
}

/** The reads and writes of one decision inside its transaction. Rows are locked through `locking.ts`, in one order. */
export interface DecisionContext {
  readonly database: Database;
  readonly now: EpochMicroseconds;
  readonly ids: IdSource;
  readonly locks: LockOrder;
  /** Items that the transaction has locked and read, and that no decision has changed since. */
  readonly inspected: InspectedItems;
  readonly ledger: LedgerChange[];
  /** What the decision changes in public. */
  readonly log: LogChange[];
  /** Words that the decision removes from every earlier revision. */
  readonly erasures: Erasure[];
}

/** An accepted decision with its effect on copies of responses. */
export interface Decided<Value> {
  readonly ok: true;
  readonly value: Value;
  readonly copies: CopyEffects;
}

export type DecisionResult<Value, Reason extends string> = Decided<Value> | Refused<Reason>;

type Refused<Reason extends string> = Extract<Result<never, Reason>, { readonly ok: false }>;

export function decided<Value>(value: Value, ...copies: readonly CopyEffects[]): Decided<Value> {
  return { ok: true, value, copies: combineEffects(...copies) };
}

export type Decision<Value, Reason extends string> = (
  context: DecisionContext,
) => Promise<DecisionResult<Value, Reason>>;

/** An inspection locks and reads rows, and changes nothing. */
export type DecisionKind = 'change' | 'inspection';

/** Runs decisions one after the other, in the order of the calls. */
export type RunDecision = <Value, Reason extends string>(
  decision: Decision<Value, Reason>,
  kind: DecisionKind,
) => Promise<Result<Value, Reason>>;

/** Runs one decision in a transaction of its own. */
export async function decide<Value, Reason extends string>(
  deps: PublisherDeps,
  decision: Decision<Value, Reason>,
): Promise<Result<Value, Reason>> {
  return retryConcurrentChanges(deps.database, () =>
    deps.database.transaction().execute(async (transaction) => {
      await deps.fence?.(transaction);
      const context = createDecisionContext(deps, transaction, new LockOrder(), new Map());
      const result = await decision(context);
      if (!result.ok) throw new Refusal(result);
      await finishDecisions(deps, transaction, [{ ...context, copies: result.copies }]);
      return accepted(result.value);
    }),
  ).catch((error: unknown) => {
    if (error instanceof Refusal) return error.result as Result<Value, Reason>;
    throw error;
  });
}

/** Carries a refusal out of the transaction, so that the transaction is rolled back. */
class Refusal<Refused> extends Error {
  readonly result: Refused;
  constructor(result: Refused) {
    super('refused');
    this.result = result;
  }
}

/** Transactions whose decisions are complete: the ledger's head stays locked, so no row may be locked after it. */
const decidedTransactions = new WeakSet<Transaction<DB>>();

/**
 * Any number of decisions in the caller's transaction, beside the caller's own rows. Each refusal undoes its own
 * decision alone; the ledger is appended to once, at the end. The caller that opened the transaction restarts it
 * when a `ConcurrentChange` is thrown.
 */
export async function decideWithin<Value>(
  deps: PublisherDeps,
  transaction: Transaction<DB>,
  decideAll: (run: RunDecision) => Promise<Value>,
): Promise<Value> {
  if (decidedTransactions.has(transaction))
    throw new Error('all decisions of a transaction are made in one call');
  decidedTransactions.add(transaction);
  const [locks, inspected] = [new LockOrder(), new Map() as InspectedItems];
  const taken: TakenDecision[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const value = await decideAll((decision, kind) => {
    const runOne = async () => {
      const context = createDecisionContext(deps, transaction, locks, inspected);
      // Nothing to undo: a savepoint would cost as much as the read.
      if (kind === 'inspection') return withoutCopies(await decision(context));
      const [undo, held] = [await savepoint(transaction), locks.mark()];
      const result = await decision(context).finally(() => inspected.clear());
      if (result.ok) {
        taken.push({ ...context, copies: result.copies });
        return accepted(result.value);
      }
      await undo();
      locks.resetTo(held);
      return result;
    };
    const running = last.then(runOne);
    last = running.catch(() => {});
    return running;
  });
  await finishDecisions(deps, transaction, taken);
  return value;
}

function withoutCopies<Value, Reason extends string>(
  result: DecisionResult<Value, Reason>,
): Result<Value, Reason> {
  return result.ok ? accepted(result.value) : result;
}

function createDecisionContext(
  deps: PublisherDeps,
  transaction: Transaction<DB>,
  locks: LockOrder,
  inspected: InspectedItems,
): DecisionContext {
  return {
    database: transaction,
    now: deps.clock.now(),
    ids: deps.ids,
    locks,
    inspected,
    ledger: [],
    log: [],
    erasures: [],
  };
}

type TakenDecision = Pick<DecisionContext, 'ledger' | 'log' | 'erasures' | 'now'> &
  Pick<Decided<unknown>, 'copies'>;

/** The time is read at the end, because the ledger states when a position was committed. */
async function finishDecisions(
  { clock }: PublisherDeps,
  transaction: Transaction<DB>,
  taken: readonly TakenDecision[],
): Promise<void> {
  const ledger = combineLedgerChanges(taken.flatMap((decision) => decision.ledger));
  const copies = combineEffects(
    ...taken.flatMap(({ copies: own, ...decision }) => [own, ofMirror(own, decision)]),
  );
  await insertLogEntries(
    transaction,
    taken.flatMap(({ log, now }) => entriesOf(log, now)),
  );
  await eraseHistory(
    transaction,
    taken.flatMap(({ erasures }) => erasures),
  );
  await writeVersionsAndLedger(transaction, copies, ledger, clock.now());
}

/** The mirror's tag depends on the ledger: a decision that purges its changes purges the mirror's copies too. */
function ofMirror(own: CopyEffects, { ledger }: Pick<TakenDecision, 'ledger'>): CopyEffects {
  if (ledger.length === 0) return stale();
  return own.purge.length > 0 ? purge(recordCacheTags.selected) : stale(recordCacheTags.selected);
}
