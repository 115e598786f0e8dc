import { ProblemError } from '../../foundation/problem.ts';
import { permissionEscalation } from '../access-problems.ts';
import type { OrganizationActor } from '../credentials/caller.ts';
import type { Authority } from '../permissions/authority.ts';
import { compileAuthority } from '../permissions/authority.ts';
import { escalationOf } from '../permissions/escalation.ts';
import type { Policy } from '../permissions/policy.ts';

/** Callers grant only what they have: raises `permission_escalation` with every pair that is not covered. */
export function requireWithin(
  { authority }: Pick<OrganizationActor, 'authority'>,
  candidate: Authority | readonly Policy[],
  field: string,
): void {
  const given = 'policies' in candidate ? candidate : compileAuthority(candidate);
  const escalation = escalationOf(authority, given);
  if (escalation === null) return;
  const pairs = escalation.uncovered.map(({ action, resource }) => `${action} on ${resource}`);
  const first = escalation.superuser ? 'everything, as a superuser' : (pairs[0] ?? '');
  const more = pairs.length > 1 || escalation.truncated ? ', and more' : '';
  throw new ProblemError(permissionEscalation, `You do not have the permission ${first}${more}`, {
    errors: pairs.map((message) => ({ in: 'body', name: field, message })),
  });
}
