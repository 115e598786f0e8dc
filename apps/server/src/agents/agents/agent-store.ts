import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { Agent, AgentId, AgentSettings, AgentTemplateFields } from './agent.ts';

type Organization = callers.Organization;

function agents(database: Database, { id }: Pick<Organization, 'id'>) {
  return database
    .selectFrom('agents.agent')
    .innerJoin('identity.account', 'identity.account.id', 'agents.agent.created_by')
    .select([
      'agents.agent.id',
      'agents.agent.name',
      'slug',
      'display_name',
      'description',
      'template_name',
      'system_prompt',
      'llm_provider',
      'categories',
      'reads_public_record',
      'reads_files',
      'file_projects',
      'identity.account.username as created_by',
      'agents.agent.created_at',
      'updated_at',
    ])
    .where('agents.agent.organization_id', '=', id);
}

type AgentRow = Awaited<ReturnType<ReturnType<typeof agents>['executeTakeFirstOrThrow']>>;

function agentOf(row: AgentRow): Agent {
  return {
    id: row.id as AgentId,
    name: row.name,
    slug: row.slug,
    displayName: row.display_name,
    description: row.description,
    templateName: row.template_name,
    systemPrompt: row.system_prompt,
    llmProvider: row.llm_provider,
    categories: row.categories,
    readsPublicRecord: row.reads_public_record,
    readsFiles: row.reads_files,
    fileProjects: row.file_projects,
    createdBy: row.created_by,
    createdAt: fromTimestamptz(row.created_at),
    updatedAt: fromTimestamptz(row.updated_at),
  };
}

export interface AgentFilter {
  /** Matches name, display name or description, case-insensitively. */
  readonly query?: string;
  readonly category?: string;
}

export async function selectAgents(
  database: Database,
  organization: Organization,
  { query, category }: AgentFilter,
  request: PageRequest<AgentId>,
): Promise<readonly Agent[]> {
  let found = agents(database, organization);
  if (category !== undefined) found = found.where(sql<boolean>`${category} = ANY (categories)`);
  if (query !== undefined) {
    const pattern = containsPattern(query);
    found = found.where(
      sql<boolean>`(agents.agent.name ILIKE ${pattern} OR display_name ILIKE ${pattern} OR description ILIKE ${pattern})`,
    );
  }
  const columns = { createdAt: 'agents.agent.created_at', id: 'agents.agent.id' } as const;
  const rows = await selectPage(found, request, columns).execute();
  return rows.map(agentOf);
}

/** The agents that an account created in an organization, oldest first. */
export async function selectAgentsMadeBy(
  database: Database,
  organization: Pick<Organization, 'id'>,
  creatorId: string,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly Agent[]> {
  let query = agents(database, organization).where('agents.agent.created_by', '=', creatorId);
  if (page.after !== undefined) query = query.where('agents.agent.id', '>', page.after);
  return (await query.orderBy('agents.agent.id').limit(page.limit).execute()).map(agentOf);
}

export async function findAgent(
  database: Database,
  organization: Organization,
  id: AgentId,
): Promise<Agent | null> {
  const row = await agents(database, organization).where('agents.agent.id', '=', id).executeTakeFirst();
  return row === undefined ? null : agentOf(row);
}

export async function countAgents(database: Database, { id }: Pick<Organization, 'id'>): Promise<number> {
  const { count } = await database
    .selectFrom('agents.agent')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns false and inserts nothing if another agent has the slug. */
export async function insertAgent(
  database: Database,
  organization: Organization,
  agent: Agent,
  createdBy: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('agents.agent')
    .values({
      id: agent.id,
      organization_id: organization.id,
      name: agent.name,
      slug: agent.slug,
      template_name: agent.templateName,
      reads_public_record: agent.readsPublicRecord,
      reads_files: agent.readsFiles,
      file_projects: agent.fileProjects === null ? null : [...agent.fileProjects],
      created_by: createdBy,
      display_name: agent.displayName,
      description: agent.description,
      system_prompt: agent.systemPrompt,
      llm_provider: agent.llmProvider,
      categories: [...agent.categories],
      created_at: isoMicroseconds(agent.createdAt),
      updated_at: isoMicroseconds(agent.updatedAt),
    })
    .onConflict((taken) => taken.columns(['organization_id', 'slug']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export async function deleteAgent(database: Database, { id }: Organization, agentId: AgentId): Promise<void> {
  await database
    .deleteFrom('agents.agent')
    .where('organization_id', '=', id)
    .where('id', '=', agentId)
    .execute();
}

/** Updates only the fields of the change: concurrent changes of different fields do not overwrite each other. */
export async function updateAgent(
  database: Database,
  organization: Organization,
  id: AgentId,
  change: Partial<AgentSettings & AgentTemplateFields>,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('agents.agent')
    .set({ ...columnsOf(change), updated_at: isoMicroseconds(now) })
    .where('organization_id', '=', organization.id)
    .where('id', '=', id)
    .execute();
}

function columnsOf(change: Partial<AgentSettings & AgentTemplateFields>) {
  const { displayName, description, systemPrompt, llmProvider, categories } = change;
  const { templateName, readsPublicRecord, readsFiles, fileProjects } = change;
  return {
    ...(templateName !== undefined && { template_name: templateName }),
    ...(readsPublicRecord !== undefined && { reads_public_record: readsPublicRecord }),
    ...(readsFiles !== undefined && { reads_files: readsFiles }),
    ...(fileProjects !== undefined && { file_projects: fileProjects === null ? null : [...fileProjects] }),
    ...(displayName !== undefined && { display_name: displayName }),
    ...(description !== undefined && { description }),
    ...(systemPrompt !== undefined && { system_prompt: systemPrompt }),
    ...(llmProvider !== undefined && { llm_provider: llmProvider }),
    ...(categories !== undefined && { categories: [...categories] }),
  };
}

/** Also deletes the templates, and with the agents their answers, of an organization without members. */
export async function deleteAllAgents(database: Database, organizationId: string): Promise<void> {
  for (const table of [
    'agents.agent',
    'agents.schedule',
    'agents.template',
    'agents.answer_retention',
    'agents.budget',
    'agents.model_usage',
    'agents.model_call',
  ] as const)
    await database.deleteFrom(table).where('organization_id', '=', organizationId).execute();
}
