import { html } from 'ghtml';
import { Type } from 'typebox';

import { forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { folders } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, platformPage } from '../platform/platform-frame.ts';
import { entryCells, findIn, folderField, whereOf } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, breadcrumbs, requireOf, storageRequest } from './storage-frame.ts';

const SearchQuery = Type.Object({
  ...PageLinkQuery.properties,
  name: Type.String({ minLength: 1, maxLength: 255 }),
  folderId: Type.Optional(Type.String({ pattern: idForm.source })),
});

/** Searches folders and files of a project, or below one folder, by a part of their names. */
export function entrySearchPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/projects/{id}/search',
    operationId: 'searchProject',
    params: ThingParams,
    query: SearchQuery,
    problems: [forbidden, notFound, invalidCursor],
    show: async ({ visitor, params: { org, id }, query: { name, folderId, cursor }, request }) => {
      const where = { ...storageRequest(visitor, request), projectId: id, folderId: folderId ?? null };
      const view = await folders.viewContainer(tools.files, where);
      requireOf(org, view.project);
      const page = { sort: 'name' as const, ...(cursor !== undefined && { cursor }) };
      const found = await folders.searchByName(tools.files, { ...where, name, page }, (entry) => entry);
      const rows = found.data.map((entry) => [
        ...entryCells(org, entry),
        html`<a
          href="${whereOf(org, entry.projectId, entry.parentId)}"
          aria-label="${say('Open')}: ${say('Location of {name}', { name: entry.name })}"
          >${say('Open')}</a
        >`,
      ]);
      const list = dataTable(visitor.language, {
        caption: say('Sorted by name.'),
        columns: cellColumns([say('Name'), say('Size'), say('Changed'), say('Location')]),
        rows,
        search: findIn(org, where, name),
        fields: folderField(where),
        pagination: {
          ...found.pagination,
          query: { name, ...(folderId !== undefined && { folderId }) },
          isFirst: cursor === undefined,
        },
        empty: { icon: 'search', title: say('No files or folders match.') },
      });
      return platformPage(tools, visitor, {
        org,
        tab: 'projects',
        title: say('Find “{name}”', { name }),
        crumbs: breadcrumbs(org, view),
        main: list,
      });
    },
  });
}
