import { html } from 'ghtml';

import { invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { sharing } from '../../../storage/index.ts';
import { instant } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
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
          ? html`<span class="hint">${say('in the trash')}</span>`
          : html`<a href="${pathOfThing({ org, thing })}">${name}</a>`,
        say(({ project: 'Project', folder: 'Folder', file: 'File' } as const)[thing.kind]),
        html`${say(share.level)}`,
        html`${share.subject.kind === 'group' ? say('the group {name}', { name: share.subject.name }) : say('you')}`,
        html`${share.maker.username}`,
        instant(isoMilliseconds(share.createdAt)),
      ]);
      const columns = [
        say('Name'),
        say('Kind'),
        say('Access'),
        say('Shared with'),
        say('Shared by'),
        say('Since'),
      ];
      const empty = say(
        'Nothing is shared with you yet. Resources shared with you or your groups are listed here.',
      );
      return platformPage(tools, visitor, {
        org,
        tab: 'shared',
        title: say('Shared with me'),
        main: dataTable(visitor.language, {
          caption: say('Newest first.'),
          columns: cellColumns(columns, ['main', 'also', 'state', 'low', 'low', 'also']),
          rows,
          pagination: { ...found.pagination, isFirst: page.cursor === undefined },
          empty: { icon: 'share', title: empty },
        }),
      });
    },
  });
}
