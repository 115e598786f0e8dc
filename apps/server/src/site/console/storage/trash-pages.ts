import { html } from 'ghtml';
import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  invalidCursor,
  invalidField,
  notFound,
} from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { parseId } from '../../../foundation/ids.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, problems as storageProblems, trash } from '../../../storage/index.ts';
import { confirmedForm, form, instant, problemNotice } from '../../shell/form-controls.ts';
import { say, sayCount } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { toast } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, platformPage, platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { applyToEach, resultPage } from './entry-results.ts';
import { whereOf } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, breadcrumbs, readableSize, requireOf, storageRequest } from './storage-frame.ts';

const problems = [forbidden, notFound];

/** The trash of a project: restore and permanent deletion. */
export function trashPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [
    trashPage(tools),
    restoreForm(tools, 'folder'),
    restoreForm(tools, 'file'),
    purgeForm(tools, 'folder'),
    purgeForm(tools, 'file'),
    emptyForm(tools),
    restoreSelectedForm(tools),
  ];
}

const trashPath = (org: string, projectId: string): string =>
  platformPath(org, 'projects', projectId, 'trash');

function trashPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/projects/{id}/trash',
    operationId: 'showTrash',
    params: ThingParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query, request }) =>
      showTrash(tools, visitor, storageRequest(visitor, request), { ...params, ...query }),
  });
}

interface TrashOptions {
  readonly org: string;
  readonly id: string;
  readonly cursor?: string;
  readonly news?: string;
  readonly problem?: ProblemError;
}

async function showTrash(
  tools: StorageTools,
  visitor: Visitor,
  request: StorageRequest,
  { org, id, cursor, news, problem }: TrashOptions,
): Promise<PersonalPage> {
  const asked = { ...request, projectId: id };
  const page = cursor === undefined ? {} : { cursor };
  const found = await trash.listTrash(tools.files, { ...asked, page }, (entry) => entry);
  const view = await folders.viewContainer(tools.files, { ...asked, folderId: null });
  requireOf(org, view.project);
  const restorable = await folders.entriesAllowing(tools.files, asked, found.data, 'delete');
  const purgeable = await folders.entriesAllowing(tools.files, asked, found.data, 'purge');
  const labels = [say('Name'), say('Size'), say('Deleted'), say('Restore'), say('Delete')];
  const cells = new Map(
    found.data.map((entry) => [
      entry.id,
      cellsOf(org, entry, { restore: restorable.has(entry.id), purge: purgeable.has(entry.id) }),
    ]),
  );
  const list = dataTable(visitor.language, {
    caption: say('Most recently deleted first.'),
    columns: cellColumns(labels).map((column) => ({
      ...column,
      cell: ({ id: entryId }: folders.Entry) => column.cell(cells.get(entryId) ?? []),
    })),
    rows: found.data,
    nameOf: ({ name }) => name,
    ...(restorable.size > 0 && {
      selection: {
        name: 'entries',
        valueOf: ({ kind, id: entryId }: folders.Entry) => `${kind}/${entryId}`,
        buttons: [{ label: say('Restore selected'), action: `${trashPath(org, id)}/restore` }],
      },
    }),
    pagination: { ...found.pagination, label: say('Older'), isFirst: cursor === undefined },
    empty: { icon: 'trash', title: say('The trash is empty.') },
  });
  const isEmptied = found.data.length > 0 && view.mayEmptyTrash;
  return platformPage(tools, visitor, {
    org,
    tab: 'projects',
    title: say('Trash'),
    crumbs: breadcrumbs(org, view),
    lead: say(
      'Deleted files and folders stay in the trash for 30 days and count toward the storage quota. Restoring moves them back to their original location. If the name is in use, a number is added.',
    ),
    main: html`!${problemNotice(problem)} !${list}
    !${isEmptied ? emptying(trashPath(org, id), await trash.readTrashSize(tools.files, asked)) : ''}
    !${news === undefined ? '' : toast(visitor.language, 'good', news)}`,
  });
}

const SelectedForm = closedObject({
  entries: Type.Optional(Type.Array(Type.String({ pattern: '^(folder|file)/' }), { maxItems: 200 })),
});

