import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { NamedHub, Source, SourceState } from '../sources/source.ts';
import { readSubscription, saveSubscribedPoll, setWantedHub } from './hub-subscription-store.ts';
import type { PushVerdict } from './hub-subscription.ts';
import { isSameHub, judgePushes } from './hub-subscription.ts';

/**
 * What pushes mean for the source's next poll, in the transaction that ends one. Read after the domain was locked: a push
 * that has committed by then is seen here, and any other finds this poll committed.
 */
export async function settlePushes(
  transaction: Transaction<DB>,
  { id, hub }: Pick<Source, 'id' | 'hub'>,
  poll: {
    readonly askedAt: EpochMicroseconds;
    readonly now: EpochMicroseconds;
    readonly hasNewEntries: boolean;
  },
): Promise<PushVerdict> {
  const subscription = hub === null ? null : await readSubscription(transaction, id);
  if (subscription === null) return { kind: 'none' };
  const { isUnannounced, verdict } = judgePushes(subscription, poll);
  await saveSubscribedPoll(transaction, id, { ...poll, isUnannounced });
  return verdict;
}

/** Subscribes where the list names another hub than before, and nowhere where the source has ended. */
export async function followNamedHub(
  { ids }: { readonly ids: IdSource },
  transaction: Transaction<DB>,
  { id, hub: before }: Pick<Source, 'id' | 'hub'>,
  settled: {
    /** Null: the answer says nothing about it. */
    readonly hub: { readonly named: NamedHub | null } | null;
    readonly state: SourceState;
    readonly now: EpochMicroseconds;
  },
): Promise<void> {
  const named = settled.hub === null ? before : settled.hub.named;
  const wanted = settled.state === 'active' ? named : null;
  if (isSameHub(before, wanted)) return;
  await setWantedHub(transaction, id, wanted, { id: ids.next(), now: settled.now });
}
