import { callers, permissions } from '../../access/index.ts';
import { parseId } from '../../foundation/ids.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { enterAsMember } from '../enter-as-member.ts';
import type { AgentFilter } from './agent-store.ts';
import { findAgent, selectAgents } from './agent-store.ts';
import type { Agent } from './agent.ts';

/** A page of the agents of the organization. */
export async function searchAgents<Shown>(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly page: PageQuery; readonly filter: AgentFilter },
  present: (agent: Agent) => Shown,
): Promise<Page<Shown>> {
  const { actor } = await enterAsMember(deps, request);
  const { organization } = actor;
  callers.requirePermission(actor, agentActions.read, permissions.resourceOf(organization.key, 'agents'));
  const { query = null, category = null } = request.filter;
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'agent'>(),
    route: 'searchAgents',
    tenant: organization.id,
    filters: { query, category },
  });
  return presentPage(page, await selectAgents(deps.database, organization, request.filter, page), present);
}

/** Raises `not_found` also if the caller may not read the agent. */
export async function readAgent(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly agentId: string },
): Promise<Agent> {
  const { actor } = await enterAsMember(deps, request);
  return requireAgent(deps, actor, request.agentId, agentActions.read);
}

export async function requireAgent(
  { database }: Pick<AgentsDeps, 'database'>,
  actor: callers.OrganizationActor,
  agentId: string,
  action: (typeof agentActions)[keyof typeof agentActions],
): Promise<Agent> {
  const { organization } = actor;
  const resource = permissions.resourceOf(organization.key, 'agents', agentId);
  callers.requirePermissionOn(actor, action, resource, agentActions.read);
  const id = parseId<'agent'>(agentId);
  const agent = id.ok ? await findAgent(database, organization, id.value) : null;
  if (agent === null) throw callers.notFoundOrHidden();
  return agent;
}
