import type { Database } from '../../foundation/database/database.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { memberships } from '../../identity/index.ts';
import { requireSecondFactor } from '../authorities/require-second-factor.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';

/** Checked before a page for owners, and before an owner confirms. By role: no policy, token or key grants it. */
export async function requireOwner(
  { database }: { readonly database: Database },
  { accountId, credential }: Caller,
  platformKey: string,
): Promise<memberships.Standing> {
  const standing = await memberships.findStanding(database, accountId, { key: platformKey });
  if (standing === null || standing.membership === null) throw notFoundOrHidden();
  requireSecondFactor(standing);
  if (credential.kind !== 'session' || standing.membership.role !== 'owner') throw notOwner();
  return standing;
}

/** Checked again under the organization's lock. */
export async function requireOwnerRole(
  transaction: Database,
  { caller, organization }: OrganizationActor,
): Promise<void> {
  const standing = await memberships.findStanding(transaction, caller.accountId, { id: organization.id });
  if (standing?.membership?.role !== 'owner') throw notOwner();
}

export function notOwner(): ProblemError {
  return new ProblemError(forbidden, 'Only an owner of the organization can do this.');
}
