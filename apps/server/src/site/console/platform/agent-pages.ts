import { html } from 'ghtml';
import { Type } from 'typebox';

import type { AgentsRequest } from '../../../agents/index.ts';
import { agents, listTemplates, templateActions } from '../../../agents/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  invalidCursor,
  invalidField,
  notFound,
} from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form, notice, problemNotice, select, typedText } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { agentLinks, agentTabs } from '../agents/agent-tabs.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import { ago } from '../components/moments.ts';
import { buttonLink, card, dangerZone, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import {
  SettingsForm,
  agentColumns,
  agentFields,
  agentText,
  newAgentFields,
  readableProjects,
  sentSettings,
  templateOptions,
} from './agent-fields.ts';
import type { May, PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  OrganizationParams,
  callerOfVisitor,
  findOf,
  mayIn,
  organizationParams,
  platformPage,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import { removalPages } from './removal-pages.ts';

const { systemPromptCharsMax } = agents;
/** Forms encode a Chinese character in nine bytes. */
const settingsBytesMax = 10 * systemPromptCharsMax;
const TemplateForm = closedObject({ template_name: agents.NewAgentSchema.properties.template_name });
const AgentParams = Type.Object({ ...organizationParams, id: Type.String({ maxLength: 64 }) });
const problems = [forbidden, notFound];

export function agentPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    listPage(tools),
    createForm(tools),
    settingsPage(tools),
    settingsForm(tools),
    templateForm(tools),
    duplicateForm(tools),
    ...removalOf(tools),
  ];
}

function requestOf(visitor: Visitor, organizationKey: string): AgentsRequest {
  return { caller: callerOfVisitor(visitor), organizationKey, username: visitor.account.username };
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/agents',
    operationId: 'showAgents',
    params: OrganizationParams,
    query: FindQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query }) =>
      agentsPage(tools, visitor, { org: params.org, ...findOf(query) }),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/agents',
    operationId: 'createAgentOnPage',
    params: OrganizationParams,
    body: agents.NewAgentSchema,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, client }) => {
      const agent = await agents.createAgent(tools.access, {
        ...requestOf(visitor, params.org),
        client,
        agent: { templateName: body.template_name, name: body.new_mentor_name, ...agents.settingsOf(body) },
      });
      return { to: platformPath(params.org, 'agents', agent.id) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      agentsPage(tools, visitor, { org: params.org, problem, filled: body }),
  });
}

function settingsPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/agents/{id}',
    operationId: 'showAgent',
    params: AgentParams,
    problems,
    show: async ({ visitor, params }) => {
      const asked = { ...requestOf(visitor, params.org), agentId: params.id };
      return agentPage(tools, visitor, params.org, await agents.readAgent(tools.access, asked));
    },
  });
}

function settingsForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/agents/{id}',
    operationId: 'changeAgentOnPage',
    params: AgentParams,
    body: SettingsForm,
    bodyBytesMax: settingsBytesMax,
    problems,
    show: async ({ visitor, params, body, client }) => {
      const { org, id: agentId } = params;
      const before = await agents.readAgent(tools.access, { ...requestOf(visitor, org), agentId });
      const systemPrompt = typedText(body.system_prompt ?? '', before.systemPrompt);
      if (systemPrompt.length > systemPromptCharsMax)
        throw invalidField(
          'system_prompt',
          say('must have at most {systemPromptCharsMax} characters', { systemPromptCharsMax }),
        );
      const agent = await agents.changeAgent(tools.access, {
        ...requestOf(visitor, org),
        agentId,
        client,
        change: {
          ...sentSettings(body),
          description: typedText(body.description ?? '', before.description),
          systemPrompt,
        },
      });
      return agentPage(tools, visitor, org, agent, { news: say('Saved.') });
    },
    refused: async ({ visitor, params, body }, problem) => {
      const asked = { ...requestOf(visitor, params.org), agentId: params.id };
      const agent = await agents.readAgent(tools.access, asked);
      return agentPage(tools, visitor, params.org, { ...agent, ...sentSettings(body) }, { problem });
    },
  });
}

function templateForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/agents/{id}/template',
    operationId: 'changeAgentTemplateOnPage',
    params: AgentParams,
    body: TemplateForm,
    problems,
    show: async ({ visitor, params: { org, id: agentId }, body, client }) => {
      const agent = await agents.changeAgent(tools.access, {
        ...requestOf(visitor, org),
        agentId,
        client,
        change: { templateName: body.template_name },
      });
      return agentPage(tools, visitor, org, agent, {
        news: say('Template changed to {templateName}.', { templateName: agent.templateName }),
      });
    },
    refused: async ({ visitor, params }, problem) => {
      const asked = { ...requestOf(visitor, params.org), agentId: params.id };
      return agentPage(tools, visitor, params.org, await agents.readAgent(tools.access, asked), { problem });
    },
  });
}

function duplicateForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/agents/{id}/duplicate',
    operationId: 'duplicateAgentOnPage',
    params: AgentParams,
    body: Type.Object({ new_mentor_name: agents.NewAgentSchema.properties.new_mentor_name }),
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org, id: agentId }, body, client }) => {
      const copy = await agents.duplicateAgent(tools.access, {
        ...requestOf(visitor, org),
        agentId,
        client,
        name: body.new_mentor_name,
      });
      return { to: platformPath(org, 'agents', copy.id) };
    },
    refused: async ({ visitor, params, body }, problem) => {
      const asked = { ...requestOf(visitor, params.org), agentId: params.id };
      const agent = await agents.readAgent(tools.access, asked);
      return agentPage(tools, visitor, params.org, agent, { problem, copyName: body.new_mentor_name });
    },
  });
}

function removalOf(tools: PlatformTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: '/platform/{org}/agents/{id}/remove',
    operationId: 'removeAgentOnPage',
    params: AgentParams,
    problems,
    describe: async ({ visitor, params: { org, id: agentId } }) => {
      const agent = await agents.readAgent(tools.access, { ...requestOf(visitor, org), agentId });
      const here = platformPath(org, 'agents', agentId);
      return {
        org,
        tab: 'agents',
        title: say('Delete the agent {displayName}?', { displayName: agent.displayName }),
        consequences: html`<p>
          ${say('The agent’s settings and system prompt are deleted. The name can be used again.')}
        </p>`,
        submit: say('Delete {displayName}', { displayName: agent.displayName }),
        action: `${here}/remove`,
        back: here,
      };
    },
    remove: async ({ visitor, params: { org, id: agentId }, client }) => {
      await agents.removeAgent(tools.access, { ...requestOf(visitor, org), agentId, client });
      return { to: platformPath(org, 'agents') };
    },
  });
}

interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
  /** At the address of the dialog. */
  readonly isCreating?: boolean;
  readonly problem?: ProblemError;
  readonly filled?: Partial<Record<string, string>>;
}

async function agentsPage(
  tools: PlatformTools,
  visitor: Visitor,
  options: ListOptions,
): Promise<PersonalPage> {
  const { org, cursor, query, isCreating = false, problem, filled = {} } = options;
  const asked = requestOf(visitor, org);
  const [filter, page] = [query === undefined ? {} : { query }, cursor === undefined ? {} : { cursor }];
  const found = await agents.searchAgents(tools.access, { ...asked, page, filter }, (agent) => agent);
  const may = await mayIn(tools, visitor, org);
  const { create, kind } = platformTabs.agents;
  const mayCreate = may(create, ...kind) && may(templateActions.read, 'agent-templates');
  const templates = mayCreate ? await listTemplates(tools.access, asked) : [];
  const { language } = visitor;
  const words = wordsOf(language).console;
  const here = platformPath(org, 'agents');
  const actions = mayCreate
    ? buttonLink({
        href: here + opensDialog,
        label: say('Create agent'),
        icon: 'plus',
        kind: 'primary',
        dialog: 'create',
      })
    : '';
  const list = dataTable(language, {
    caption: say('Newest first.'),
    rows: found.data,
    columns: agentColumns(tools, visitor, org),
    search: { label: words.groupsPage.find, query },
    pagination: { ...found.pagination, query: filter, isFirst: cursor === undefined },
    empty: {
      icon: 'agent',
      title: query === undefined ? say('No agents yet.') : say('No agents match.'),
      ...(query === undefined && {
        text: say('An agent answers questions from your sources.'),
        action: actions,
      }),
    },
  });
  const fields = newAgentFields(templates, filled, problem ?? null);
  const creation = dialog(language, {
    id: 'create',
    title: say('Create agent'),
    content: html`!${problemNotice(problem)} !${form({ action: here, submit: say('Create agent'), fields })}`,
    isOpen: isCreating || problem !== undefined,
    closeHref: here,
  });
  const main = html`!${list} !${mayCreate ? creation : ''}`;
  const head = { title: words.sections.agents, actions, tabs: agentTabs(org, language, 'agents') };
  return platformPage(tools, visitor, { org, tab: 'agents', ...head, main });
}

