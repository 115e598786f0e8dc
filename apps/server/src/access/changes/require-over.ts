import type { Database } from '../../foundation/database/database.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { readAuthorityBasis } from '../authorities/work-out-authority.ts';
import type { OrganizationActor } from '../credentials/caller.ts';
import { callerOfAccount } from '../credentials/caller.ts';
import { escalationOf } from '../permissions/escalation.ts';

/**
 * Checked before the credentials of a member are changed, or before acting in their name: the caller must have
 * every permission of the member. A member who has left has no authority here.
 */
export async function requireOver(
  database: Database,
  { caller, organization, authority }: OrganizationActor,
  member: { readonly id: accounts.AccountId; readonly username: string },
): Promise<void> {
  if (member.id === caller.accountId) return;
  const named = { id: organization.id };
  // A member refused for lack of a second factor will act again; until then no member with less authority may change their credentials.
  const basis = await readAuthorityBasis(database, callerOfAccount(member, ''), named, 'ignore');
  if (basis === null || escalationOf(authority, await basis.compile()) === null) return;
  throw new ProblemError(forbidden, `You have fewer permissions than ${member.username}.`);
}
