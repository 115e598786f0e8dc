import { notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AuthorityCache } from '../authorities/authority-cache.ts';
import type { OrganizationActor, Caller } from '../credentials/caller.ts';

export interface AuthorizeDeps {
  readonly authorities: AuthorityCache;
}

/** Raises the same `not_found` if the organization does not exist and if the caller is not a member. */
export async function authorizeOrganization(
  { authorities }: AuthorizeDeps,
  caller: Caller,
  organizationKey: string,
): Promise<OrganizationActor> {
  const actor = await authorities.actorIn(caller, organizationKey);
  if (actor === null) throw notFoundOrHidden();
  return actor;
}

/** The same text for a missing resource and for one that the caller may not know of. */
export function notFoundOrHidden(): ProblemError {
  return new ProblemError(notFound, 'Not found.');
}
