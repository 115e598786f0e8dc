import { html } from 'ghtml';

import type { listTemplates } from '../../../agents/index.ts';
import { agentCategories, agents } from '../../../agents/index.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { checkboxes, field, select } from '../../shell/form-controls.ts';

export function newAgentFields(
  templates: Awaited<ReturnType<typeof listTemplates>>,
  filled: Partial<Record<string, string>>,
  problem: ProblemError | null,
): string {
  return [
    select({
      name: 'template_name',
      label: 'Template',
      options: templateOptions(templates),
      chosen: [filled['template_name'] ?? ''],
    }),
    field({
      name: 'new_mentor_name',
      label: 'Name',
      value: filled['new_mentor_name'] ?? '',
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    field({
      name: 'display_name',
      label: 'Display name',
      hint: 'Defaults to the name.',
      value: filled['display_name'] ?? '',
      maxLength: 100,
      required: false,
      problem,
    }),
    field({
      name: 'description',
      label: 'Description',
      hint: 'Defaults to the template’s value.',
      value: filled['description'] ?? '',
      maxLength: 2_000,
      required: false,
      problem,
    }),
  ].join('');
}

export function templateOptions(templates: Awaited<ReturnType<typeof listTemplates>>) {
  return templates.map(({ name, description }) => ({ value: name, label: `${name}: ${description}` }));
}

export function agentFields(agent: agents.Agent, fault: ProblemError | null): string {
  const options = agentCategories.map(({ id, name, description }) => ({
    value: id,
    label: `${name}: ${description}`,
  }));
  return [
    field({
      name: 'display_name',
      label: 'Display name',
      value: agent.displayName,
      maxLength: 100,
      problem: fault,
    }),
    field({
      name: 'description',
      label: 'Description',
      value: agent.description,
      maxLength: 2_000,
      required: false,
      rows: 3,
      problem: fault,
    }),
    field({
      name: 'system_prompt',
      label: 'System prompt',
      value: agent.systemPrompt,
      maxLength: agents.systemPromptCharsMax,
      required: false,
      rows: 10,
      problem: fault,
    }),
    field({
      name: 'llm_provider',
      label: 'Model provider',
      value: agent.llmProvider,
      maxLength: 100,
      problem: fault,
    }),
    checkboxes({ name: 'categories', label: 'Categories', options, chosen: agent.categories }),
  ].join('');
}

/** For visitors with read access only. */
export function agentText({ description, systemPrompt, categories }: agents.Agent): string {
  return html`<dl class="facts">
    <dt>Description</dt>
    <dd>${description}</dd>
    <dt>System prompt</dt>
    <dd>${systemPrompt}</dd>
    <dt>Categories</dt>
    <dd>${categories.join(', ')}</dd>
  </dl>`;
}
