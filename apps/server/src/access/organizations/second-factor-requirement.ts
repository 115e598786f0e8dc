import { defineAuditKind } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { organizations, useCases } from '../../identity/index.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import type { Caller } from '../credentials/caller.ts';
import { requireOwner, requireOwnerRole } from './require-owner.ts';

export const secondFactorRequired = defineAuditKind(
  'organization_second_factor_required',
  'You required two-factor authentication in an organization.',
);
export const secondFactorNotRequired = defineAuditKind(
  'organization_second_factor_not_required',
  'You stopped requiring two-factor authentication in an organization.',
);

export interface SecondFactorRequirement {
  readonly required: boolean;
  /** Whether the current owner has a second factor. */
  readonly ownerHasOne: boolean;
  readonly membersWithout: number;
}

/** For owners, before they decide. */
export async function readSecondFactorRequirement(
  { database }: { readonly database: Database },
  caller: Caller,
  platformKey: string,
): Promise<SecondFactorRequirement> {
  const { organizationId } = await requireOwner({ database }, caller, platformKey);
  return {
    required: await organizations.secondFactors.findSecondFactorRequirement(database, organizationId),
    ownerHasOne: await hasSecondFactor(database, caller.accountId),
    membersWithout: await organizations.secondFactors.countMembersWithoutSecondFactor(
      database,
      organizationId,
    ),
  };
}

export type SecondFactorRequirementRequest = ChangeRequest &
  Pick<useCases.ProvenRequest, 'sessionId' | 'proof'> & { readonly required: boolean };

/**
 * For owners only. `readAuthorityBasis` refuses members without a second factor from the moment this commits; the open
 * invitations that such members sent end with the change. An owner without a second factor is refused, because the
 * change would lock that owner out.
 */
export async function changeSecondFactorRequirement(
  deps: ChangeDeps & useCases.ReauthenticateDeps,
  request: SecondFactorRequirementRequest,
): Promise<void> {
  const { caller, required } = request;
  const { accountId } = caller;
  await requireOwner(deps, caller, request.platformKey);
  if (required) await requireOwnSecondFactor(deps.database, accountId);
  const action = required ? 'require_second_factor' : 'stop_requiring_second_factor';
  await useCases.reauthenticate(deps, action, { ...request, accountId });
  await changeOrganization(deps, request, async ({ transaction, actor }) => {
    const { id } = actor.organization;
    await requireOwnerRole(transaction, actor);
    if (required) await requireOwnSecondFactor(transaction, accountId);
    if (!(await organizations.secondFactors.updateSecondFactorRequirement(transaction, id, required)))
      return { result: undefined, event: null };
    const membersWithout = await organizations.secondFactors.countMembersWithoutSecondFactor(transaction, id);
    const kind = required ? secondFactorRequired : secondFactorNotRequired;
    return { result: undefined, event: { kind, detail: { membersWithout } } };
  });
}

async function requireOwnSecondFactor(database: Database, accountId: accounts.AccountId): Promise<void> {
  if (!(await hasSecondFactor(database, accountId)))
    throw new ProblemError(
      conflict,
      'Your account has no second factor. Turn on one-time codes on /account/second-factor, or add a passkey and remove the password on /account/passkeys first.',
    );
}

async function hasSecondFactor(database: Database, accountId: accounts.AccountId): Promise<boolean> {
  return (await organizations.secondFactors.selectWithSecondFactor(database, [accountId])).has(accountId);
}
