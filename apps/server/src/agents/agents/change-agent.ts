import { recordActorEvent } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsChange, AgentsDeps } from '../agents-deps.ts';
import { requireCategories } from '../categories/category-rule.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { deleteAgent, findAgent, updateAgent } from './agent-store.ts';
import type { Agent, AgentSettings } from './agent.ts';
import { requireAgent } from './read-agents.ts';

export const agentDeleted = defineAuditKind(
  'agent_deleted',
  (word) => `You deleted the agent “${word('name')}”.`,
);
export const agentChanged = defineAuditKind('agent_changed', 'You changed an agent.');

/** Later configuration; its name, slug and template stay. */
export async function changeAgent(
  deps: AgentsDeps,
  request: AgentsChange & { readonly agentId: string; readonly change: Partial<AgentSettings> },
): Promise<Agent> {
  const { actor } = await enterAsMember(deps, request);
  const { organization } = actor;
  const categories =
    request.change.categories === undefined ? undefined : requireCategories(request.change.categories);
  const change = { ...request.change, ...(categories !== undefined && { categories }) };
  return deps.database.transaction().execute(async (transaction) => {
    const before = await requireAgent({ database: transaction }, actor, request.agentId, agentActions.update);
    const { id } = before;
    const at = deps.clock.now();
    await updateAgent(transaction, organization, id, change, at);
    const detail = { agentId: id, fields: Object.keys(change).sort().join(' ') };
    await recordActorEvent(transaction, deps, actor, {
      kind: agentChanged,
      at,
      client: request.client,
      detail,
    });
    return (await findAgent(transaction, organization, id)) ?? before;
  });
}

export async function removeAgent(
  deps: AgentsDeps,
  request: AgentsChange & { readonly agentId: string },
): Promise<void> {
  const { actor } = await enterAsMember(deps, request);
  const { client } = request;
  await deps.database.transaction().execute(async (transaction) => {
    const agent = await requireAgent({ database: transaction }, actor, request.agentId, agentActions.delete);
    const { id, name } = agent;
    await deleteAgent(transaction, actor.organization, id);
    const detail = { agentId: id, name };
    const at = deps.clock.now();
    await recordActorEvent(transaction, deps, actor, { kind: agentDeleted, at, client, detail });
  });
}
