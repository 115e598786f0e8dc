import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskReading, requireDesk } from '../../../newsroom/desk/index.ts';
import { hidden } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import { findOf } from '../platform/platform-frame.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { deskPage, enterDesk, refusalNotice } from './desk-frame.ts';

const ListQuery = closedObject({
  query: Type.Optional(Type.String({ maxLength: 200 })),
  cursor: Type.Optional(Type.String({ pattern: idForm.source })),
  /** A story that one of the list is merged with. */
  with: Type.Optional(Type.String({ pattern: idForm.source })),
});

const pageMax = 50;
export const mergePath = '/desk/stories/merge';

/** All stories, those with the newest items first, with a search in titles. Two of them can be merged. */
export function storyListPage(tools: DeskTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/desk/stories',
    operationId: 'showDeskStories',
    query: ListQuery,
    problems: [forbidden, notFound],
    show: async ({ visitor, query }) => storyList(await enterDesk(tools, visitor), query),
  });
}

export async function storyList(
  visit: DeskVisit,
  asked: Static<typeof ListQuery>,
  problem?: ProblemError,
): Promise<PersonalPage> {
  const { words, tools, visitor, actor, may } = visit;
  requireDesk(actor, deskActions.stories.read, 'stories');
  const { query, cursor } = findOf(asked);
  const { database } = tools.desk;
  const [other] = asked.with === undefined ? [] : await deskReading.readListedStories(database, [asked.with]);
  const found = await deskReading.listDeskStories(database, {
    ...(query !== undefined && { query }),
    ...(cursor !== undefined && { after: cursor }),
    ...(other !== undefined && { except: other.id }),
    countMax: pageMax + 1,
  });
  const rows = found.slice(0, pageMax);
  const hasMore = found.length > pageMax;
  const kept = {
    ...(query !== undefined && { query }),
    ...(other !== undefined && { with: other.id }),
  };
  return deskPage(visit, {
    section: 'stories',
    title: other === undefined ? words.sections.stories : say('Merge with another story'),
    lead: html`${other === undefined ? say('Stories with the newest items first. Select two stories to merge them.') : say('Select the story that reports the same event as “{title}”.', { title: other.title })}`,
    ...(other !== undefined && { crumbs: [{ href: `/desk/stories/${other.id}`, label: other.title }] }),
    main: html`!${refusalNotice(visit, problem)}
    !${other === undefined ? '' : html`<input type="hidden" name="stories" value="${other.id}" form="selection" />`}
    !${dataTable<deskReading.ListedDeskStory>(visitor.language, {
      caption: words.sections.stories,
      columns: columnsOf(visit),
      rows,
      nameOf: ({ title }) => title,
      ...(may(deskActions.stories.merge, 'stories') && {
        selection: {
          name: 'stories',
          valueOf: ({ id }) => id,
          buttons: [{ label: `${words.buttons.merge}…`, action: mergePath, key: 'm' }],
        },
      }),
      search: { label: words.items.find, query },
      fields: other === undefined ? '' : hidden('with', other.id),
      pagination: {
        hasMore,
        nextCursor: hasMore ? (rows.at(-1)?.id ?? null) : null,
        query: kept,
        isFirst: cursor === undefined,
      },
      empty: {
        icon: 'layers',
        title: query === undefined ? say('No stories yet.') : say('No stories match.'),
      },
    })}`,
  });
}

function columnsOf({ words, tools, visitor }: DeskVisit): readonly Column<deskReading.ListedDeskStory>[] {
  const now = tools.desk.clock.now();
  return [
    {
      label: words.fields.title,
      place: 'main',
      cell: ({ id, title }) => html`<a class="name" href="/desk/stories/${id}">${title}</a>`,
    },
    {
      label: say('Title set by'),
      place: 'state',
      cell: ({ isTitleByEditor }) => (isTitleByEditor ? badge('plain', say('Editor')) : ''),
    },
    { label: words.story.items, place: 'also', cell: ({ itemIds }) => String(itemIds.length) },
    { label: words.sections.sources, place: 'low', cell: ({ sourceCount }) => String(sourceCount) },
    {
      label: say('Latest item'),
      place: 'also',
      cell: ({ latestAt }) => ago(latestAt, now, visitor.language),
    },
  ];
}
