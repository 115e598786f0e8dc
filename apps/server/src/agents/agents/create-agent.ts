import { callers, changes, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsChange, AgentsDeps } from '../agents-deps.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { requireTemplate } from '../templates/read-templates.ts';
import { countAgents, insertAgent } from './agent-store.ts';
import type { Agent, AgentId, AgentSettings } from './agent.ts';
import { slugOf, slugVariant } from './agent.ts';
import { requireAgent } from './read-agents.ts';

export const agentCreated = defineAuditKind(
  'agent_created',
  (word) => `You created the agent “${word('name')}”.`,
);

export interface NewAgent extends Partial<Omit<AgentSettings, 'categories'>> {
  readonly templateName: string;
  readonly name: string;
}

const agentsMax = 10_000;

/** Creates an agent from a template; values of the request override those of the template. */
export async function createAgent(
  deps: AgentsDeps,
  request: AgentsChange & { readonly agent: NewAgent },
): Promise<Agent> {
  const { actor, member } = await enterAsMember(deps, request);
  await changes.requireOver(deps.database, actor, member);
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
    readsFiles: template.readsFiles,
    fileProjects: null,
    createdBy: member.username,
    createdAt: now,
    updatedAt: now,
  };
  return saveNewAgent(deps, { actor, member, client: request.client, agent });
}

/** Copies an agent under a new name. */
export async function duplicateAgent(
  deps: AgentsDeps,
  request: AgentsChange & { readonly agentId: string; readonly name: string },
): Promise<Agent> {
  const { actor, member } = await enterAsMember(deps, request);
  await changes.requireOver(deps.database, actor, member);
  const { organization } = actor;
  const original = await requireAgent(deps, actor, request.agentId, agentActions.read);
  callers.requirePermission(actor, agentActions.create, permissions.resourceOf(organization.key, 'agents'));
  const { name, client } = request;
  const id: AgentId = deps.ids.next();
  const now = deps.clock.now();
  const slug = slugOf(name, id);
  const own = {
    id,
    name,
    slug,
    displayName: name,
    createdBy: member.username,
    createdAt: now,
    updatedAt: now,
  };
  return saveNewAgent(deps, { actor, member, client, agent: { ...original, ...own } });
}

async function saveNewAgent(
  deps: AgentsDeps,
  {
    actor,
    member,
    client,
    agent,
  }: Pick<AgentsChange, 'client'> & Awaited<ReturnType<typeof enterAsMember>> & { readonly agent: Agent },
): Promise<Agent> {
  const { organization } = actor;
  const { id, name, templateName, createdAt: at } = agent;
  return deps.database.transaction().execute(async (transaction) => {
    if ((await countAgents(transaction, organization)) >= agentsMax)
      throw new ProblemError(conflict, `An organization can have at most ${agentsMax} agents.`);
    const insert = (one: Agent): Promise<boolean> =>
      insertAgent(transaction, organization, one, member.id).catch(raiseTakenName);
    let saved = agent;
    if (!(await insert(saved))) {
      saved = { ...agent, slug: slugVariant(agent.slug, id) };
      if (!(await insert(saved))) throw new Error('a slug with random digits already exists');
    }
    const detail = { agentId: id, name, templateName };
    await changes.recordActorEvent(transaction, deps, actor, { kind: agentCreated, at, client, detail });
    return saved;
  });
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'agent_organization_id_name') throw error;
  throw new ProblemError(conflict, 'An agent with this name already exists.', { cause: error });
}