interface AgentPageOptions {
  readonly news?: string;
  readonly problem?: ProblemError;
  /** The submitted values of a refused copy. */
  readonly copyName?: string;
}

async function agentPage(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  agent: agents.Agent,
  { news, problem, copyName }: AgentPageOptions = {},
): Promise<PersonalPage> {
  const fault = problem ?? null;
  const fields = agentFields(agent, await readableProjects(tools, visitor, org), fault);
  const may = await mayIn(tools, visitor, org);
  return platformPage(tools, visitor, {
    org,
    tab: 'agents',
    title: agent.displayName,
    actions: agentLinks(platformPath(org, 'agents', agent.id), visitor.language),
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(fault)}
    !${facts([
      ['unique_id', html`<code>${agent.id}</code>`],
      [say('Name'), html`${agent.name} (<code>${agent.slug}</code>)`],
      [say('Template'), html`${agent.templateName}`],
      [say('Created by'), html`${agent.createdBy}`],
      [say('Created'), ago(agent.createdAt, tools.identity.clock.now(), visitor.language)],
    ])}
    !${may(platformTabs.agents.update, 'agents', agent.id) ? form({ action: platformPath(org, 'agents', agent.id), submit: say('Save'), fields }) : agentText(agent)}
    !${await templatePart(tools, visitor, org, agent, may)}
    !${copyAndDelete(org, agent, may, { copyName, fault, language: visitor.language })}`,
  });
}

/** For visitors who may change the agent and list the templates. */
async function templatePart(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  { id, templateName }: agents.Agent,
  may: May,
): Promise<string> {
  if (!may(platformTabs.agents.update, 'agents', id) || !may(templateActions.read, 'agent-templates'))
    return '';
  const templates = await listTemplates(tools.access, requestOf(visitor, org));
  if (templates.every(({ name }) => name === templateName)) return '';
  const fields = select({
    name: 'template_name',
    label: say('Template'),
    hint: say(
      'Settings that still match the old template change to the new template. Settings you changed are preserved.',
    ),
    options: templateOptions(templates),
    chosen: [templateName],
  });
  return card({
    title: say('Change template'),
    isPadded: true,
    content: form({
      action: platformPath(org, 'agents', id, 'template'),
      submit: say('Change template'),
      fields,
    }),
  });
}

interface CopyOptions {
  readonly copyName: string | undefined;
  readonly fault: ProblemError | null;
  readonly language: Visitor['language'];
}

function copyAndDelete(
  org: string,
  { id, name }: agents.Agent,
  may: May,
  { copyName, fault, language }: CopyOptions,
): string {
  const here = platformPath(org, 'agents', id);
  const value = copyName ?? `${name} copy`;
  const fields = field({
    name: 'new_mentor_name',
    label: say('Name of the copy'),
    value,
    maxLength: 100,
    problem: fault,
  });
  const copy = may(platformTabs.agents.create, 'agents')
    ? card({
        title: say('Duplicate'),
        isPadded: true,
        content: form({ action: `${here}/duplicate`, submit: say('Duplicate'), fields }),
      })
    : '';
  const mayDelete = may(platformTabs.agents.delete, 'agents', id);
  const removal = {
    title: say('Delete agent'),
    text: say('Its settings, system prompt and answers are deleted, and its schedules stop.'),
    end: buttonLink({ href: `${here}/remove`, label: say('Delete agent'), kind: 'danger' }),
  };
  return copy + dangerZone(language, mayDelete ? [removal] : []);
}
