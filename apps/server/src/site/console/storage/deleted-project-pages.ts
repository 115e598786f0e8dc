import { html } from 'ghtml';

import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { problems as storageProblems, projects, storageActions, trash } from '../../../storage/index.ts';
import { confirmedForm, form, instant, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import {
  OrganizationParams,
  PageLinkQuery,
  mayIn,
  platformPage,
  platformPath,
} from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, storageRequest } from './storage-frame.ts';

const problems = [forbidden, notFound];

export const deletedProjectsPath = (org: string): string => platformPath(org, 'deleted-projects');

/** Deleted projects of an organization: restore and permanent deletion. */
export function deletedProjectPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [listPage(tools), restoreForm(tools), purgeForm(tools)];
}

function listPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/deleted-projects',
    operationId: 'showDeletedProjects',
    params: OrganizationParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params: { org }, query, request }) =>
      showDeleted(tools, visitor, storageRequest(visitor, request), { org, ...query }),
  });
}

interface DeletedOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly problem?: ProblemError;
}

async function showDeleted(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  { org, cursor, problem }: DeletedOptions,
): Promise<PersonalPage> {
  const page = cursor === undefined ? {} : { cursor };
  const where = { ...asked, organizationKey: org, page };
  const found = await projects.listDeletedProjects(tools.files, where, (project) => project);
  const may = await mayIn(tools, visitor, org);
  const { purge } = storageActions.projectActions;
  const list = dataTable(visitor.language, {
    caption: say('Most recently deleted first.'),
    columns: cellColumns([say('Name'), say('Deleted'), say('Restore'), say('Delete')]),
    rows: found.data.map((project) => cellsOf(org, project, may(purge, 'projects', project.id))),
    pagination: { ...found.pagination, label: say('Older'), isFirst: cursor === undefined },
    empty: { icon: 'trash', title: say('No deleted projects.') },
  });
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: say('Deleted projects'),
    lead: say(
      'Deleted projects stay here for 30 days with their files and count toward the storage quota. If the name is in use, a number is added when a project is restored.',
    ),
    main: html`!${problemNotice(problem)} !${list}`,
  });
}

function cellsOf(
  org: string,
  { id, name, trashedAt }: projects.Project,
  mayPurge: boolean,
): readonly string[] {
  const here = platformPath(org, 'projects', id);
  const back = form({
    action: `${here}/restore`,
    submit: say('Restore'),
    label: say('Restore {name}', { name }),
    small: true,
  });
  const end = confirmedForm(say('Delete permanently'), {
    action: `${here}/purge`,
    submit: say('Permanently delete {name} and its contents', { name }),
    small: true,
    dangerous: true,
  });
  return [
    html`${name}`,
    trashedAt === null ? '' : instant(isoMilliseconds(trashedAt)),
    back,
    mayPurge ? end : '',
  ];
}

function restoreForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/restore',
    operationId: 'restoreProjectOnPage',
    params: ThingParams,
    problems: [...problems, storageProblems.nameTaken],
    show: async ({ visitor, params: { org, id }, request }) => {
      const asked = { ...storageRequest(visitor, request), projectId: id, ifTaken: 'rename' as const };
      await projects.restoreProject(tools.files, asked);
      return { to: platformPath(org, 'projects', id) };
    },
    refused: async ({ visitor, params: { org }, request }, problem) =>
      showDeleted(tools, visitor, storageRequest(visitor, request), { org, problem }),
  });
}

function purgeForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/purge',
    operationId: 'purgeProjectOnPage',
    params: ThingParams,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org, id }, request }) => {
      await trash.purgeProject(tools.files, { ...storageRequest(visitor, request), projectId: id });
      return { to: deletedProjectsPath(org) };
    },
  });
}
