import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Id } from '../../foundation/ids.ts';
import type { LogChange } from '../log/log-entry.ts';
import type { Story, StoryDigest } from './story.ts';

type LoggedStory = Pick<Story, 'id' | 'title' | 'digest' | 'otherDigest'>;

/** Which reports a story has follows from its opening, splits and merges, and from each report. */
function storyBody({ id, title, digest, otherDigest }: LoggedStory): Record<string, JsonValue> {
  return { id, title, digest: digestJson(digest), otherDigest: digestJson(otherDigest) };
}

function digestJson(digest: StoryDigest | null): JsonValue {
  if (digest === null) return null;
  const { text, updatedAt, sentences, contradictions } = digest;
  return {
    text,
    updatedAt,
    sentences: sentences.map((sentence) => ({ text: sentence.text, cites: sentence.cites })),
    contradictions: contradictions.map(({ statement, earlier, later }) => ({ statement, earlier, later })),
  };
}

interface OpenedStory {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly itemIds: readonly Id<'item'>[];
}

export function storyOpened({ itemIds, ...story }: OpenedStory): LogChange {
  return {
    kind: 'story',
    action: 'opened',
    subject: story.id,
    body: { ...storyBody({ ...story, digest: null, otherDigest: null }), reports: [...itemIds].sort() },
  };
}

/** A story that was part of another one. */
export function storySplit(story: OpenedStory, from: Id<'story'>): LogChange {
  const { body, ...opened } = storyOpened(story);
  return { ...opened, action: 'split', body: { ...(body as Record<string, JsonValue>), splitFrom: from } };
}

/** A merged story that is a story again. */
export function storyReopened(
  story: LoggedStory,
  itemIds: readonly Id<'item'>[],
  from: Id<'story'>,
): LogChange {
  const body = { ...storyBody(story), reports: [...itemIds].sort(), splitFrom: from };
  return { kind: 'story', action: 'split', subject: story.id, body };
}

/** Without its title, which may be that of a report that is withdrawn from the other story later. */
export function storyMerged(
  id: Id<'story'>,
  merged: { readonly into: Id<'story'>; readonly itemIds: readonly Id<'item'>[] },
): LogChange {
  const body = { id, mergedInto: merged.into, reports: [...merged.itemIds].sort() };
  return { kind: 'story', action: 'merged', subject: id, body };
}

/** None if neither title nor digest changed. */
export function storyRevised(before: LoggedStory, after: LoggedStory): readonly LogChange[] {
  const body = storyBody(after);
  if (canonicalJson(body) === canonicalJson(storyBody(before))) return [];
  return [{ kind: 'story', action: 'revised', subject: after.id, body }];
}
