import type { Transaction } from 'kysely';

import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsChange, AgentsDeps } from '../agents-deps.ts';
import { requireCategories } from '../categories/category-rule.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { readTemplate, requireTemplate } from '../templates/read-templates.ts';
import { deleteAgent, findAgent, updateAgent } from './agent-store.ts';
import type { Agent, AgentSettings, AgentTemplateFields, VersionedSettings } from './agent.ts';
import { versionedSettings } from './agent.ts';
import { requireAgent } from './read-agents.ts';
import { findVersion, hasVersions, insertVersion } from './version-store.ts';

export const agentDeleted = defineAuditKind(
  'agent_deleted',
  (word) => `You deleted the agent “${word('name')}”.`,
);
export const agentChanged = defineAuditKind('agent_changed', 'You changed an agent.');

export interface AgentChange extends Partial<AgentSettings> {
  readonly templateName?: string;
}

/**
 * Changes settings; name and slug stay. With a new template, settings that still equal the old template get the
 * value of the new one, unless the change sets them.
 */
export async function changeAgent(
  deps: AgentsDeps,
  request: AgentsChange & { readonly agentId: string; readonly change: AgentChange },
): Promise<Agent> {
  const { actor, member } = await enterAsMember(deps, request);
  const categories =
    request.change.categories === undefined ? undefined : requireCategories(request.change.categories);
  const asked = { ...request.change, ...(categories !== undefined && { categories }) };
  return deps.database.transaction().execute(async (transaction) => {
    const before = await requireAgent({ database: transaction }, actor, request.agentId, agentActions.update);
    const taken = await settingsOfTemplate(
      { database: transaction },
      actor.organization,
      before,
      asked.templateName,
    );
    const by = { actor, member, client: request.client };
    return changeWithin(deps, transaction, before, { ...taken, ...asked }, by);
  });
}

/** Sets the settings to those of a version, which becomes the newest version. */
export async function restoreAgentVersion(
  deps: AgentsDeps,
  request: AgentsChange & { readonly agentId: string; readonly number: number },
): Promise<Agent> {
  const { actor, member } = await enterAsMember(deps, request);
  return deps.database.transaction().execute(async (transaction) => {
    const before = await requireAgent({ database: transaction }, actor, request.agentId, agentActions.update);
    const version = await findVersion(transaction, before.id, request.number);
    if (version === null) throw callers.notFoundOrHidden();
    const by = { actor, member, client: request.client };
    return changeWithin(deps, transaction, before, version.settings, by);
  });
}

interface ChangedBy {
  readonly actor: callers.OrganizationActor;
  readonly member: { readonly username: string };
  readonly client: AgentsChange['client'];
}

async function changeWithin(
  deps: AgentsDeps,
  transaction: Transaction<DB>,
  before: Agent,
  change: Partial<VersionedSettings>,
  { actor, member, client }: ChangedBy,
): Promise<Agent> {
  const { id } = before;
  const at = deps.clock.now();
  await updateAgent(transaction, actor.organization, id, change, at);
  const after = (await findAgent(transaction, actor.organization, id)) ?? before;
  if (!(await hasVersions(transaction, id)))
    await insertVersion(transaction, id, {
      settings: versionedSettings(before),
      madeBy: before.createdBy,
      madeAt: before.updatedAt,
    });
  const settings = versionedSettings(after);
  await insertVersion(transaction, id, { settings, madeBy: member.username, madeAt: at });
  const detail = { agentId: id, fields: Object.keys(change).sort().join(' ') };
  await changes.recordActorEvent(transaction, deps, actor, { kind: agentChanged, at, client, detail });
  return after;
}

async function settingsOfTemplate(
  deps: Pick<AgentsDeps, 'database'>,
  organization: callers.Organization,
  agent: Agent,
  templateName: string | undefined,
): Promise<Partial<AgentSettings & AgentTemplateFields>> {
  if (templateName === undefined) return {};
  const after = await requireTemplate(deps, organization, templateName);
  const before = await readTemplate(deps, organization, agent.templateName);
  const { name, description, systemPrompt, llmProvider, categories, readsPublicRecord, readsFiles } = after;
  const isAsBefore = (field: 'description' | 'systemPrompt' | 'llmProvider'): boolean =>
    before !== null && agent[field] === before[field];
  const sameCategories = before?.categories.join() === agent.categories.join();
  return {
    templateName: name,
    readsPublicRecord,
    readsFiles,
    ...(isAsBefore('description') && { description }),
    ...(isAsBefore('systemPrompt') && { systemPrompt }),
    ...(isAsBefore('llmProvider') && { llmProvider }),
    ...(sameCategories && { categories }),
  };
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
    await changes.recordActorEvent(transaction, deps, actor, { kind: agentDeleted, at, client, detail });
  });
}
