import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { projects, quotas } from '../../../storage/index.ts';
import { problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import {
  OrganizationParams,
  PageLinkQuery,
  organizationParams,
  platformPage,
  platformPath,
} from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, readableSize, storageRequest } from './storage-frame.ts';

export const quotasPath = (org: string): string => platformPath(org, 'quotas');

const megabyte = 1_000_000;
/** Empty: no quota of its own. */
const QuotaForm = closedObject({
  megabytes: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
});
const problems = [forbidden, notFound];

/** The storage quotas of projects and people, for those who may set them. */
export function quotaPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [listPage(tools), projectForm(tools), personForm(tools)];
}

function listPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/quotas',
    operationId: 'showQuotas',
    params: OrganizationParams,
    query: closedObject({
      ...PageLinkQuery.properties,
      people: Type.Optional(Type.String({ maxLength: 1_000 })),
    }),
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params: { org }, query, request }) =>
      showQuotas(tools, visitor, storageRequest(visitor, request), { org, ...query }),
  });
}

function projectForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/quota',
    operationId: 'setProjectQuotaOnPage',
    params: ThingParams,
    body: QuotaForm,
    problems,
    show: async ({ visitor, params: { org, id }, body, request }) => {
      const asked = storageRequest(visitor, request);
      await quotas.setProjectQuota(tools.files, { ...asked, projectId: id, quotaBytes: bytesOf(body) });
      return { to: quotasPath(org) };
    },
    refused: async ({ visitor, params: { org }, request }, problem) =>
      showQuotas(tools, visitor, storageRequest(visitor, request), { org, problem }),
  });
}

function personForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/quotas/{username}',
    operationId: 'setPersonQuotaOnPage',
    params: Type.Object({ ...organizationParams, username: Type.String({ maxLength: 100 }) }),
    body: QuotaForm,
    problems,
    show: async ({ visitor, params: { org, username }, body, request }) => {
      const asked = { ...storageRequest(visitor, request), organizationKey: org, username };
      await quotas.setPersonQuota(tools.files, { ...asked, quotaBytes: bytesOf(body) });
      return { to: quotasPath(org) };
    },
    refused: async ({ visitor, params: { org }, request }, problem) =>
      showQuotas(tools, visitor, storageRequest(visitor, request), { org, problem }),
  });
}

function bytesOf({ megabytes }: { readonly megabytes?: string }): number | null {
  return megabytes === undefined ? null : Number(megabytes) * megabyte;
}

interface QuotaOptions {
  readonly org: string;
  /** Of projects. */
  readonly cursor?: string;
  readonly people?: string;
  readonly problem?: ProblemError;
}

async function showQuotas(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  options: QuotaOptions,
): Promise<PersonalPage> {
  const { org, problem } = options;
  // First: visitors without the permission get its error.
  const ofPeople = await peopleList(tools, visitor, asked, options);
  const ofProjects = await projectList(tools, visitor, asked, options);
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: say('Storage quotas'),
    lead: say(
      'A quota limits the storage of a project or a person. If a quota is below the current usage, nothing is deleted, but uploads are refused. Leave the field empty to remove the quota.',
    ),
    main: html`!${problemNotice(problem)}
      <h2>${say('People')}</h2>
      !${ofPeople}
      <h2>${say('Projects')}</h2>
      !${ofProjects}`,
  });
}

async function peopleList(
  { files }: StorageTools,
  { language }: Visitor,
  asked: StorageRequest,
  { org, people }: QuotaOptions,
): Promise<string> {
  const page = people === undefined ? {} : { cursor: people };
  const where = { ...asked, organizationKey: org, page };
  const found = await quotas.listPeopleUsage(files, where, (person) => person);
  const rows = found.data.map(({ username, bytes, quotaBytes }) => [
    html`${username}`,
    html`${readableSize(bytes)}`,
    quotaField(platformPath(org, 'quotas', username), username, quotaBytes),
  ]);
  return dataTable(language, {
    caption: say('Newest first.'),
    columns: cellColumns([say('Name'), say('Used'), say('Quota in MB')]),
    rows,
    pagination: {
      ...found.pagination,
      parameter: 'people',
      label: say('Older'),
      isFirst: people === undefined,
    },
    empty: { icon: 'users', title: say('No members.') },
  });
}

async function projectList(
  { files }: StorageTools,
  { language }: Visitor,
  asked: StorageRequest,
  { org, cursor }: QuotaOptions,
): Promise<string> {
  const page = cursor === undefined ? {} : { cursor };
  const where = { ...asked, organizationKey: org, page };
  const found = await projects.listProjects(files, where, (project) => project);
  const rows: (readonly string[])[] = [];
  for (const { id, name } of found.data) {
    const { bytes, quotaBytes } = await quotas.readProjectUsage(files, { ...asked, projectId: id });
    const here = platformPath(org, 'projects', id);
    rows.push([
      html`<a href="${here}">${name}</a>`,
      html`${readableSize(bytes)}`,
      quotaField(`${here}/quota`, name, quotaBytes),
    ]);
  }
  return dataTable(language, {
    caption: say('Newest first.'),
    columns: cellColumns([say('Name'), say('Used'), say('Quota in MB')]),
    rows,
    pagination: { ...found.pagination, label: say('Older'), isFirst: cursor === undefined },
    empty: { icon: 'folder', title: say('No projects yet.') },
  });
}

function quotaField(action: string, name: string, quotaBytes: number | null): string {
  return html`<form method="post" action="${action}" class="small">
    <input
      type="number"
      name="megabytes"
      min="0"
      max="999999999"
      value="${quotaBytes === null ? '' : String(Math.ceil(quotaBytes / megabyte))}"
      aria-label="${say('Quota of {name} in MB', { name })}"
    />
    <button type="submit" aria-label="${say('Set the quota of {name}', { name })}">${say('Set')}</button>
  </form>`;
}
