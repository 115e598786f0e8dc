import { callers } from '../access/index.ts';
import type { AgentsDeps, AgentsRequest } from './agents-deps.ts';

/** The actor, and the member the actor acts for: another member only if the actor may act for members. */
export async function enterAsMember(
  deps: AgentsDeps,
  { caller, organizationKey, username }: AgentsRequest,
): Promise<{
  readonly actor: callers.OrganizationActor;
  readonly member: Awaited<ReturnType<typeof callers.requireActingFor>>;
}> {
  const actor = await callers.authorizeOrganization(deps, caller, organizationKey);
  return { actor, member: await callers.requireActingFor(deps, actor, username) };
}