/** Each entry on its own: a refused one does not stop the others, and the page names both. */
function restoreSelectedForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/trash/restore',
    operationId: 'restoreSelectedOnPage',
    params: ThingParams,
    body: SelectedForm,
    problems: [...problems, storageProblems.nameTaken, conflict],
    show: async ({ visitor, params, body: { entries = [] }, request }) => {
      if (entries.length === 0) throw invalidField('entries', say('Select at least one entry'));
      const asked = storageRequest(visitor, request);
      const named = await trash.readTrashed(tools.files, {
        ...asked,
        projectId: params.id,
        ids: entries.map(idOfSelected),
      });
      const results = await applyToEach(named, ({ id, kind }) =>
        folders.restoreEntry(tools.files, { ...asked, entry: { id, kind }, ifTaken: 'rename' }),
      );
      if (results.some(({ problem }) => problem !== null))
        return resultPage(tools, visitor, {
          org: params.org,
          done: say('Restored'),
          isGone: false,
          back: { href: trashPath(params.org, params.id), label: say('Trash') },
          results,
        });
      const news = sayCount(entries.length, '1 entry restored.', '{count} entries restored.');
      return showTrash(tools, visitor, asked, { ...params, news });
    },
    refused: async ({ visitor, params, request }, problem) =>
      showTrash(tools, visitor, storageRequest(visitor, request), { ...params, problem }),
  });
}

function idOfSelected(entry: string): folders.Entry['id'] {
  const id = parseId<'entry'>(entry.slice(entry.indexOf('/') + 1));
  if (!id.ok) throw callers.notFoundOrHidden();
  return id.value;
}

function cellsOf(
  org: string,
  { id, kind, name, content, trashedAt }: folders.Entry,
  may: { readonly restore: boolean; readonly purge: boolean },
): readonly string[] {
  const here = platformPath(org, `${kind}s`, id);
  const back = form({
    action: `${here}/restore`,
    submit: say('Restore'),
    label: say('Restore {name}', { name }),
    small: true,
  });
  const end = confirmedForm(say('Delete permanently'), {
    action: `${here}/purge`,
    submit:
      kind === 'folder'
        ? say('Permanently delete {name} and its contents', { name })
        : say('Permanently delete {name}', { name }),
    small: true,
    dangerous: true,
  });
  return [
    html`${name}`,
    content === null ? say('Folder') : readableSize(content.size),
    trashedAt === null ? '' : instant(isoMilliseconds(trashedAt)),
    may.restore ? back : '',
    may.purge ? end : '',
  ];
}

function emptying(here: string, { entries, bytes, isMore }: trash.TrashSize): string {
  const things = isMore
    ? say('more than {count} folders and files', { count: entries })
    : sayCount(entries, '1 folder or file', '{count} folders and files');
  const size = readableSize(bytes);
  const freed = isMore
    ? say('Emptying it frees at least {size}.', { size })
    : say('Emptying it frees {size}.', { size });
  return html`<p>${say('The trash contains {things}.', { things })} ${freed}</p>
    !${confirmedForm(say('Empty trash'), {
      action: `${here}/empty`,
      submit: say('Permanently delete {things}', { things }),
      dangerous: true,
    })}`;
}

function restoreForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `/platform/{org}/${kind}s/{id}/restore`,
    operationId: kind === 'folder' ? 'restoreFolderOnPage' : 'restoreFileOnPage',
    params: ThingParams,
    problems: [...problems, storageProblems.nameTaken, conflict],
    show: async ({ visitor, params: { org, id }, request }) => {
      const { projectId, parentId } = await folders.restoreEntry(tools.files, {
        ...storageRequest(visitor, request),
        entry: { id, kind },
        ifTaken: 'rename',
      });
      return { to: whereOf(org, projectId, parentId) };
    },
  });
}

function purgeForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `/platform/{org}/${kind}s/{id}/purge`,
    operationId: kind === 'folder' ? 'purgeFolderOnPage' : 'purgeFileOnPage',
    params: ThingParams,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org, id }, request }) => {
      const asked = storageRequest(visitor, request);
      const { projectId } = await trash.purgeEntry(tools.files, { ...asked, entry: { id, kind } });
      return { to: trashPath(org, projectId) };
    },
  });
}

function emptyForm(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/trash/empty',
    operationId: 'emptyTrashOnPage',
    params: ThingParams,
    problems,
    show: async ({ visitor, params: { org, id }, request }) => {
      await trash.emptyProjectTrash(tools.files, { ...storageRequest(visitor, request), projectId: id });
      return { to: trashPath(org, id) };
    },
  });
}
