import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts, invitations } from '../../identity/index.ts';
import { readPresentActor } from '../authorities/read-present-actor.ts';
import { storedPolicies } from '../authorities/work-out-authority.ts';
import { callerOfAccount } from '../credentials/caller.ts';
import { compileAuthority } from '../permissions/authority.ts';
import { escalationOf } from '../permissions/escalation.ts';
import { deleteShare, giveShareTo, selectSharesOfInvitation } from './share-store.ts';

/**
 * Requires the organization's lock, when an account joins: activates its pending shares, as far as the account that
 * shared them still has the permissions. The others are deleted.
 */
export async function acceptShares(
  transaction: Database,
  invitation: Pick<invitations.Invitation, 'id' | 'organizationId'>,
  accountId: accounts.AccountId,
  now: EpochMicroseconds,
): Promise<void> {
  for (const { id, policy, maker } of await selectSharesOfInvitation(transaction, invitation.id)) {
    const granter = await readPresentActor(
      transaction,
      callerOfAccount(maker, ''),
      invitation.organizationId,
      now,
      'nothing',
    );
    const given = granter === null ? [] : storedPolicies([policy], granter.organization);
    const isHeld = granter !== null && escalationOf(granter.authority, compileAuthority(given)) === null;
    if (isHeld) await giveShareTo(transaction, id, accountId);
    else await deleteShare(transaction, id);
  }
}
