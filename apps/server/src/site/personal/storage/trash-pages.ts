import { html } from 'ghtml';

import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { listTrash, nameTaken, restoreEntry, viewContainer } from '../../../storage/index.ts';
import { form, instant, table } from '../../shell/form-controls.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import { PageLinkQuery, olderLink, platformPage, platformPath } from '../platform/platform-frame.ts';
import { whereOf } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, breadcrumbs, requireOf, storageRequest } from './storage-frame.ts';

const problems = [forbidden, notFound];

/** What was deleted in a project, and the way back. */
export function trashPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [trashPage(tools), restoreForm(tools, 'folder'), restoreForm(tools, 'file')];
}

function trashPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/projects/{id}/trash',
    operationId: 'showTrash',
    summary: 'What was deleted in a project.',
    params: ThingParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params: { org, id }, query, request }) => {
      const asked = { ...storageRequest(visitor, request), projectId: id };
      const found = await listTrash(tools.files, { ...asked, page: query }, (entry) => entry);
      const view = await viewContainer(tools.files, { ...asked, folderId: null });
      requireOf(org, view.project);
      const rows = found.data.map(({ id: entryId, kind, name, trashedAt }) => [
        html`${name}`,
        kind === 'folder' ? 'Folder' : 'File',
        trashedAt === null ? '' : instant(isoMilliseconds(trashedAt)),
        form({
          action: platformPath(org, `${kind}s`, entryId, 'restore'),
          submit: 'Restore',
          label: `Restore ${name}`,
          small: true,
        }),
      ]);
      const columns = ['Name', 'Kind', 'Deleted', 'Back'];
      return platformPage(
        tools,
        visitor,
        { org, tab: 'projects' },
        {
          title: 'Trash',
          main: html`!${breadcrumbs(org, view)}
            <p>
              What is deleted is kept for 30 days. Restored, it is where it was; where its name has been taken
              since, it gets a number.
            </p>
            !${table({ caption: 'What was deleted last comes first.', columns, rows, empty: 'The trash is empty.' })}
            !${olderLink(found.pagination)}`,
        },
      );
    },
  });
}

function restoreForm(tools: StorageTools, kind: 'folder' | 'file'): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `/platform/{org}/${kind}s/{id}/restore`,
    operationId: kind === 'folder' ? 'restoreFolderOnPage' : 'restoreFileOnPage',
    summary: `Takes a ${kind} out of the trash.`,
    params: ThingParams,
    problems: [...problems, nameTaken, conflict],
    show: async ({ visitor, params: { org, id }, request }) => {
      const { projectId, parentId } = await restoreEntry(tools.files, {
        ...storageRequest(visitor, request),
        entry: { id, kind },
        ifTaken: 'rename',
      });
      return { to: whereOf(org, projectId, parentId) };
    },
  });
}
