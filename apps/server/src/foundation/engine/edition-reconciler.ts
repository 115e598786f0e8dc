import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { CalendarClock } from '../clock.ts';
import type { DB } from '../database/generated/database-types.ts';
import type { Logger } from '../logger.ts';
import type { EditionSet, Enqueue } from './engine-declarations.ts';
import { executorLockClass } from './executor-store.ts';
import type { FencedDeps } from './fenced-transaction.ts';
import { runFenced } from './fenced-transaction.ts';
import type { WorkflowState } from './workflow-history-store.ts';
import { forgetWorkflows, readWorkflowStates } from './workflow-history-store.ts';

/** After a long outage the remaining editions follow in the next run. */
const startsPerWakeMax = 200;
const retryAfterMsDefault = 5 * 60_000;

export const editionWorkflowId = (set: string, key: string): string => `${set}/${key}`;

export interface ReconcilerDeps extends FencedDeps {
  readonly clock: CalendarClock;
  readonly enqueue: Enqueue;
  readonly logger: Logger;
  readonly sets: readonly EditionSet[];
  readonly onSetFailed: (set: string, error: unknown) => void;
}

/**
 * Starts exactly the editions that should exist and do not, under a workflow id that is the edition's own key. A
 * missed, repeated or late run changes nothing but the hour. A set that fails is retried in the next run and does not
 * delay the others.
 */
export function createReconciler(deps: ReconcilerDeps): () => Promise<void> {
  return async () => {
    for (const set of deps.sets) {
      await reconcileSet(deps, set).catch((error: unknown) => deps.onSetFailed(set.name, error));
    }
  };
}

async function reconcileSet(deps: ReconcilerDeps, set: EditionSet): Promise<void> {
  const due = set.due(deps.clock.nowMs());
  const started = await runFenced(deps, async (transaction) =>
    (await takeTurn(transaction)) ? startMissing(transaction, deps, set, due) : 0,
  );
  if (started > 0) deps.logger.info({ set: set.name, started }, 'editions started');
}

async function takeTurn(transaction: Transaction<DB>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${executorLockClass}::int, 0) AS locked`.execute(transaction);
  return rows[0]?.locked === true;
}

async function startMissing(
  transaction: Transaction<DB>,
  deps: ReconcilerDeps,
  set: EditionSet,
  due: readonly string[],
): Promise<number> {
  const idOf = (key: string): string => editionWorkflowId(set.name, key);
  // States first, editions second: the second query sees the edition of a run that ends between the two.
  const states = await readWorkflowStates(transaction, due.map(idOf));
  const exists = set.existing
    ? await set.existing(transaction, due)
    : new Set(due.filter((key) => states.get(idOf(key))?.state === 'succeeded'));
  const startable = chooseKeysToStart(
    due.filter((key) => !exists.has(key)),
    (key) => states.get(idOf(key)),
    (set.retryAfterMs ?? retryAfterMsDefault) / deps.clock.speed,
  );
  await forgetWorkflows(transaction, startable.map(idOf));
  for (const key of startable) {
    await deps.enqueue(transaction, set.workflow, { id: idOf(key), input: { key } });
  }
  return startable.length;
}

/** Never-tried editions come first, so that editions that fail repeatedly cannot hold them back. */
export function chooseKeysToStart(
  missing: readonly string[],
  stateOf: (key: string) => Pick<WorkflowState, 'endedMsAgo'> | undefined,
  restMs: number,
): readonly string[] {
  const untried = missing.filter((key) => stateOf(key) === undefined);
  const rested = missing.filter((key) => (stateOf(key)?.endedMsAgo ?? -1) >= restMs);
  return [...untried, ...rested].slice(0, startsPerWakeMax);
}
