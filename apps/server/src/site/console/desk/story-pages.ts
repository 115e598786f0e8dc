import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import { idForm, parseId } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { readerLanguages } from '../../../foundation/reader-language.ts';
import {
  deskActions,
  deskJournal,
  deskQueue,
  deskReading,
  requireDesk,
} from '../../../newsroom/desk/index.ts';
import { checkboxes, form, radios } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { badge, beside, buttonLink, card, rows } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams, defineMemberPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskForm,
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  refusalNotice,
  requireDone,
} from './desk-frame.ts';
import type { TypedDigest } from './digest-form.ts';
import { digestCard, digestRoutes } from './digest-form.ts';
import { evidenceLine, evidenceOf } from './item-parts.ts';
import { doneNotice, journalCard } from './journal-pages.ts';
import { mergePage } from './merge-page.ts';
import { storyListPage } from './story-list-page.ts';
import type { TypedTitle } from './story-title.ts';
import { titleCard, titleRoutes } from './story-title.ts';
import { readStoryVersions, suggestionsCard } from './suggestions.ts';
import { textLine } from './text-line.ts';

const StoryQuery = closedObject({
  with: Type.Optional(Type.String({ pattern: idForm.source })),
  split: Type.Optional(Type.String({ pattern: idForm.source })),
  done: Type.Optional(Type.Literal('1')),
});
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
/** Of a suggestion in the queue: it leads back there. */
const from = Type.Optional(Type.Enum(['queue', 'story']));
const wording = { ...formProperties, reason: text(500), unverified: text(400) };
const SplitForm = closedObject({
  ...wording,
  from,
  title: text(300),
  items: Type.Optional(Type.Array(Type.String({ pattern: idForm.source }), { maxItems: 500 })),
});
const MergeForm = closedObject({
  ...formProperties,
  from,
  reason: text(500),
  into: text(100),
  other: text(100),
});

/** A story: its title, split by marking items, and merge into another. */
export function storyPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/stories/{id}',
      operationId: 'showDeskStory',
      params: IdParams,
      query: StoryQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, params, query }) =>
        storyPage(await enterDesk(tools, visitor), params.id, {
          isDone: query.done !== undefined,
          ...(query.with !== undefined && { withId: query.with }),
          ...(query.split !== undefined && { splitId: query.split }),
        }),
    }),
    ...titleRoutes(tools, { requireStory, show: storyPage }),
    splitForm(tools),
    mergeForm(tools),
    storyListPage(tools),
    mergePage(tools),
    ...digestRoutes(tools, { requireStory, show: storyPage }),
  ];
}

const storyPath = (id: string): string => `/desk/stories/${id}`;

interface StoryPageOptions {
  readonly isDone?: boolean;
  readonly problem?: ProblemError;
  /** The form that is shown again. */
  readonly retitle?: TypedTitle;
  readonly split?: Static<typeof SplitForm>;
  readonly merge?: Static<typeof MergeForm>;
  /** The digest that was typed. */
  readonly digest?: TypedDigest;
  /** The story that it may be merged into. */
  readonly withId?: string;
  /** The item that it may be split off. */
  readonly splitId?: string;
}

async function requireStory(visit: DeskVisit, id: string): Promise<deskReading.DeskStory> {
  requireDesk(visit.actor, deskActions.stories.read, 'stories', id);
  const story = await deskReading.readDeskStory(visit.tools.desk.database, id);
  if (story === null) throw callers.notFoundOrHidden();
  return story;
}

async function storyPage(visit: DeskVisit, id: string, options: StoryPageOptions): Promise<PersonalPage> {
  const { words, may } = visit;
  const story = await requireStory(visit, id);
  const suggestions = await suggestionsFor(visit, id);
  const { retitle, split, merge } = {
    retitle: may(deskActions.stories.update, 'stories', id),
    split: may(deskActions.stories.split, 'stories', id) && story.items.length > 1,
    merge: may(deskActions.stories.merge, 'stories', id),
  };
  return deskPage(visit, {
    section: 'stories',
    about: { kind: 'story', id },
    title: story.title,
    actions: buttonLink({ href: `/story/${id}`, label: words.item.publicPage, icon: 'out' }),
    main: html`!${await doneNotice(visit, options.isDone === true, storyPath(id))}
    !${refusalNotice(
      visit,
      options.problem,
      [options.retitle?.title, options.split?.title].flatMap((typed) => typed ?? []),
    )}
    !${beside(
      html`!${split ? splitCard(visit, story, options) : itemsCard(visit, story)}
      !${readerLanguages.map((language) =>
        digestCard(visit, story, language, {
          mayEdit: retitle,
          typed: options.digest,
          problem: options.problem,
        }),
      )}
      !${await journalCard(visit, id, { back: storyPath(id) })}`,
      html`!${suggestions}
      !${retitle ? await titleCard(visit, story, { typed: options.retitle, problem: options.problem }) : ''}
      !${merge ? mergeCard(visit, story, options) : ''}`,
    )}`,
  });
}

