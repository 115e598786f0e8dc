import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Publisher } from '../../record/index.ts';
import type { Source } from './source.ts';

/** What readers see of a source's state: that we wait, or that no more will come. */
const shownStates = {
  active: 'active',
  paused: 'paused',
  suspended: 'paused',
  stopped: 'stopped',
  removed: 'stopped',
} as const;

/** Keeps the record's view of a source in step with the registry, in the transaction that changes it. */
export async function describeToReaders(
  publisher: Publisher,
  transaction: Transaction<DB>,
  source: Pick<
    Source,
    'id' | 'name' | 'owner' | 'firstParty' | 'homepageUrl' | 'language' | 'state' | 'participation'
  >,
): Promise<void> {
  if (source.participation === 'isolated') return;
  const { id, name, owner, firstParty, homepageUrl, language, state } = source;
  await publisher.within(transaction, (decisions) =>
    decisions.describeSource({
      source: { id, name, owner, firstParty },
      profile: { homepageUrl, language, state: shownStates[state] },
    }),
  );
}
