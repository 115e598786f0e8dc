import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import {
  deskActions,
  deskJournal,
  deskQueue,
  deskReading,
  requireDesk,
} from '../../../newsroom/desk/index.ts';
import { form, hidden, radios } from '../../shell/form-controls.ts';
import { say, sayCount } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { beside, card, rows } from '../components/parts.ts';
import type { PersonalPage, Shown } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  refusalNotice,
  requireDone,
  staleForm,
} from './desk-frame.ts';
import { queuePage } from './queue-pages.ts';
import { mergePath, storyList } from './story-list-page.ts';
import { textLine } from './text-line.ts';

const listMax = 200;
const list = Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: listMax }));
const MergeForm = closedObject({
  ...formProperties,
  /** Two ids, in the confirmed form each with the version that the page showed. */
  stories: list,
  /** From the queue: entries, whose stories are meant. */
  kind: Type.Optional(Type.Enum([...deskQueue.queueKinds])),
  entries: list,
  /** The story that stays. */
  into: Type.Optional(Type.String({ pattern: idForm.source })),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  confirmed: Type.Optional(Type.Literal('1')),
});
type Sent = Static<typeof MergeForm>;
type Two = readonly [deskReading.ListedDeskStory, deskReading.ListedDeskStory];

/** A merge of two stories that were marked in a list, after a preview of what it does. */
export function mergePage(tools: DeskTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: mergePath,
    operationId: 'mergeMarkedStoriesOnDesk',
    body: MergeForm,
    problems: [forbidden, notFound, conflict, staleForm],
    show: async ({ visitor, body }) => {
      const visit = await enterDesk(tools, visitor);
      requireDesk(visit.actor, deskActions.stories.merge, 'stories');
      return body.confirmed === undefined ? preview(visit, body) : merge(visit, body);
    },
    refused: async ({ visitor, body }, problem) => {
      const visit = await enterDesk(tools, visitor);
      if (body.confirmed !== undefined && (await readMarked(visit, body)).length === 2)
        return preview(visit, body, problem);
      if (body.kind !== undefined) return queuePage(visit, { kind: body.kind, problem });
      const [only, ...others] = idsOf(body);
      return storyList(visit, only === undefined || others.length > 0 ? {} : { with: only }, problem);
    },
  });
}

function idsOf({ stories = [], entries = [] }: Pick<Sent, 'stories' | 'entries'>): readonly string[] {
  const ids = [...stories, ...entries].map((one) => one.split(':')[0] ?? '');
  return [...new Set(ids)].filter((id) => idForm.test(id));
}

function readMarked({ tools }: DeskVisit, body: Sent): Promise<readonly deskReading.ListedDeskStory[]> {
  return deskReading.readListedStories(tools.desk.database, idsOf(body));
}

async function requireTwo(visit: DeskVisit, body: Sent): Promise<Two> {
  const [one, other, ...more] = await readMarked(visit, body);
  if (one === undefined || other === undefined || more.length > 0)
    throw invalidField('stories', say('Select two different stories.'));
  return [one, other];
}

const versionOf = ({ title, itemIds }: deskReading.ListedDeskStory): string =>
  deskJournal.versionOf({ kind: 'story', title, itemIds: itemIds.toSorted() });

async function preview(visit: DeskVisit, body: Sent, problem?: ProblemError): Promise<PersonalPage> {
  const { words, tools } = visit;
  const two = await requireTwo(visit, body);
  // The larger one stays, otherwise the older one.
  const [proposed] = two.toSorted((one, other) => other.itemIds.length - one.itemIds.length);
  const reason = body.reason ?? wordsOf(tools.desk.language).console.desk.story.mergeReason;
  const parts = await Promise.all(two.map((story) => itemsCard(visit, story)));
  return deskPage(visit, {
    section: 'stories',
    title: say('Merge two stories'),
    lead: html`${say('Nothing is merged until you confirm. A merge can be undone.')}`,
    main: html`!${refusalNotice(visit, problem)}
    !${beside(
      parts.join(''),
      card({
        title: words.buttons.merge,
        text: say(
          'All items move to the story that you keep. Its title is used, the address of the other story redirects to it, and the reason is published at /corrections.',
        ),
        isPadded: true,
        content: form({
          action: mergePath,
          submit: words.buttons.merge,
          fields: html`!${formState(visit)}!${hidden('confirmed', '1')}
          !${two.map((story) => hidden('stories', `${story.id}:${versionOf(story)}`))}
          !${radios({
            name: 'into',
            label: say('Story to keep'),
            options: two.map(({ id, title, itemIds }) => ({
              value: id,
              label: `${title} (${sayCount(itemIds.length, '{count} item', '{count} items')})`,
            })),
            chosen: [body.into ?? proposed?.id ?? ''],
          })}
          !${textLine('reason', words.fields.publicReason, { value: reason })}`,
        }),
      }),
    )}`,
  });
}

async function itemsCard({ tools }: DeskVisit, { id, title }: deskReading.ListedDeskStory): Promise<string> {
  const story = await deskReading.readDeskStory(tools.desk.database, id);
  return card({
    title,
    content: rows(
      (story?.items ?? []).map((item) => ({
        title: item.title,
        href: `/desk/items/${item.id}`,
        text: html`${item.sourceName}`,
      })),
    ),
  });
}

async function merge(visit: DeskVisit, body: Sent): Promise<Shown> {
  // Of the form, not of the record: a repeated request finds the two merged.
  const ids = idsOf(body);
  const [survivorId, absorbedId] = [
    ids.find((id) => id === body.into),
    ids.find((id) => id !== body.into),
  ] as readonly (Id<'story'> | undefined)[];
  if (ids.length !== 2 || survivorId === undefined || absorbedId === undefined)
    throw invalidField('into', say('Choose the story to keep.'));
  const [, version] =
    (body.stories ?? []).map((one) => one.split(':')).find(([id]) => id === absorbedId) ?? [];
  const done = await visit.editor.mergeStories({
    absorbedId,
    survivorId,
    reason: (body.reason ?? '').trim(),
    ...formOf(body),
    version,
  });
  requireDone(visit.words, done);
  return { to: `/desk/stories/${survivorId}?done=1` };
}
