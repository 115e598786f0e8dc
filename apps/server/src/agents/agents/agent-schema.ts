import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { readableNamePattern } from '../../foundation/readable-name.ts';
import type { Agent, AgentSettings, VersionedSettings } from './agent.ts';

const categoriesMax = 10;
export const systemPromptCharsMax = 32_000;

export const AgentName = Type.String({ minLength: 1, maxLength: 100, pattern: readableNamePattern });
export const AgentText = {
  display_name: Type.String({ minLength: 1, maxLength: 100, pattern: readableNamePattern }),
  description: Type.String({ maxLength: 2_000 }),
  system_prompt: Type.String({ maxLength: systemPromptCharsMax }),
  llm_provider: Type.String({ minLength: 1, maxLength: 100, pattern: readableNamePattern }),
};
export const AgentCategories = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: categoriesMax,
  description: 'Ids of categories.',
});
const fileProjectsMax = 100;
const agentSources = ['news', 'files'] as const;
/** What an agent answers from. */
const AgentSources = {
  sources: Type.Array(Type.Enum([...agentSources]), {
    uniqueItems: true,
    maxItems: agentSources.length,
    description:
      'Sources of the answers: `news`, and `files` of the organization that the member who asks can read.',
  }),
  file_projects: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: fileProjectsMax,
    description: 'The projects whose files the agent searches; empty: all.',
  }),
};
const Instant = Type.String({ format: 'date-time' });

/** What a version of the settings has. */
export const agentSettingsFields = {
  display_name: Type.String(),
  description: Type.String(),
  template_name: Type.String({ description: "The agent's current template." }),
  system_prompt: Type.String(),
  llm_provider: Type.String(),
  categories: Type.Array(Type.String()),
  ...AgentSources,
};

const fields = {
  unique_id: Type.String({ format: 'uuid', description: 'Identifies the agent in other requests.' }),
  name: Type.String(),
  slug: Type.String({ description: 'The name as used in URLs; unique within the organization.' }),
  ...agentSettingsFields,
  created_by: Type.String({ description: 'A username.' }),
  created_at: Instant,
  updated_at: Instant,
};

export const AgentSchema = titledObject('Agent', fields);

/** A list item, with the two names that every list is ordered by. */
const ListedAgentSchema = titledObject('ListedAgent', {
  id: fields.unique_id,
  createdAt: Instant,
  ...fields,
});
export const AgentPageSchema = pageSchema(ListedAgentSchema, 'Agents');

export const NewAgentSchema = titledObject('NewAgent', {
  template_name: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A template of the organization; `ai-mentor` is available by default.',
  }),
  new_mentor_name: AgentName,
  display_name: Type.Optional(AgentText.display_name),
  description: Type.Optional(AgentText.description),
  system_prompt: Type.Optional(AgentText.system_prompt),
  llm_provider: Type.Optional(AgentText.llm_provider),
});

export const AgentChangeSchema = titledObject(
  'AgentChange',
  {
    template_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Another template of the organization. Settings that match the old template change to the new one.',
      }),
    ),
    display_name: Type.Optional(AgentText.display_name),
    description: Type.Optional(AgentText.description),
    system_prompt: Type.Optional(AgentText.system_prompt),
    llm_provider: Type.Optional(AgentText.llm_provider),
    categories: Type.Optional(AgentCategories),
    sources: Type.Optional(AgentSources.sources),
    file_projects: Type.Optional(AgentSources.file_projects),
  },
  { minProperties: 1 },
);

export function presentAgent(agent: Agent): Static<typeof AgentSchema> {
  return {
    unique_id: agent.id,
    name: agent.name,
    slug: agent.slug,
    ...presentSettings(agent),
    created_by: agent.createdBy,
    created_at: isoMicroseconds(agent.createdAt),
    updated_at: isoMicroseconds(agent.updatedAt),
  };
}

export function presentSettings(settings: VersionedSettings) {
  const { fileProjects } = settings;
  const isRead = { news: settings.readsPublicRecord, files: settings.readsFiles };
  return {
    display_name: settings.displayName,
    description: settings.description,
    template_name: settings.templateName,
    system_prompt: settings.systemPrompt,
    llm_provider: settings.llmProvider,
    categories: [...settings.categories],
    sources: agentSources.filter((source) => isRead[source]),
    file_projects: fileProjects === null ? [] : [...fileProjects],
  };
}

/** The fields of the API in which two settings differ. */
export function changedFields(
  before: VersionedSettings,
  after: VersionedSettings,
): readonly (keyof typeof agentSettingsFields)[] {
  const [one, other] = [presentSettings(before), presentSettings(after)];
  const names = Object.keys(other) as (keyof typeof other)[];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

export function presentListedAgent(agent: Agent): Static<typeof ListedAgentSchema> {
  const shown = presentAgent(agent);
  return { id: shown.unique_id, createdAt: shown.created_at, ...shown };
}

type WrittenSettings = Omit<Static<typeof AgentChangeSchema>, 'categories' | 'template_name'>;

/** The settings in a request body; absent fields stay absent. */
export function settingsOf(body: WrittenSettings): Partial<Omit<AgentSettings, 'categories'>> {
  const {
    display_name: displayName,
    description,
    system_prompt: systemPrompt,
    llm_provider: llmProvider,
    sources,
    file_projects: projects,
  } = body;
  return {
    ...(sources !== undefined && {
      readsPublicRecord: sources.includes('news'),
      readsFiles: sources.includes('files'),
    }),
    ...(projects !== undefined && { fileProjects: projects.length === 0 ? null : projects }),
    ...(displayName !== undefined && { displayName }),
    ...(description !== undefined && { description }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(llmProvider !== undefined && { llmProvider }),
  };
}
