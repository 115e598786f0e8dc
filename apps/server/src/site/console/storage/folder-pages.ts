import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, nameTaken } from '../../../storage/index.ts';
import { scripts } from '../../shell/assets.ts';
import {
  confirmedForm,
  field,
  form,
  hidden,
  instant,
  problemNotice,
  table,
} from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, olderLink, platformPage, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { filePage } from './file-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import {
  NameForm,
  ThingParams,
  breadcrumbs,
  readableSize,
  requireOf,
  shareLink,
  storageRequest,
  tabOf,
} from './storage-frame.ts';

const problems = [forbidden, notFound];
const FolderQuery = Type.Object({
  ...PageLinkQuery.properties,
  sort: Type.Optional(Type.Enum(['createdAt', 'name'])),
});
const NewFolder = closedObject({
  ...NameForm.properties,
  folder: Type.Optional(Type.String({ pattern: idForm.source })),
});

/** Lists the contents of a project or a folder. */
export function folderPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [
    projectPage(tools),
    onePage(tools),
    createForm(tools),
    renameForm(tools, 'folder'),
    renameForm(tools, 'file'),
    deleteForm(tools, 'folder'),
    deleteForm(tools, 'file'),
  ];
}

function projectPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/projects/{id}',
    operationId: 'showProject',
    params: ThingParams,
    query: FolderQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params: { org, id }, query, request }) =>
      folderPage(tools, visitor, storageRequest(visitor, request), { org, projectId: id, ...query }),
  });
}

function onePage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/folders/{id}',
    operationId: 'showFolder',
    params: ThingParams,
    query: FolderQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params: { org, id }, query, request }) => {
      const asked = storageRequest(visitor, request);
      return folderPage(tools, visitor, asked, { org, ...(await placeOfFolder(tools, asked, id)), ...query });
    },
  });
}

async function placeOfFolder({ files }: StorageTools, asked: StorageRequest, id: string) {
  const folder = await folders.readEntry(files, { ...asked, entry: { id, kind: 'folder' } });
  return { projectId: folder.projectId, folder };
}

function createForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/folders',
    operationId: 'createFolderOnPage',
    params: ThingParams,
    body: NewFolder,
    problems: [...problems, nameTaken, conflict],
    show: async ({ visitor, params: { org, id }, body, request }) => {
      const folder = await folders.createFolder(tools.files, {
        ...storageRequest(visitor, request),
        projectId: id,
        parentId: body.folder ?? null,
        name: body.name ?? '',
      });
      return { to: platformPath(org, 'folders', folder.id) };
    },
    refused: async ({ visitor, params: { org, id }, body, request }, problem) => {
      const asked = storageRequest(visitor, request);
      const inside = body.folder === undefined ? {} : await placeOfFolder(tools, asked, body.folder);
      const filled = body.name ?? '';
      return folderPage(tools, visitor, asked, { org, projectId: id, ...inside, problem, filled });
    },
  });
}

function renameForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `/platform/{org}/${kind}s/{id}`,
    operationId: kind === 'folder' ? 'renameFolderOnPage' : 'renameFileOnPage',
    params: ThingParams,
    body: NameForm,
    problems: [...problems, nameTaken],
    show: async ({ visitor, params: { org, id }, body: { name = '' }, request }) => {
      const asked = { ...storageRequest(visitor, request), entry: { id, kind } };
      await folders.changeEntry(tools.files, { ...asked, name });
      return { to: platformPath(org, `${kind}s`, id) };
    },
    refused: async ({ visitor, params: { org, id }, body: { name = '' }, request }, problem) => {
      const asked = storageRequest(visitor, request);
      if (kind === 'file') return filePage(tools, visitor, asked, { org, id, problem, filled: name });
      const place = await placeOfFolder(tools, asked, id);
      return folderPage(tools, visitor, asked, { org, ...place, problem, renamed: name });
    },
  });
}

/** The link to the parent. */
function deleteForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `/platform/{org}/${kind}s/{id}/remove`,
    operationId: kind === 'folder' ? 'deleteFolderOnPage' : 'deleteFileOnPage',
    params: ThingParams,
    problems,
    show: async ({ visitor, params: { org, id }, request }) => {
      const asked = { ...storageRequest(visitor, request), entry: { id, kind } };
      const { parentId, projectId } = await folders.readEntry(tools.files, asked);
      await folders.deleteEntry(tools.files, asked);
      return { to: whereOf(org, projectId, parentId) };
    },
  });
}

export function whereOf(org: string, projectId: string, folderId: string | null): string {
  return folderId === null
    ? platformPath(org, 'projects', projectId)
    : platformPath(org, 'folders', folderId);
}

interface FolderOptions {
  readonly org: string;
  readonly projectId: string;
  /** Absent: the project itself. */
  readonly folder?: folders.Entry;
  readonly cursor?: string;
  readonly sort?: 'createdAt' | 'name';
  readonly problem?: ProblemError;
  /** The refused name of a new folder. */
  readonly filled?: string;
  /** The refused new name of this folder. */
  readonly renamed?: string;
}

