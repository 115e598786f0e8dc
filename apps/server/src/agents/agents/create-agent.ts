import { callers, permissions } from '../../access/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { audit } from '../../identity/index.ts';
import type { credentials } from '../../identity/index.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { requireTemplate } from '../templates/read-templates.ts';
import { countAgents, insertAgent } from './agent-store.ts';
import type { Agent, AgentId, AgentSettings } from './agent.ts';
import { slugOf } from './agent.ts';

export interface NewAgent extends Partial<Omit<AgentSettings, 'categories'>> {
  readonly templateName: string;
  readonly name: string;
}

const agentsMax = 10_000;

/** From a template; what the request says goes before what the template says. */
export async function createAgent(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly agent: NewAgent; readonly client: credentials.Client },
): Promise<Agent> {
  const { actor, member } = await enterAsMember(deps, request);
  const { organization } = actor;
  callers.requirePermission(actor, agentActions.create, permissions.resourceOf(organization.key, 'agents'));
  const { templateName, name, displayName, description, systemPrompt, llmProvider } = request.agent;
  const template = await requireTemplate(deps, organization, templateName);
  const id: AgentId = deps.ids.next();
  const now = deps.clock.now();
  const agent: Agent = {
    id,
    name,
    slug: slugOf(name, id),
    displayName: displayName ?? name,
    description: description ?? template.description,
    systemPrompt: systemPrompt ?? template.systemPrompt,
    llmProvider: llmProvider ?? template.llmProvider,
    categories: template.categories,
    templateName: template.name,
    readsPublicRecord: template.readsPublicRecord,
    createdBy: member.username,
    createdAt: now,
    updatedAt: now,
  };
  await deps.database.transaction().execute(async (transaction) => {
    if ((await countAgents(transaction, organization)) >= agentsMax)
      throw new ProblemError(conflict, `an organization has at most ${agentsMax} agents`);
    await insertAgent(transaction, organization, agent, member.id).catch(raiseTakenName);
    await audit.recordAuditEvent(transaction, deps.ids, {
      kind: 'agent_created',
      at: now,
      accountId: actor.caller.accountId,
      organizationId: organization.id,
      client: request.client,
      detail: { agentId: id, name, templateName: template.name },
    });
  });
  return agent;
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'agent_organization_id_slug_key') throw error;
  throw new ProblemError(conflict, 'the organization has an agent of this name', { cause: error });
}
