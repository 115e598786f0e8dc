import { html } from 'ghtml';

import type { deskQueue } from '../../../newsroom/desk/index.ts';
import { deskActions, deskJournal } from '../../../newsroom/desk/index.ts';
import { form, hidden } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { card, rows } from '../components/parts.ts';
import type { DeskVisit } from './desk-frame.ts';
import { formState } from './desk-frame.ts';

type Entry = deskQueue.QueueEntry;
type Grouping = NonNullable<Entry['grouping']>;

/** The versions of the stories that suggestions change, by their ids. */
export type StoryVersions = ReadonlyMap<string, string>;

export async function readStoryVersions(
  { tools }: DeskVisit,
  entries: readonly Entry[],
): Promise<StoryVersions> {
  const ids = entries.flatMap(({ grouping }) => grouping?.storyId ?? []);
  const states = await deskJournal.readStoryStates(tools.desk.database, [...new Set(ids)]);
  return new Map(
    [...states].map(([id, { state }]) => [
      id,
      deskJournal.versionOf({ kind: 'story', title: state.title, itemIds: state.itemIds }),
    ]),
  );
}

/**
 * The decision against the grouping of the rules, with one button and a public reason: an item that joined is split
 * off, a story that was opened is merged. It can be undone.
 */
export function suggestionForm(
  visit: DeskVisit,
  entry: Entry,
  versions: StoryVersions,
  from: 'queue' | 'story',
): string {
  const { grouping } = entry;
  if (grouping === null || grouping.storyId === null) return '';
  return grouping.joined
    ? splitForm(visit, entry, grouping.storyId, versions, from)
    : mergeForm(visit, grouping, grouping.storyId, versions, from);
}

/** Public reasons are in the language of the installation. */
const reasonsOf = ({ tools }: DeskVisit) => wordsOf(tools.desk.language).console.desk.story;

function splitForm(
  visit: DeskVisit,
  { id, title }: Entry,
  storyId: string,
  versions: StoryVersions,
  from: string,
): string {
  if (!visit.may(deskActions.stories.split, 'stories', storyId)) return '';
  const { splitReason } = reasonsOf(visit);
  return html`<div data-key="s">
    !${form({
      action: `/desk/stories/${storyId}/split`,
      submit: visit.words.buttons.split,
      label: `${visit.words.buttons.split}: ${title}`,
      fields: html`!${formState(visit, versions.get(storyId))}!${hidden('items', id)}!${hidden('title', title)}
      !${hidden('reason', splitReason)}!${hidden('from', from)}`,
      small: true,
    })}
  </div>`;
}

function mergeForm(
  visit: DeskVisit,
  { otherId, otherTitle }: Pick<Grouping, 'otherId' | 'otherTitle'>,
  storyId: string,
  versions: StoryVersions,
  from: string,
): string {
  if (!visit.may(deskActions.stories.merge, 'stories', storyId)) return '';
  const { mergeReason } = reasonsOf(visit);
  return html`<div data-key="m">
    !${form({
      action: `/desk/stories/${storyId}/merge`,
      submit: visit.words.buttons.merge,
      label: `${visit.words.buttons.merge}: ${otherTitle}`,
      fields: html`!${formState(visit, versions.get(storyId))}!${hidden('into', otherId)}
      !${hidden('reason', mergeReason)}!${hidden('from', from)}`,
      small: true,
    })}
  </div>`;
}

/** What the rules were in doubt about, for the page of a story. */
export function suggestionsCard(
  visit: DeskVisit,
  entries: readonly Entry[],
  versions: StoryVersions,
): string {
  const { words } = visit;
  const listed = entries.flatMap((entry) => {
    const end = suggestionForm(visit, entry, versions, 'story');
    return entry.grouping === null || end === '' ? [] : [{ entry, grouping: entry.grouping, end }];
  });
  if (listed.length === 0) return '';
  return card({
    title: say('Suggestions'),
    text: say(
      'The rules could not decide. The button decides with the public reason “{reason}”. You can undo the decision.',
      {
        reason:
          listed[0]?.grouping.joined === true ? reasonsOf(visit).splitReason : reasonsOf(visit).mergeReason,
      },
    ),
    content: rows(
      listed.map(({ entry, grouping, end }) => ({
        title: grouping.joined ? entry.title : grouping.otherTitle,
        href: grouping.joined ? `/desk/items/${entry.id}` : `/desk/stories/${grouping.otherId}`,
        text: html`${grouping.joined ? words.queue.joined : words.queue.opened},
        ${words.queue.likelihood(Math.round(grouping.likelihood * 100))}`,
        end,
      })),
    ),
  });
}
