import { html } from 'ghtml';

import { forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { problems as storageProblems, projects, storageActions } from '../../../storage/index.ts';
import { field, form, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import { icon } from '../components/icons.ts';
import { ago } from '../components/moments.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { May } from '../platform/platform-frame.ts';
import {
  FindQuery,
  OrganizationParams,
  findOf,
  mayIn,
  platformPage,
  platformPath,
  platformTabs,
} from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { deletedProjectsPath } from './deleted-project-pages.ts';
import { folderPage } from './folder-pages.ts';
import { quotasPath } from './quota-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { NameForm, ThingParams, storageRequest } from './storage-frame.ts';
import { organizationMeter } from './usage-meter.ts';

const problems = [forbidden, notFound];

export function projectPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [listPage(tools), createForm(tools), renameForm(tools), deleteForm(tools)];
}

function listPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/projects',
    operationId: 'showProjects',
    params: OrganizationParams,
    query: FindQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query, request }) =>
      projectsPage(tools, visitor, storageRequest(visitor, request), { ...params, ...findOf(query) }),
  });
}

function createForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects',
    operationId: 'createProjectOnPage',
    params: OrganizationParams,
    body: NameForm,
    problems: [...problems, storageProblems.nameTaken],
    show: async ({ visitor, params: { org }, body, request }) => {
      const { id } = await projects.createProject(tools.files, {
        ...storageRequest(visitor, request),
        account: visitor.account,
        project: { name: body.name ?? '', organizationKey: org },
      });
      return { to: platformPath(org, 'projects', id) };
    },
    refused: async ({ visitor, params, body, request }, problem) =>
      projectsPage(tools, visitor, storageRequest(visitor, request), {
        ...params,
        problem,
        filled: body.name ?? '',
      }),
  });
}

function renameForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}',
    operationId: 'renameProjectOnPage',
    params: ThingParams,
    body: NameForm,
    problems: [...problems, storageProblems.nameTaken],
    show: async ({ visitor, params: { org, id }, body, request }) => {
      const asked = storageRequest(visitor, request);
      await projects.renameProject(tools.files, { ...asked, projectId: id, name: body.name ?? '' });
      return { to: platformPath(org, 'projects', id) };
    },
    refused: async ({ visitor, params: { org, id }, body, request }, problem) =>
      folderPage(tools, visitor, storageRequest(visitor, request), {
        org,
        projectId: id,
        problem,
        renamed: body.name ?? '',
      }),
  });
}

function deleteForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/remove',
    operationId: 'deleteProjectOnPage',
    params: ThingParams,
    problems,
    show: async ({ visitor, params: { org, id }, request }) => {
      await projects.deleteProject(tools.files, { ...storageRequest(visitor, request), projectId: id });
      return { to: platformPath(org, 'projects') };
    },
  });
}

interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  /** At the address of the dialog. */
  readonly isCreating?: boolean;
  readonly problem?: ProblemError;
  readonly filled?: string;
}

async function projectsPage(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  { org, cursor, isCreating = false, problem, filled = '' }: ListOptions,
): Promise<PersonalPage> {
  const where = { ...asked, organizationKey: org };
  const page = cursor === undefined ? {} : { cursor };
  const found = await projects.listProjects(tools.files, { ...where, page }, (project) => project);
  const may = await mayIn(tools, visitor, org);
  const { read, create, kind } = platformTabs.projects;
  const mayReadAll = may(read, ...kind);
  const fields = field({ name: 'name', label: say('Name'), value: filled, autocomplete: 'off', problem });
  const here = platformPath(org, 'projects');
  const { language } = visitor;
  const mayCreate = may(create, ...kind);
  const actions = mayCreate
    ? buttonLink({
        href: here + opensDialog,
        label: say('Create project'),
        icon: 'plus',
        kind: 'primary',
        dialog: 'create',
      })
    : '';
  const list = dataTable(language, {
    caption: say('Newest first.'),
    rows: found.data,
    columns: projectColumns(tools, visitor, org),
    pagination: { ...found.pagination, label: say('Older'), isFirst: cursor === undefined },
    empty: {
      icon: 'folder',
      title: mayReadAll ? say('No projects yet.') : say('You do not have access to an entire project.'),
      text: say('A project contains folders and files, with their versions and shares.'),
      action: mayReadAll
        ? actions
        : buttonLink({ href: platformPath(org, 'shared'), label: say('Shared with me') }),
    },
  });
  const creation = dialog(language, {
    id: 'create',
    title: say('Create project'),
    content: html`!${problemNotice(problem)} !${form({ action: here, submit: say('Create project'), fields })}`,
    isOpen: isCreating || problem !== undefined,
    closeHref: here,
  });
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: wordsOf(language).console.sections.projects,
    actions: otherPages(org, may) + actions,
    main: html`!${mayReadAll ? await organizationMeter(tools, where) : ''} !${list}
    !${mayCreate ? creation : ''}`,
  });
}

/** Links to the quotas and the deleted projects, for visitors who may change them. */
function otherPages(org: string, may: May): string {
  const { quotaActions, projectActions } = storageActions;
  return [
    may(quotaActions.set, 'projects')
      ? buttonLink({ href: quotasPath(org), label: say('Storage quotas') })
      : '',
    may(projectActions.delete, 'projects', 'any')
      ? buttonLink({ href: deletedProjectsPath(org), label: say('Deleted projects'), icon: 'trash' })
      : '',
  ].join('');
}

function projectColumns(
  tools: StorageTools,
  { language }: Visitor,
  org: string,
): readonly Column<projects.Project>[] {
  const now = tools.identity.clock.now();
  return [
    {
      label: say('Name'),
      place: 'main',
      cell: ({ id, name }) =>
        html`<div class="who">
          !${icon('folder')}<a class="name" href="${platformPath(org, 'projects', id)}">${name}</a>
        </div>`,
    },
    { label: say('Created'), place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
    { label: say('Changed'), place: 'also', cell: ({ updatedAt }) => ago(updatedAt, now, language) },
  ];
}
