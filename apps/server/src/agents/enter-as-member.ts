import { callers } from '../access/index.ts';
import type { AgentsDeps, AgentsRequest } from './agents-deps.ts';

/** The actor in the organization, and the member they act for: themselves, unless they may act for others. */
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
