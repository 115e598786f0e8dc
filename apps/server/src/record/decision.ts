import { markTopicsChanged, purgeTopics } from '../foundation/cache/representation-version-store.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { IdSource } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { Result } from '../foundation/result.ts';
import { isWindowMissing, rollWindow } from './items/window-store.ts';
import type { LedgerChange } from './ledger/ledger-store.ts';
import { appendToLedger } from './ledger/ledger-store.ts';
import type { RecordTopic } from './topics.ts';

export interface PublisherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Asked first in every transaction; throws where this process may not write any more. */
  readonly fence?: (transaction: Database) => Promise<void>;
}

/**
 * One decision under way. Rows are locked in one order: source, reading group, items by id, stories by id, editions,
 * then topics, and the ledger's head last of all.
 */
export interface Work {
  readonly database: Database;
  readonly now: EpochMicroseconds;
  readonly ids: IdSource;
  readonly ledger: LedgerChange[];
  readonly topics: Set<RecordTopic>;
  /** Copies may not be shown any more, rather than being merely stale. */
  purges: boolean;
}

/** What was read before its lock was held has changed since: begin again. */
export class Overtaken extends Error {
  constructor() {
    super('another decision came first');
  }
}

const attemptsMax = 8;

export async function decide<Value, Reason extends string>(
  deps: PublisherDeps,
  decision: (work: Work) => Promise<Result<Value, Reason>>,
): Promise<Result<Value, Reason>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(deps, decision);
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      // Outside the decision's transaction, because making a partition locks more than rows.
      if (isWindowMissing(error)) await rollWindow(deps.database, deps.clock.now());
      else if (!isRace(error)) throw error;
    }
  }
}

/** Carries a refusal out of the transaction, so that nothing of it stays. */
class Refusal<Refused> extends Error {
  readonly result: Refused;
  constructor(result: Refused) {
    super('refused');
    this.result = result;
  }
}

async function attemptOnce<Value, Reason extends string>(
  deps: PublisherDeps,
  decision: (work: Work) => Promise<Result<Value, Reason>>,
): Promise<Result<Value, Reason>> {
  try {
    return await deps.database.transaction().execute(async (transaction) => {
      await deps.fence?.(transaction);
      const work: Work = {
        database: transaction,
        now: deps.clock.now(),
        ids: deps.ids,
        ledger: [],
        topics: new Set(),
        purges: false,
      };
      const result = await decision(work);
      if (!result.ok) throw new Refusal(result);
      await leaveTraces(work);
      return result;
    });
  } catch (error) {
    if (error instanceof Refusal) return error.result as Result<Value, Reason>;
    throw error;
  }
}

async function leaveTraces(work: Work): Promise<void> {
  if (work.ledger.length > 0) work.topics.add('selected');
  if (work.topics.size > 0) {
    const mark = work.purges ? purgeTopics : markTopicsChanged;
    await mark(work.database, [...work.topics]);
  }
  await appendToLedger(work.database, work.ledger);
}

/** Deadlock and serialisation failures: PostgreSQL undid the transaction so that another could go on. */
function isRace(error: unknown): boolean {
  if (error instanceof Overtaken) return true;
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');
}
