import type { Database } from '../database/database.ts';
import type { EditionInput, EditionSet } from '../engine/engine-declarations.ts';
import { removeExpiredLimits } from './strict-limit-store.ts';

/** Once an hour, by whichever process comes first, the rows of keys that were quiet are removed. */
export function createLimitCleanup(database: Database): EditionSet {
  return {
    name: 'limit-cleanup',
    due: (nowMs) => [Temporal.Instant.fromEpochMilliseconds(nowMs).toString().slice(0, 13)],
    workflow: {
      name: 'limit-cleanup',
      queue: { name: 'maintenance', runningMax: 1 },
      run: (context, _input: EditionInput) => context.step('remove', () => removeExpiredLimits(database)),
    },
  };
}
