import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { folders, texts } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { tabs } from '../components/parts.ts';
import { defineMemberPage } from '../console-route.ts';
import { PageLinkQuery, platformPage, platformPath } from '../platform/platform-frame.ts';
import { entryCells, findIn, folderField, whereOf } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, breadcrumbs, requireOf, storageRequest } from './storage-frame.ts';

const SearchQuery = Type.Object({
  ...PageLinkQuery.properties,
  name: Type.String({ minLength: 1, maxLength: 255 }),
  folderId: Type.Optional(Type.String({ pattern: idForm.source })),
});

/** Searches a project, or everything below one folder: by a part of a name, and by words in the text of files. */
export function entrySearchPages(tools: StorageTools): readonly RouteDeclaration[] {
  return [
    searchPage(tools, {
      path: '/platform/{org}/projects/{id}/search',
      operationId: 'searchProject',
      list: async (asked, { org, where }) => {
        const page = { sort: 'name' as const, ...cursorOf(asked) };
        const { name } = asked;
        const found = await folders.searchByName(tools.files, { ...where, name, page }, (entry) => entry);
        return {
          caption: say('Sorted by name.'),
          columns: [say('Name'), say('Size'), say('Changed'), say('Location')],
          rows: found.data.map((entry) => [...entryCells(org, entry), locationCell(org, entry)]),
          pagination: found.pagination,
          empty: say('No files or folders match.'),
        };
      },
      otherwise: listTexts(tools),
    }),
    searchPage(tools, {
      path: '/platform/{org}/projects/{id}/text-search',
      operationId: 'searchTextsOfProject',
      list: listTexts(tools),
    }),
  ];
}

function listTexts(tools: StorageTools): List {
  return async (asked, { org, where }) => {
    const found = texts.isTextQuery(asked.name)
      ? await texts.searchTexts(tools.files, textSearch(org, where, asked), (one) => one)
      : noPage;
    return {
      caption: say('Newest text first.'),
      columns: [say('Name'), say('Text'), say('Changed'), say('Location')],
      rows: found.data.map(({ entry, passages }) => {
        const [name = '', , changed = ''] = entryCells(org, entry);
        return [name, passagesCell(passages), changed, locationCell(org, entry)];
      }),
      pagination: found.pagination,
      empty: found === noPage ? say('Enter at least two letters or digits.') : say('No file contents match.'),
    };
  };
}

const noPage = { data: [], pagination: { hasMore: false, nextCursor: null, prevCursor: null } };

type Asked = Static<typeof SearchQuery>;
type Where = StorageRequest & { readonly projectId: string; readonly folderId: string | null };

interface FoundList {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null };
  readonly empty: string;
}

type List = (asked: Asked, place: { readonly org: string; readonly where: Where }) => Promise<FoundList>;

function searchPage(
  tools: StorageTools,
  {
    path,
    operationId,
    list,
    otherwise,
  }: {
    readonly path: string;
    readonly operationId: string;
    readonly list: List;
    /** Shown if the first page of the list is empty. */
    readonly otherwise?: List;
  },
): RouteDeclaration {
  return defineMemberPage(tools, {
    path,
    operationId,
    params: ThingParams,
    query: SearchQuery,
    problems: [forbidden, notFound, invalidCursor],
    show: async ({ visitor, params: { org, id }, query, request }) => {
      const { name, folderId, cursor } = query;
      const where = { ...storageRequest(visitor, request), projectId: id, folderId: folderId ?? null };
      const view = await folders.viewContainer(tools.files, where);
      requireOf(org, view.project);
      const first = await list(query, { org, where });
      const isEmpty = first.rows.length === 0 && cursor === undefined;
      const other = isEmpty ? await otherwise?.(query, { org, where }) : undefined;
      const isOther = other !== undefined && other.rows.length > 0;
      // Its further pages are in its own view.
      const found = isOther ? { ...other, pagination: noPage.pagination } : first;
      const here = path.replace('{org}', org).replace('{id}', id);
      const sought = { name, ...(folderId !== undefined && { folderId }) };
      const table = dataTable(visitor.language, {
        caption: found.caption,
        columns: cellColumns(found.columns),
        rows: found.rows,
        search: { ...findIn(org, where, name), action: here },
        fields: folderField(where),
        pagination: { ...found.pagination, query: sought, isFirst: cursor === undefined },
        empty: { icon: 'search', title: found.empty },
      });
      const views = [
        { place: 'search', label: say('Names') },
        { place: 'text-search', label: say('File contents') },
      ].map(({ place, label }) => {
        const to = platformPath(org, 'projects', id, place);
        return { href: `${to}?${new URLSearchParams(sought).toString()}`, label, isCurrent: to === here };
      });
      return platformPage(tools, visitor, {
        org,
        tab: 'projects',
        title: say('Find “{name}”', { name }),
        crumbs: breadcrumbs(org, view),
        main: html`!${tabs(say('Search in'), views)}
        !${isOther ? html`<p>${say('No names match. The text of these files matches:')}</p>` : ''} !${table}`,
      });
    },
  });
}

function cursorOf({ cursor }: Asked): { readonly cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}

function textSearch(org: string, { folderId, projectId, ...request }: Where, asked: Asked) {
  return {
    ...request,
    organizationKey: org,
    query: asked.name,
    projectIds: [projectId],
    ...(folderId !== null && { folderId }),
    page: cursorOf(asked),
  };
}

function passagesCell(passages: readonly string[]): string {
  return html`!${passages.map((passage) => html`<p class="passage" dir="auto">${passage}</p>`)}`;
}

function locationCell(org: string, { projectId, parentId, name }: folders.Entry): string {
  return html`<a
    href="${whereOf(org, projectId, parentId)}"
    aria-label="${say('Open')}: ${say('Location of {name}', { name })}"
    >${say('Open')}</a
  >`;
}