export async function folderPage(
  tools: StorageTools,
  visitor: Visitor,
  asked: StorageRequest,
  { org, projectId, folder, cursor, sort = 'createdAt', problem, filled, renamed }: FolderOptions,
): Promise<PersonalPage> {
  const where = { ...asked, projectId, folderId: folder?.id ?? null };
  const view = await folders.viewContainer(tools.files, where);
  requireOf(org, view.project);
  const page = { sort, ...(cursor !== undefined && { cursor }) };
  const found = await folders.listChildren(tools.files, { ...where, page }, (entry) => entry);
  const byName = sort === 'name';
  const list = table({
    caption: byName ? 'Sorted by name.' : 'Newest first.',
    columns: ['Name', 'Size', 'Changed'],
    rows: found.data.map((entry) => entryCells(org, entry)),
    empty: 'This folder is empty.',
  });
  return platformPage(tools, visitor, {
    org,
    tab: tabOf(view),
    title: folder?.name ?? view.project.name,
    main: html`!${breadcrumbs(org, view, { isLast: true })} !${problemNotice(problem)}
    !${shareLink(whereOf(org, projectId, where.folderId), view)} !${findForm(org, where)}
    !${found.data.length > 0 ? listLinks(whereOf(org, projectId, where.folderId), byName) : ''} !${list}
    !${olderLink(found.pagination, byName ? { sort } : {}, byName ? 'More' : 'Older')}
    !${view.mayCreate('file') ? uploadForm(org, where) : ''}
    !${folderForms(org, view, { folder, filled, renamed, problem })}`,
  });
}

function listLinks(here: string, byName: boolean): string {
  const [sort, label] = byName ? ['createdAt', 'Newest first'] : ['name', 'Sort by name'];
  return html`<p><a href="?sort=${sort}">${label}</a> · <a href="${here}/archive">Download as zip</a></p>`;
}

/** The columns of a folder or file in a list. */
export function entryCells(
  org: string,
  { id, kind, name, content, updatedAt }: folders.Entry,
): readonly string[] {
  const mark = content?.scanState === 'infected' ? ' (infected)' : '';
  return [
    html`<a href="${platformPath(org, `${kind}s`, id)}">${name}</a>${mark}`,
    content === null ? 'Folder' : readableSize(content.size),
    instant(isoMilliseconds(updatedAt)),
  ];
}

/** Search by name below the current folder. */
export function findForm(
  org: string,
  { projectId, folderId }: { readonly projectId: string; readonly folderId: string | null },
  value = '',
): string {
  return html`<form method="get" class="row" action="${platformPath(org, 'projects', projectId, 'search')}">
    <label for="find">Find by name</label>
    <input id="find" name="name" type="search" value="${value}" required maxlength="255" />
    !${folderId === null ? '' : hidden('folder', folderId)}
    <button type="submit">Find</button>
  </form>`;
}

/** Sent by script, which shows the progress; without it the form names the alternatives. */
function uploadForm(
  org: string,
  { projectId, folderId }: { readonly projectId: string; readonly folderId: string | null },
): string {
  return html`<h2>Add files</h2>
    <form
      class="upload"
      data-upload="${platformPath(org, 'tus')}"
      data-project="${projectId}"
      data-folder="${folderId ?? ''}"
      hidden
    >
      <div class="field">
        <label for="files">Files</label>
        <p class="hint" id="files-hint">
          Choose files, or drag them onto this page. Uploading a file with an existing name adds a new
          version. To resume an interrupted upload, choose the same file again.
        </p>
        <input type="file" id="files" multiple aria-describedby="files-hint" />
      </div>
      <div role="status"><ul></ul></div>
    </form>
    <noscript>
      <p class="hint">
        Uploading from this page requires JavaScript. You can also upload files through the
        <a href="/docs/guides/storage-api">storage API</a>.
      </p>
    </noscript>
    <script src="${scripts.upload.path}" defer></script>`;
}

function folderForms(
  org: string,
  { project, may, mayCreate }: folders.EntryView,
  {
    folder,
    filled,
    renamed,
    problem,
  }: {
    readonly folder: folders.Entry | undefined;
    readonly filled: string | undefined;
    readonly renamed: string | undefined;
    readonly problem: ProblemError | undefined;
  },
): string {
  const here = whereOf(org, project.id, folder?.id ?? null);
  const thing = folder === undefined ? 'project' : 'folder';
  const present = folder?.name ?? project.name;
  const name = field({
    name: 'name',
    label: 'Name',
    value: filled ?? '',
    autocomplete: 'off',
    problem: filled === undefined ? null : problem,
  });
  const parent = folder === undefined ? '' : hidden('folder', folder.id);
  const action = platformPath(org, 'projects', project.id, 'folders');
  const newName = html`<div class="field">
    <label for="new-name">New name</label>
    <input id="new-name" name="name" value="${renamed ?? present}" required autocomplete="off" />
  </div>`;
  const rename = html`<details !${renamed === undefined ? '' : 'open'}>
    <summary>Rename ${thing}</summary>
    !${form({ action: here, submit: 'Rename', fields: newName })}
  </details>`;
  const trash = html`<p><a href="${platformPath(org, 'projects', project.id, 'trash')}">Trash</a></p>`;
  return [
    mayCreate('folder')
      ? html`<h2>New folder</h2>
          !${form({ action, submit: 'Create folder', fields: name + parent })}`
      : '',
    may('update') ? rename : '',
    may('delete')
      ? confirmedForm(`Delete ${thing}`, {
          action: `${here}/remove`,
          submit: `Move ${present} to trash`,
          dangerous: true,
        })
      : '',
    may('delete') && folder === undefined ? trash : '',
  ].join('\n');
}
