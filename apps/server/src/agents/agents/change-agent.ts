import { audit } from '../../identity/index.ts';
import type { credentials } from '../../identity/index.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { requireCategories } from '../categories/category-rule.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { findAgent, updateAgent } from './agent-store.ts';
import type { Agent, AgentSettings } from './agent.ts';
import { requireAgent } from './read-agents.ts';

/** Later configuration; its name, slug and template stay. */
export async function changeAgent(
  deps: AgentsDeps,
  request: AgentsRequest & {
    readonly agentId: string;
    readonly change: Partial<AgentSettings>;
    readonly client: credentials.Client;
  },
): Promise<Agent> {
  const { actor } = await enterAsMember(deps, request);
  const { organization, caller } = actor;
  const categories =
    request.change.categories === undefined ? undefined : requireCategories(request.change.categories);
  const change = { ...request.change, ...(categories !== undefined && { categories }) };
  return deps.database.transaction().execute(async (transaction) => {
    const before = await requireAgent({ database: transaction }, actor, request.agentId, agentActions.update);
    const { id } = before;
    const at = deps.clock.now();
    await updateAgent(transaction, organization, id, change, at);
    await audit.recordAuditEvent(transaction, deps.ids, {
      kind: 'agent_changed',
      at,
      accountId: caller.accountId,
      organizationId: organization.id,
      client: request.client,
      detail: { agentId: id, fields: Object.keys(change).sort().join(' ') },
    });
    return (await findAgent(transaction, organization, id)) ?? before;
  });
}
