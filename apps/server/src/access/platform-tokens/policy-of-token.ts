import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import type { Change } from '../changes/change-organization.ts';
import { deleteTokens } from '../credentials/platform-token-store.ts';
import type { PlatformToken, PlatformTokenId } from '../credentials/platform-token.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { addPolicy } from '../policies/change-policy.ts';
import { deleteUnusedPolicies, isPolicyNameTaken, selectPoliciesMadeFor } from '../policies/policy-store.ts';
import type { PolicyRecord } from '../policies/policy-store.ts';

type OrganizationId = accounts.OrganizationId;

const namesTried = 20;
const tokenNameCharsMax = 80;

/** Named after the token; numbered if another policy has the name. */
export async function addPolicyOfToken(
  change: Change,
  { id, organizationId, name }: PlatformToken,
  written: WrittenPolicy,
): Promise<PolicyRecord> {
  const base = `Token ${Array.from(name).slice(0, tokenNameCharsMax).join('')}`.trim();
  for (let number = 1; number <= namesTried; number += 1) {
    const free = number === 1 ? base : `${base} ${number}`;
    if (!(await isPolicyNameTaken(change.transaction, organizationId, free)))
      return addPolicy(change, { name: free, ...written }, id);
  }
  throw new ProblemError(
    conflict,
    `The organization has ${namesTried} policies named “${base}”. Delete some first.`,
  );
}

/**
 * Requires the organization's lock. Deletes tokens, and the policies that were created for them unless a group or
 * another token uses them. Returns the numbers of the deleted policies.
 */
export async function deleteTokensAndTheirPolicies(
  transaction: Database,
  organizationId: OrganizationId,
  tokenIds: readonly PlatformTokenId[],
): Promise<readonly number[]> {
  const policyIds = await selectPoliciesMadeFor(transaction, organizationId, tokenIds);
  await deleteTokens(transaction, organizationId, tokenIds);
  return deleteUnusedPolicies(transaction, organizationId, policyIds);
}
