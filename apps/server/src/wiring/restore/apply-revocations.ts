import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { markEntryWithdrawn } from '../../ingest/index.ts';
import { entryExists, excludeEntryKeys } from '../../ingest/wiring.ts';
import { endSubscriptionAgain } from '../../mailing/wiring.ts';
import type { EditorDesk } from '../../newsroom/index.ts';
import type { RevokedItem, RevokedSubscription } from './revocation.ts';

export interface ApplyDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface WithdrawnAgain {
  /** Items that the restored database showed. */
  readonly withdrawn: number;
  /** Items that it does not have: they are not published again. */
  readonly excluded: number;
  /** Items that were withdrawn before the backup. */
  readonly already: number;
}

/** Repeating it changes nothing. */
export async function withdrawAgain(
  deps: ApplyDeps & { readonly desk: EditorDesk },
  revoked: readonly RevokedItem[],
): Promise<WithdrawnAgain> {
  let [withdrawn, excluded, already] = [0, 0, 0];
  for (const one of revoked) {
    const done = await deps.desk.withdrawItem({ itemId: one.itemId, reason: one.reason });
    if (done.ok) withdrawn += 1;
    else if (done.reason === 'withdrawn_item') already += 1;
    else if (done.reason === 'unknown_item') {
      await excludeEntry(deps, one);
      excluded += 1;
    } else throw new Error(`${one.itemId} could not be withdrawn: ${done.reason}`);
  }
  return { withdrawn, excluded, already };
}

/** The backup has the entry without an item, or does not have the entry. */
async function excludeEntry({ database, clock }: ApplyDeps, { itemId, keys }: RevokedItem): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (await entryExists(transaction, itemId)) await markEntryWithdrawn(transaction, itemId, clock.now());
    else await excludeEntryKeys(transaction, keys);
  });
}

/** Returns how many were active. */
export async function endSubscriptionsAgain(
  { database, clock }: ApplyDeps,
  revoked: readonly RevokedSubscription[],
): Promise<number> {
  let ended = 0;
  for (const { subscriptionId } of revoked)
    await database.transaction().execute(async (transaction) => {
      if (await endSubscriptionAgain(transaction, subscriptionId, clock.now())) ended += 1;
    });
  return ended;
}
