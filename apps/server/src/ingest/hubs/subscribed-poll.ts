import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { NamedHub, Source, SourceState } from '../sources/source.ts';
import { readSubscription, saveSubscribedPoll, setWantedHub } from './hub-subscription-store.ts';
import type { PushVerdict } from './hub-subscription.ts';
import { isSameHub, judgePushes } from './hub-subscription.ts';

/**
 * Decides how pushes change the source's next poll, in the transaction that ends a poll. The caller has locked the domain:
 * this reads every push that committed before the lock, and later pushes read this poll.
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

/** Subscribes at the hub that the list names now, if it changed. Unsubscribes if the source is no longer active. */
export async function followNamedHub(
  { ids }: { readonly ids: IdSource },
  transaction: Transaction<DB>,
  { id, hub: before }: Pick<Source, 'id' | 'hub'>,
  settled: {
    /** Null: the response was not parsed, so the hub is unchanged. */
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