async function suggestionsFor(visit: DeskVisit, storyId: string): Promise<string> {
  const { database, clock } = visit.tools.desk;
  if (!visit.may(deskActions.queue.read, 'queue')) return '';
  const query = { now: clock.now(), storyId, countMax: 10 };
  const entries = await deskQueue.listQueue(database, 'grouping', query);
  return suggestionsCard(visit, entries, await readStoryVersions(visit, entries));
}

function stateOf(visit: DeskVisit, { title, items }: deskReading.DeskStory): string {
  const itemIds = items.map(({ id }) => id).sort();
  return formState(visit, deskJournal.versionOf({ kind: 'story', title, itemIds }));
}

function itemsCard({ words }: DeskVisit, { items }: deskReading.DeskStory): string {
  return card({
    title: words.story.items,
    content: rows(
      items.map(({ id, title, sourceName, selected }, at) => ({
        title: `${at + 1}. ${title}`,
        href: `/desk/items/${id}`,
        text: html`${sourceName}`,
        end: selected ? badge('good', words.item.selected) : '',
      })),
    ),
  });
}

function splitCard(visit: DeskVisit, story: deskReading.DeskStory, page: StoryPageOptions): string {
  const { words } = visit;
  const { splitId, split: typed } = page;
  const marked = story.items.filter(({ id }) => typed?.items?.includes(id) ?? id === splitId);
  const options = story.items.map(({ id, title, sourceName }, at) => ({
    value: id,
    label: `${at + 1}. ${title} (${sourceName})`,
  }));
  return card({
    title: words.story.items,
    text: words.story.splitText,
    isPadded: true,
    content: html`<div data-key="s">
      !${form({
        action: `${storyPath(story.id)}/split`,
        submit: words.buttons.split,
        fields: html`!${stateOf(visit, story)}
        !${checkboxes({ name: 'items', label: words.story.items, options, chosen: marked.map(({ id }) => id) })}
        !${textLine('title', words.story.newTitle, { value: typed?.title ?? marked[0]?.title ?? '' })}
        !${textLine('reason', words.fields.publicReason, { value: typed?.reason ?? '' })}
        !${evidenceLine(visit, page.problem, typed)}`,
      })}
    </div>`,
  });
}

function mergeCard(
  visit: DeskVisit,
  story: deskReading.DeskStory,
  { withId: linked = '', merge: typed }: StoryPageOptions,
): string {
  const withId = [typed?.other, typed?.into].find((id = '') => id !== '') ?? linked;
  const { words } = visit;
  const options = story.neighbours.map(({ id, title }) => ({ value: id, label: title }));
  const isListed = options.some(({ value }) => value === withId);
  return card({
    title: words.story.merge,
    text: words.story.mergeText,
    action: buttonLink({
      href: `/desk/stories?with=${story.id}`,
      label: say('Find another story'),
      small: true,
    }),
    isPadded: true,
    content: html`<div data-key="m">
      !${form({
        action: `${storyPath(story.id)}/merge`,
        submit: words.buttons.merge,
        fields: html`!${stateOf(visit, story)}
        !${options.length === 0 ? '' : radios({ name: 'into', label: words.story.into, options, chosen: isListed ? [withId] : [] })}
        !${textLine('other', words.story.otherId, { value: isListed ? '' : withId, required: false })}
        !${textLine('reason', words.fields.publicReason, { value: typed?.reason ?? '' })}`,
      })}
    </div>`,
  });
}

function afterGrouping({ from: place }: { readonly from?: string }, path: string): string {
  return place === 'queue' ? '/desk?kind=grouping&done=1' : `${path}?done=1`;
}

const trimmed = (value = ''): string => value.trim();
function splitForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/stories/{id}/split', operationId: 'splitStoryOnDesk', body: SplitForm },
    async (visit, id, body) => {
      if ((body.items ?? []).length === 0) throw invalidField('items', visit.words.story.chooseItems);
      if (trimmed(body.title) === '') throw invalidField('title', 'must not be empty');
      const done = await visit.editor.splitStory({
        storyId: id as Id<'story'>,
        itemIds: (body.items ?? []) as Id<'item'>[],
        title: trimmed(body.title),
        reason: trimmed(body.reason),
        ...evidenceOf(body),
        ...formOf(body),
      });
      requireDone(visit.words, done);
      return { to: afterGrouping(body, storyPath(id)) };
    },
    (visit, id, split, problem) => storyPage(visit, id, { problem, split }),
  );
}

function mergeForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/stories/{id}/merge', operationId: 'mergeStoriesOnDesk', body: MergeForm },
    async (visit, id, body) => {
      const named = trimmed(body.other) === '' ? trimmed(body.into) : trimmed(body.other);
      const survivorId = parseId<'story'>(named.split('/').at(-1) ?? '');
      if (!survivorId.ok) throw invalidField('other', visit.words.story.choose);
      const done = await visit.editor.mergeStories({
        absorbedId: id as Id<'story'>,
        survivorId: survivorId.value,
        reason: trimmed(body.reason),
        ...formOf(body),
      });
      requireDone(visit.words, done);
      return { to: afterGrouping(body, storyPath(survivorId.value)) };
    },
    (visit, id, merge, problem) => storyPage(visit, id, { problem, merge }),
  );
}
