import { ProblemError } from '../../foundation/problem.ts';
import type { memberships } from '../../identity/index.ts';
import { organizationSecondFactorRequired } from '../access-problems.ts';

/** Raises `organization_second_factor_required` if the organization requires one and the account has none. */
export function requireSecondFactor({
  organizationKey,
  lacksSecondFactor,
}: Pick<memberships.Standing, 'organizationKey' | 'lacksSecondFactor'>): void {
  if (!lacksSecondFactor) return;
  throw new ProblemError(
    organizationSecondFactorRequired,
    `The organization ${organizationKey} requires a second factor. Turn on one-time codes on /account/second-factor, or add a passkey and remove the password on /account/passkeys.`,
  );
}
