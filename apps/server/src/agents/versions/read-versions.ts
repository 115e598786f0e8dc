import { callers } from '../../access/index.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import type { Agent } from '../agents/agent.ts';
import { requireAgent } from '../agents/read-agents.ts';
import type { AgentVersion } from '../agents/version-store.ts';
import { findVersion, selectVersions } from '../agents/version-store.ts';
import { enterAsMember } from '../enter-as-member.ts';

type VersionsRequest = AgentsRequest & { readonly agentId: string };

/** The stored versions of an agent, newest first; none before its first change. */
export async function listAgentVersions(
  deps: AgentsDeps,
  request: VersionsRequest,
): Promise<readonly AgentVersion[]> {
  const { id } = await agentOf(deps, request);
  return selectVersions(deps.database, id);
}

/** Raises `not_found` for a version that was never made or is no longer stored. */
export async function readAgentVersion(
  deps: AgentsDeps,
  request: VersionsRequest & { readonly number: number },
): Promise<{ readonly agent: Agent; readonly version: AgentVersion }> {
  const agent = await agentOf(deps, request);
  const version = await findVersion(deps.database, agent.id, request.number);
  if (version === null) throw callers.notFoundOrHidden();
  return { agent, version };
}

async function agentOf(deps: AgentsDeps, request: VersionsRequest): Promise<Agent> {
  const { actor } = await enterAsMember(deps, request);
  return requireAgent(deps, actor, request.agentId, agentActions.read);
}
