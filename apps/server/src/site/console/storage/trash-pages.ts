import { html } from 'ghtml';

import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { folders, nameTaken, trash } from '../../../storage/index.ts';
import { confirmedForm, form, instant } from '../../shell/form-controls.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, platformPage, platformPath } from '../platform/platform-frame.ts';
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
    show: async ({ visitor, params: { org, id }, query, request }) => {
      const asked = { ...storageRequest(visitor, request), projectId: id };
      const found = await trash.listTrash(tools.files, { ...asked, page: query }, (entry) => entry);
      const view = await folders.viewContainer(tools.files, { ...asked, folderId: null });
      requireOf(org, view.project);
      const deletable = await folders.entriesAllowing(tools.files, asked, found.data, 'delete');
      const purgeable = await folders.entriesAllowing(tools.files, asked, found.data, 'purge');
      const rows = found.data.map((entry) =>
        cellsOf(org, entry, { restore: deletable.has(entry.id), purge: purgeable.has(entry.id) }),
      );
      const columns = ['Name', 'Size', 'Deleted', 'Restore', 'Delete'];
      const caption = 'Most recently deleted first.';
      return platformPage(tools, visitor, {
        org,
        tab: 'projects',
        title: 'Trash',
        crumbs: breadcrumbs(org, view),
        main: html`<p>
            Deleted files and folders stay in the trash for 30 days and count toward the storage quota.
            Restoring moves them back to their original location. If the name is in use, a number is added.
          </p>
          !${dataTable(visitor.language, {
            caption,
            columns: cellColumns(columns),
            rows,
            pagination: { ...found.pagination, label: 'Older', isFirst: query.cursor === undefined },
            empty: { icon: 'trash', title: 'The trash is empty.' },
          })}
          !${rows.length === 0 || !view.mayEmptyTrash ? '' : emptying(trashPath(org, id), await trash.readTrashSize(tools.files, asked))}`,
      });
    },
  });
}

function cellsOf(
  org: string,
  { id, kind, name, content, trashedAt }: folders.Entry,
  may: { readonly restore: boolean; readonly purge: boolean },
): readonly string[] {
  const here = platformPath(org, `${kind}s`, id);
  const back = form({
    action: `${here}/restore`,
    submit: 'Restore',
    label: `Restore ${name}`,
    small: true,
  });
  const end = confirmedForm('Delete permanently', {
    action: `${here}/purge`,
    submit: kind === 'folder' ? `Permanently delete ${name} and its contents` : `Permanently delete ${name}`,
    small: true,
    dangerous: true,
  });
  return [
    html`${name}`,
    content === null ? 'Folder' : readableSize(content.size),
    trashedAt === null ? '' : instant(isoMilliseconds(trashedAt)),
    may.restore ? back : '',
    may.purge ? end : '',
  ];
}

function emptying(here: string, { entries, bytes, isMore }: trash.TrashSize): string {
  const count = entries.toLocaleString('en');
  const counted = entries === 1 ? '1 folder or file' : `${count} folders and files`;
  const things = isMore ? `more than ${count} folders and files` : counted;
  return html`<p>
      The trash contains ${things}. Emptying it frees ${isMore ? 'at least ' : ''}${readableSize(bytes)}.
    </p>
    !${confirmedForm('Empty trash', {
      action: `${here}/empty`,
      submit: `Permanently delete ${things}`,
      dangerous: true,
    })}`;
}

function restoreForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `/platform/{org}/${kind}s/{id}/restore`,
    operationId: kind === 'folder' ? 'restoreFolderOnPage' : 'restoreFileOnPage',
    params: ThingParams,
    problems: [...problems, nameTaken, conflict],
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
