import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import { insertDeliveries } from '../webhooks/delivery-store.ts';
import { matchNextChanges } from './match-changes.ts';

export interface MatchSweepDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Compares new log entries with saved searches. Matches, their deliveries and the progress commit together. */
export function createMatchSweep({ clock }: MatchSweepDeps): Sweep {
  return {
    name: 'match-saved-searches',
    everySeconds: 1,
    run: async ({ transaction, signal }) => {
      const matchNext = (): Promise<boolean> =>
        transaction(async (database) => {
          const now = clock.now();
          const matched = await matchNextChanges(database, now);
          if (matched === null) return false;
          await insertDeliveries(database, matched.matches, now);
          return true;
        });
      while (!signal.aborted && (await matchNext()));
    },
  };
}
