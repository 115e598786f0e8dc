import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { storedPolicies } from '../authorities/work-out-authority.ts';
import type { Organization } from '../credentials/caller.ts';
import type { Policy } from '../permissions/policy.ts';
import { findPolicies } from './policy-store.ts';

/** The policies; a number of another organization is treated as unknown. */
export async function requirePolicies(
  database: Database,
  organization: Organization,
  ids: readonly number[],
  field: string,
): Promise<readonly Policy[]> {
  const found = await findPolicies(database, organization.id, ids);
  const missing = ids.find((id) => !found.some((policy) => policy.id === id));
  if (missing !== undefined)
    throw invalidField(field, `contains policy ${missing}, which does not exist in the organization`);
  return storedPolicies(found, organization);
}
