import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { readEngineNumbers } from '../../foundation/engine/engine-numbers.ts';
import type { EntryId } from '../../ingest/index.ts';
import type { UnpublishedEntry, UnpublishedState } from './publication-numbers-store.ts';
import { findBrokenPromises, listUnpublished } from './publication-numbers-store.ts';
import type { EntryOutcome } from './unpublished-entry-store.ts';
import { retryEntries } from './unpublished-entry-store.ts';

const listedMax = 1_000;
const offendersMax = 50;

/** Queries and commands of operators for entries that are not shown. */
export function createPublicationDesk({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}) {
  return {
    unpublished: (states: readonly UnpublishedState[]): Promise<readonly UnpublishedEntry[]> =>
      listUnpublished(database, states, listedMax),
    retry: (which: { readonly id: EntryId } | { readonly outcome: EntryOutcome }): Promise<number> =>
      retryEntries(database, which),
    verify: async () => {
      const broken = await findBrokenPromises(database, clock.now(), offendersMax);
      const { failed } = await readEngineNumbers(database);
      return [
        {
          name: 'published in time',
          promise: 'no entry has waited for more than 15 minutes',
          offenders: broken.late,
        },
        { name: 'no failure', promise: 'no entry failed to be published', offenders: broken.failed },
        {
          name: 'shown',
          promise: 'every published entry has an item in the record',
          offenders: broken.withoutItem,
        },
        {
          name: 'digests',
          promise: 'no digest has been due for more than 15 minutes, and none failed',
          offenders: broken.digests,
        },
        {
          name: 'runs',
          promise: 'no workflow ended in an error',
          offenders: failed.map(({ workflow, count }) => `${workflow}: ${count}`),
        },
      ];
    },
  };
}
