import { notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AuthorityCache } from '../authorities/authority-cache.ts';
import type { OrganizationActor, Caller } from '../credentials/caller.ts';

export interface AuthorizeDeps {
  readonly authorities: AuthorityCache;
}

/** Raises `not_found` where there is no such organization, and in the same words where the caller is a stranger to it. */
export async function authorizeOrganization(
  { authorities }: AuthorizeDeps,
  caller: Caller,
  organizationKey: string,
): Promise<OrganizationActor> {
  const actor = await authorities.actorIn(caller, organizationKey);
  if (actor === null) throw notFoundOrHidden();
  return actor;
}

/** One sentence for what is not there and for what the caller may not know of. */
export function notFoundOrHidden(): ProblemError {
  return new ProblemError(notFound, 'Not found.');
}
