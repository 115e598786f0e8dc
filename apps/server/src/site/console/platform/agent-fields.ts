import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import type { listTemplates } from '../../../agents/index.ts';
import { agentCategories, agents } from '../../../agents/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { projects } from '../../../storage/index.ts';
import { checkboxes, field, hidden, select } from '../../shell/form-controls.ts';
import { say, sayKnown } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { facts } from '../components/parts.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import { callerOfVisitor, platformPath } from './platform-frame.ts';

export function newAgentFields(
  templates: Awaited<ReturnType<typeof listTemplates>>,
  filled: Partial<Record<string, string>>,
  problem: ProblemError | null,
): string {
  return [
    select({
      name: 'template_name',
      label: say('Template'),
      options: templateOptions(templates),
      chosen: [filled['template_name'] ?? ''],
    }),
    field({
      name: 'new_mentor_name',
      label: say('Name'),
      value: filled['new_mentor_name'] ?? '',
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    field({
      name: 'display_name',
      label: say('Display name'),
      hint: say('Defaults to the name.'),
      value: filled['display_name'] ?? '',
      maxLength: 100,
      required: false,
      problem,
    }),
    field({
      name: 'description',
      label: say('Description'),
      hint: say('Defaults to the template’s value.'),
      value: filled['description'] ?? '',
      maxLength: 2_000,
      required: false,
      problem,
    }),
  ].join('');
}

export function templateOptions(templates: Awaited<ReturnType<typeof listTemplates>>) {
  return templates.map(({ name, description }) => ({
    value: name,
    label: `${name}: ${sayKnown(description)}`,
  }));
}

interface ProjectChoice {
  readonly value: string;
  readonly label: string;
}

export function agentFields(
  agent: agents.Agent,
  choices: readonly ProjectChoice[],
  fault: ProblemError | null,
): string {
  const options = agentCategories.map(({ id, name, description }) => ({
    value: id,
    label: `${name}: ${description}`,
  }));
  return [
    field({
      name: 'display_name',
      label: say('Display name'),
      value: agent.displayName,
      maxLength: 100,
      problem: fault,
    }),
    field({
      name: 'description',
      label: say('Description'),
      value: agent.description,
      maxLength: 2_000,
      required: false,
      rows: 3,
      problem: fault,
    }),
    field({
      name: 'system_prompt',
      label: say('System prompt'),
      value: agent.systemPrompt,
      maxLength: agents.systemPromptCharsMax,
      required: false,
      rows: 10,
      problem: fault,
    }),
    field({
      name: 'llm_provider',
      label: say('Model provider'),
      value: agent.llmProvider,
      maxLength: 100,
      problem: fault,
    }),
    checkboxes({ name: 'categories', label: say('Categories'), options, chosen: agent.categories }),
    ...sourceFields(agent, choices),
  ].join('');
}

function sourceFields(agent: agents.Agent, choices: readonly ProjectChoice[]): readonly string[] {
  const { sources, file_projects: chosen } = agents.presentAgent(agent);
  const options = [
    { value: 'news', label: say('News') },
    { value: 'files', label: say('Files that the member who asks can read') },
  ];
  // Projects that the visitor cannot read stay chosen.
  const others = chosen.filter((id) => !choices.some(({ value }) => value === id));
  return [
    checkboxes({ name: 'sources', label: say('Answers from'), options, chosen: sources }),
    ...(choices.length === 0
      ? []
      : [
          checkboxes({
            name: 'file_projects',
            label: say('Only files of these projects'),
            hint: say('Select none to include all projects.'),
            options: choices,
            chosen,
          }),
        ]),
    ...others.map((id) => hidden('file_projects', id)),
  ];
}

/** For visitors with read access only. */
export function agentText({ description, systemPrompt, categories }: agents.Agent): string {
  return facts([
    [say('Description'), html`${description}`],
    [say('System prompt'), html`${systemPrompt}`],
    [say('Categories'), html`${categories.join(', ')}`],
  ]);
}

export function agentColumns(
  tools: PlatformTools,
  { language }: Visitor,
  org: string,
): readonly Column<agents.Agent>[] {
  const words = wordsOf(language).console;
  const now = tools.identity.clock.now();
  return [
    {
      label: say('Agent'),
      place: 'main',
      cell: ({ id, displayName }) =>
        html`<a class="name" href="${platformPath(org, 'agents', id)}">${displayName}</a>`,
    },
    { label: say('Slug'), place: 'low', cell: ({ slug }) => html`<code>${slug}</code>` },
    { label: say('Categories'), place: 'also', cell: ({ categories }) => html`${categories.join(', ')}` },
    { label: words.columns.createdBy, place: 'low', cell: ({ createdBy }) => html`${createdBy}` },
    { label: words.columns.created, place: 'also', cell: ({ createdAt }) => ago(createdAt, now, language) },
  ];
}

const projectsMax = 100;

/** The projects to choose from: those that the visitor can read. */
export async function readableProjects(
  { files }: PlatformTools,
  visitor: Visitor,
  organizationKey: string,
): Promise<readonly ProjectChoice[]> {
  if (files === null) return [];
  const asked = {
    caller: callerOfVisitor(visitor),
    client: { address: '', userAgent: '' },
    organizationKey,
    page: { limit: projectsMax },
  };
  return (await projects.listProjects(files, asked, ({ id, name }) => ({ value: id, label: name }))).data;
}

export const SettingsForm = closedObject({
  ...Type.Omit(agents.AgentChangeSchema, ['template_name']).properties,
  // With two characters for every line break.
  system_prompt: Type.Optional(Type.String({ maxLength: 2 * agents.systemPromptCharsMax })),
});

/** Browsers do not send emptied or unchecked fields. */
export function sentSettings(body: Omit<Static<typeof agents.AgentChangeSchema>, 'template_name'>) {
  const { categories = [], sources = [], file_projects = [], ...rest } = body;
  return { ...agents.settingsOf({ ...rest, sources, file_projects }), categories };
}
