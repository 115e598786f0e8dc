import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { StoredTemplate } from './agent-template.ts';

type OrganizationId = callers.Organization['id'];

function templates(database: Database, organizationId: OrganizationId) {
  return database
    .selectFrom('agents.template')
    .select([
      'name',
      'description',
      'system_prompt',
      'llm_provider',
      'categories',
      'reads_public_record',
      'reads_files',
      'created_at',
    ])
    .where('organization_id', '=', organizationId);
}

type TemplateRow = Awaited<ReturnType<ReturnType<typeof templates>['executeTakeFirstOrThrow']>>;

function templateOf(row: TemplateRow): StoredTemplate {
  return {
    name: row.name,
    description: row.description,
    systemPrompt: row.system_prompt,
    llmProvider: row.llm_provider,
    categories: row.categories,
    readsPublicRecord: row.reads_public_record,
    readsFiles: row.reads_files,
    createdAt: fromTimestamptz(row.created_at),
  };
}

export async function selectTemplates(
  database: Database,
  organizationId: OrganizationId,
): Promise<readonly StoredTemplate[]> {
  const rows = await templates(database, organizationId).orderBy('name').execute();
  return rows.map(templateOf);
}

export async function findTemplate(
  database: Database,
  organizationId: OrganizationId,
  name: string,
): Promise<StoredTemplate | null> {
  const row = await templates(database, organizationId).where('name', '=', name).executeTakeFirst();
  return row === undefined ? null : templateOf(row);
}

export async function insertTemplate(
  database: Database,
  organizationId: OrganizationId,
  template: StoredTemplate,
): Promise<void> {
  await database
    .insertInto('agents.template')
    .values({
      organization_id: organizationId,
      name: template.name,
      description: template.description,
      system_prompt: template.systemPrompt,
      llm_provider: template.llmProvider,
      categories: [...template.categories],
      reads_public_record: template.readsPublicRecord,
      reads_files: template.readsFiles,
      created_at: isoMicroseconds(template.createdAt),
    })
    .execute();
}

export async function deleteTemplate(
  database: Database,
  organizationId: OrganizationId,
  name: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('agents.template')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
