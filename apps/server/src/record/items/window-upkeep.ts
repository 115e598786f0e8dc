import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EditionInput, EditionSet } from '../../foundation/engine/engine-declarations.ts';
import { rollWindow } from './window-store.ts';

/** Once an hour the window's partitions are made days ahead, and those that have aged out are dropped. */
export function createWindowUpkeep(deps: { readonly database: Database; readonly clock: Clock }): EditionSet {
  return {
    name: 'window-upkeep',
    due: (nowMs) => [Temporal.Instant.fromEpochMilliseconds(nowMs).toString().slice(0, 13)],
    workflow: {
      name: 'window-upkeep',
      queue: { name: 'maintenance', runningMax: 1 },
      run: (context, _input: EditionInput) =>
        context.step('roll', () => rollWindow(deps.database, deps.clock.now())),
    },
  };
}
