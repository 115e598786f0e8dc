import type { Database } from '../../foundation/database/database.ts';
import type { Identity } from '../../identity/index.ts';
import { credentials } from '../../identity/index.ts';
import { readAuthorityBasis } from '../authorities/work-out-authority.ts';
import { callerOfAccount } from '../callers/caller.ts';
import { allows, compileAuthority } from '../permissions/authority.ts';
import { memberActions } from '../permissions/core-actions.ts';
import { escalationOf } from '../permissions/escalation.ts';
import { resourceOf } from '../permissions/resource.ts';
import { policiesOfRole } from '../permissions/role-policies.ts';

/** Whoever invites gives a role: it must lie within what they may do. */
export function createAuthorize(database: Database): Identity['authorize'] {
  return async (principal, _action, id, role) => {
    const { account } = principal;
    if (!account.superuser && credentials.principalRole(principal, id) === null) return false;
    const basis = await readAuthorityBasis(database, callerOfAccount(account, ''), { id });
    if (basis === null) return false;
    const { key } = basis.organization;
    const authority = await basis.compile();
    return (
      allows(authority, memberActions.create, resourceOf(key, 'members')) &&
      escalationOf(authority, compileAuthority(policiesOfRole(role, key))) === null
    );
  };
}
