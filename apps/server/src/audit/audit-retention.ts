import { dayMs } from '../foundation/clock.ts';
import type { Clock } from '../foundation/clock.ts';
import { deleteInBatches } from '../foundation/database/batched-delete.ts';
import type { Database } from '../foundation/database/database.ts';
import type { RecurringTask } from '../foundation/engine/engine-declarations.ts';
import { addMs } from '../foundation/instant.ts';
import { removeExpiredEvents } from './audit-event-store.ts';

interface RetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keepDays: number;
}

/** Deletes events older than the installation's retention once a day, in batches. */
export function createAuditRetention(deps: RetentionDeps): RecurringTask {
  return {
    name: 'audit-retention',
    every: 'day',
    run: (context) => context.step('remove', () => removeExpired(deps)),
  };
}

export function removeExpired({ database, clock, keepDays }: RetentionDeps): Promise<number> {
  const before = addMs(clock.now(), -keepDays * dayMs);
  return deleteInBatches((rows) => removeExpiredEvents(database, before, rows));
}
