import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, problems as storageProblems, texts } from '../../../storage/index.ts';
import { confirmedForm, field, form, hidden, instant, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog } from '../components/dialog.ts';
import { icon } from '../components/icons.ts';
import { ago } from '../components/moments.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, platformPage, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { filePage } from './file-pages.ts';
import { selectionOf } from './selection-buttons.ts';
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
import { uploadForm } from './upload-form.ts';
import { projectMeter } from './usage-meter.ts';

const problems = [forbidden, notFound];
const FolderQuery = Type.Object({
  ...PageLinkQuery.properties,
  sort: Type.Optional(Type.Enum(['createdAt', 'name'])),
});
const NewFolder = closedObject({
  ...NameForm.properties,
  folderId: Type.Optional(Type.String({ pattern: idForm.source })),
  /** Sent by the script that uploads folders. */
  ifTaken: Type.Optional(Type.Literal('open')),
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

export async function placeOfFolder({ files }: StorageTools, asked: StorageRequest, id: string) {
  const folder = await folders.readEntry(files, { ...asked, entry: { id, kind: 'folder' } });
  return { projectId: folder.projectId, folder };
}

function createForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/folders',
    operationId: 'createFolderOnPage',
    params: ThingParams,
    body: NewFolder,
    problems: [...problems, storageProblems.nameTaken, conflict],
    show: async ({ visitor, params: { org, id }, body, request }) => {
      const folder = await folders.createFolder(tools.files, {
        ...storageRequest(visitor, request),
        projectId: id,
        parentId: body.folderId ?? null,
        name: body.name ?? '',
        usesExisting: body.ifTaken === 'open',
      });
      return { to: platformPath(org, 'folders', folder.id) };
    },
    refused: async ({ visitor, params: { org, id }, body, request }, problem) => {
      const asked = storageRequest(visitor, request);
      const inside = body.folderId === undefined ? {} : await placeOfFolder(tools, asked, body.folderId);
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
    problems: [...problems, storageProblems.nameTaken],
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
  const here = whereOf(org, projectId, where.folderId);
  const pictured = await texts.picturedFiles(tools.files, asked, found.data);
  const list = dataTable(visitor.language, {
    caption: sort === 'name' ? say('Sorted by name.') : say('Newest first.'),
    columns: entryColumns(tools, visitor, { org, sort, pictured }),
    rows: found.data,
    search: findIn(org, where),
    fields: folderField(where),
    nameOf: ({ name }) => name,
    ...(await selectionOf(tools, { ...asked, projectId }, org, view, found.data)),
    pagination: {
      ...found.pagination,
      query: sort === 'name' ? { sort } : {},
      label: sort === 'name' ? say('More') : say('Older'),
      isFirst: cursor === undefined,
    },
    empty: { icon: 'folder', title: say('This folder is empty.') },
  });
  const archive =
    found.data.length > 0
      ? buttonLink({ href: `${here}/archive`, label: say('Download as zip'), icon: 'download' })
      : '';
  const forms = folderForms(org, view, { folder, filled, renamed, problem, language: visitor.language });
  return platformPage(tools, visitor, {
    org,
    tab: tabOf(view),
    title: folder?.name ?? view.project.name,
    crumbs: breadcrumbs(org, view, { isLast: true }),
    actions: archive + shareLink(here, view) + forms.actions,
    main: html`!${problemNotice(problem)}
    !${folder === undefined ? await projectMeter(tools, asked, projectId) : ''}
    !${view.mayCreate('file') ? uploadForm(org, where) : ''} !${list} !${forms.main}`,
  });
}

function entryColumns(
  tools: StorageTools,
  { language }: Visitor,
  {
    org,
    sort,
    pictured,
  }: {
    readonly org: string;
    readonly sort: 'createdAt' | 'name';
    readonly pictured: ReadonlySet<string>;
  },
): readonly Column<folders.Entry>[] {
  const now = tools.identity.clock.now();
  const cell = (index: number) => (entry: folders.Entry) =>
    entryCells(org, entry, pictured.has(entry.id))[index] ?? '';
  return [
    {
      label: say('Name'),
      place: 'main',
      cell: cell(0),
      sortHref: '?sort=name',
      ...(sort === 'name' && { sorted: 'ascending' as const }),
    },
    {
      label: say('Size'),
      place: 'also',
      cell: (entry) => html`<span class="whole">!${cell(1)(entry)}</span>`,
    },
    {
      label: say('Changed'),
      place: 'also',
      cell: ({ updatedAt }) => ago(updatedAt, now, language),
      sortHref: '?sort=createdAt',
      ...(sort === 'createdAt' && { sorted: 'descending' as const }),
    },
  ];
}

/** The columns of a folder or file in a list. */
export function entryCells(
  org: string,
  { id, kind, name, content, updatedAt }: folders.Entry,
  hasPicture = false,
): readonly string[] {
  const address = platformPath(org, `${kind}s`, id);
  const picture = html`<img
    class="thumb"
    src="${address}/picture"
    alt=""
    width="32"
    height="32"
    loading="lazy"
  />`;
  const mark = content?.scanState === 'infected' ? ` (${say('infected')})` : '';
  return [
    html`<div class="who">
      !${hasPicture ? picture : icon(kind === 'folder' ? 'folder' : 'file')}
      <span><a class="name" href="${address}">${name}</a>${mark}</span>
    </div>`,
    content === null ? say('Folder') : readableSize(content.size),
    instant(isoMilliseconds(updatedAt)),
  ];
}

interface SearchedFolder {
  readonly projectId: string;
  readonly folderId: string | null;
}

/** Search below the current folder. */
export function findIn(org: string, { projectId }: SearchedFolder, query?: string) {
  const action = platformPath(org, 'projects', projectId, 'search');
  return { label: say('Find by name or text'), name: 'name', query, action };
}

export function folderField({ folderId }: SearchedFolder): string {
  return folderId === null ? '' : hidden('folderId', folderId);
}

interface FolderForms {
  readonly folder: folders.Entry | undefined;
  readonly filled: string | undefined;
  readonly renamed: string | undefined;
  readonly problem: ProblemError | undefined;
  readonly language: Visitor['language'];
}

/** The dialogs that create and rename, their buttons, and what deletes. */
function folderForms(
  org: string,
  { project, may, mayCreate }: folders.EntryView,
  { folder, filled, renamed, problem, language }: FolderForms,
): { readonly actions: string; readonly main: string } {
  const here = whereOf(org, project.id, folder?.id ?? null);
  const present = folder?.name ?? project.name;
  const name = field({
    name: 'name',
    label: say('Name'),
    value: filled ?? '',
    autocomplete: 'off',
    problem: filled === undefined ? null : problem,
  });
  const parent = folder === undefined ? '' : hidden('folderId', folder.id);
  const action = platformPath(org, 'projects', project.id, 'folders');
  const newName = html`<div class="field">
    <label for="new-name">${say('New name')}</label>
    <input id="new-name" name="name" value="${renamed ?? present}" required autocomplete="off" />
  </div>`;
  const open = (id: string, label: string, isOpen: boolean, content: string) => ({
    button: buttonLink({ href: `${here}#${id}`, label, dialog: id }),
    dialog: dialog(language, { id, title: label, content, isOpen, closeHref: here }),
  });
  const create = open(
    'new-folder',
    say('New folder'),
    filled !== undefined,
    form({ action, submit: say('Create folder'), fields: name + parent }),
  );
  const rename = open(
    'rename',
    folder === undefined ? say('Rename project') : say('Rename folder'),
    renamed !== undefined,
    form({ action: here, submit: say('Rename'), fields: newName }),
  );
  const trash = buttonLink({
    href: platformPath(org, 'projects', project.id, 'trash'),
    label: say('Trash'),
    icon: 'trash',
  });
  const removal = confirmedForm(folder === undefined ? say('Delete project') : say('Delete folder'), {
    action: `${here}/remove`,
    submit: say('Move {name} to trash', { name: present }),
    dangerous: true,
  });
  return {
    actions: [
      may('delete') && folder === undefined ? trash : '',
      may('update') ? rename.button : '',
      mayCreate('folder') ? create.button : '',
    ].join(''),
    main: [
      mayCreate('folder') ? create.dialog : '',
      may('update') ? rename.dialog : '',
      may('delete') ? removal : '',
    ].join('\n'),
  };
}
