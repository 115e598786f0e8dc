import { html } from 'ghtml';

import { forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { contents, nameTaken, projects } from '../../../storage/index.ts';
import { field, form, instant, problemNotice, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import {
  OrganizationParams,
  PageLinkQuery,
  mayIn,
  olderLink,
  platformPage,
  platformPath,
  platformTabs,
} from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { folderPage } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { NameForm, ThingParams, readableSize, storageRequest } from './storage-frame.ts';

const problems = [forbidden, notFound];

export function projectPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [listPage(tools), createForm(tools), renameForm(tools), deleteForm(tools)];
}

function listPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/projects',
    operationId: 'showProjects',
    params: OrganizationParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query, request }) =>
      projectsPage(tools, visitor, storageRequest(visitor, request), { ...params, ...query }),
  });
}

function createForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects',
    operationId: 'createProjectOnPage',
    params: OrganizationParams,
    body: NameForm,
    problems: [...problems, nameTaken],
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
    problems: [...problems, nameTaken],
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
  readonly problem?: ProblemError;
  readonly filled?: string;
}

async function projectsPage(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  { org, cursor, problem, filled = '' }: ListOptions,
): Promise<PersonalPage> {
  const where = { ...asked, organizationKey: org };
  const page = cursor === undefined ? {} : { cursor };
  const found = await projects.listProjects(tools.files, { ...where, page }, (project) => project);
  const rows = found.data.map(({ id, name, createdAt, updatedAt }) => [
    html`<a href="${platformPath(org, 'projects', id)}">${name}</a>`,
    instant(isoMilliseconds(createdAt)),
    instant(isoMilliseconds(updatedAt)),
  ]);
  const may = await mayIn(tools, visitor, org);
  const { read, create, kind } = platformTabs.projects;
  const mayReadAll = may(read, ...kind);
  const fields = field({ name: 'name', label: 'Name', value: filled, autocomplete: 'off', problem });
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: 'Projects',
    main: html`!${mayReadAll ? await usageOf(tools, where) : ''}
    !${table({ caption: 'Newest first.', columns: ['Name', 'Created', 'Changed'], rows, empty: mayReadAll ? 'No projects yet.' : 'You have no access to whole projects.' })}
    !${mayReadAll ? '' : html`<p><a href="${platformPath(org, 'shared')}">Shared with me</a></p>`}
    !${olderLink(found.pagination)} !${problemNotice(problem)}
    !${
      may(create, ...kind)
        ? html`<h2>Create project</h2>
            !${form({ action: platformPath(org, 'projects'), submit: 'Create project', fields })}`
        : ''
    }`,
  });
}

async function usageOf(
  { files }: StorageTools,
  where: StorageRequest & { readonly organizationKey: string },
): Promise<string> {
  const { usedBytes, reservedBytes, quotaBytes } = await contents.readOrganizationUsage(files, where);
  const taken = usedBytes + reservedBytes;
  return html`<p class="usage">
    <label for="usage">${readableSize(taken)} of ${readableSize(quotaBytes)} used</label>
    <meter id="usage" max="${String(Math.max(1, quotaBytes))}" value="${String(taken)}"></meter>
    <span class="hint">Includes versions and trash.</span>
  </p>`;
}
