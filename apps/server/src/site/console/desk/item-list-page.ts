import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { deskActions, deskReading, requireDesk } from '../../../newsroom/desk/index.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import { findOf } from '../platform/platform-frame.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { deskPage, enterDesk } from './desk-frame.ts';
import { itemPath } from './desk-item.ts';

const ListQuery = closedObject({
  query: Type.Optional(Type.String({ maxLength: 200 })),
  cursor: Type.Optional(Type.String({ pattern: idForm.source })),
});

const pageMax = 50;

/** All items, newest first, with a search in titles. */
export function itemListPage(tools: DeskTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/desk/items',
    operationId: 'showDeskItems',
    query: ListQuery,
    problems: [forbidden, notFound],
    show: async ({ visitor, query }) => listPage(await enterDesk(tools, visitor), query),
  });
}

async function listPage(visit: DeskVisit, asked: Static<typeof ListQuery>): Promise<PersonalPage> {
  const { words, tools, visitor, actor } = visit;
  requireDesk(actor, deskActions.items.read, 'items');
  const { query, cursor } = findOf(asked);
  const found = await deskReading.listDeskItems(tools.desk.database, {
    ...(query !== undefined && { query }),
    ...(cursor !== undefined && { before: cursor }),
    countMax: pageMax + 1,
  });
  const rows = found.slice(0, pageMax);
  const now = tools.desk.clock.now();
  const { categories: names } = wordsOf(visitor.language);
  return deskPage(visit, {
    section: 'items',
    title: words.sections.items,
    lead: html`${words.items.lead}`,
    main: dataTable(visitor.language, {
      caption: words.sections.items,
      columns: [
        {
          label: words.fields.title,
          place: 'main',
          cell: ({ id, title }) => html`<a class="name" href="${itemPath(id)}">${title}</a>`,
        },
        { label: words.item.source, place: 'also', cell: ({ sourceName }) => html`${sourceName}` },
        {
          label: words.fields.category,
          place: 'low',
          cell: ({ category }) => html`${names[category] ?? category}`,
        },
        {
          label: words.item.selected,
          place: 'state',
          cell: ({ selected }) => (selected ? badge('good', words.item.selected) : ''),
        },
        { label: words.item.score, place: 'low', cell: ({ score }) => String(score ?? '') },
        {
          label: words.journal.when,
          place: 'also',
          cell: (row) => ago(row.discoveredAt, now, visitor.language),
        },
      ],
      rows,
      search: { label: words.items.find, query },
      pagination: {
        hasMore: found.length > pageMax,
        nextCursor: found.length > pageMax ? (rows.at(-1)?.id ?? null) : null,
        ...(query !== undefined && { query: { query } }),
        isFirst: cursor === undefined,
      },
      empty: { icon: 'doc', title: query === undefined ? words.items.none : words.items.noneFound },
    }),
  });
}
