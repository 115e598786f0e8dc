import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Publisher } from '../../record/index.ts';
import type { Source } from './source.ts';

/** The state that readers see. */
const shownStates = {
  active: 'active',
  paused: 'paused',
  suspended: 'paused',
  stopped: 'stopped',
  removed: 'stopped',
} as const;

/** Updates the source in the public record, in the transaction that changes the registry. */
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
