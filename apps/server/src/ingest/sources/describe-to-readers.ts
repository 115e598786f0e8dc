import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Decisions, Publisher } from '../../record/index.ts';
import type { Source } from './source.ts';

/** The state that readers see. */
const shownStates = {
  active: 'active',
  paused: 'paused',
  suspended: 'paused',
  stopped: 'stopped',
  removed: 'stopped',
} as const;

type DescribedSource = Pick<
  Source,
  'id' | 'name' | 'owner' | 'firstParty' | 'homepageUrl' | 'language' | 'state' | 'participation'
>;

/** Updates the source in the public record, in the transaction that changes the registry. */
export async function describeToReaders(
  publisher: Publisher,
  transaction: Transaction<DB>,
  source: DescribedSource,
): Promise<void> {
  await publisher.within(transaction, (decisions) => describeBy(decisions, source));
}

/** The same as one of several decisions. */
export async function describeBy(decisions: Decisions, source: DescribedSource): Promise<void> {
  if (source.participation === 'isolated') return;
  const { id, name, owner, firstParty, homepageUrl, language, state } = source;
  await decisions.describeSource({
    source: { id, name, owner, firstParty },
    profile: { homepageUrl, language, state: shownStates[state] },
  });
}
