import { html } from 'ghtml';

import { invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { sharing } from '../../../storage/index.ts';
import { instant } from '../../shell/form-controls.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { defineMemberPage } from '../console-route.ts';
import { OrganizationParams, PageLinkQuery, platformPage } from '../platform/platform-frame.ts';
import { pathOfThing } from './share-sections.ts';
import type { StorageTools } from './storage-frame.ts';
import { storageRequest } from './storage-frame.ts';

/** The first page of guests: resources shared with them, directly or through their groups. */
export function sharedWithMePage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/shared',
    operationId: 'showSharedWithMe',
    params: OrganizationParams,
    query: PageLinkQuery,
    problems: [notFound, invalidCursor],
    show: async ({ visitor, params: { org }, query: page, request }) => {
      const asked = { ...storageRequest(visitor, request), organizationKey: org, page };
      const found = await sharing.listNamedShares(tools.files, asked);
      const rows = found.data.map(({ share, thing, name }) => [
        name === null
          ? html`<span class="hint">in the trash</span>`
          : html`<a href="${pathOfThing({ org, thing })}">${name}</a>`,
        { project: 'Project', folder: 'Folder', file: 'File' }[thing.kind],
        html`${share.level}`,
        html`${share.subject.kind === 'group' ? `the group ${share.subject.name}` : 'you'}`,
        html`${share.maker.username}`,
        instant(isoMilliseconds(share.createdAt)),
      ]);
      const columns = ['Name', 'Kind', 'Access', 'Shared with', 'Shared by', 'Since'];
      const empty =
        'Nothing is shared with you yet. Resources shared with you or your groups are listed here.';
      return platformPage(tools, visitor, {
        org,
        tab: 'shared',
        title: 'Shared with me',
        main: dataTable(visitor.language, {
          caption: 'Newest first.',
          columns: cellColumns(columns, ['main', 'also', 'state', 'low', 'low', 'also']),
          rows,
          pagination: { ...found.pagination, isFirst: page.cursor === undefined },
          empty: { icon: 'share', title: empty },
        }),
      });
    },
  });
}
