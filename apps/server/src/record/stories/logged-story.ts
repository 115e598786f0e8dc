import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Id } from '../../foundation/ids.ts';
import type { FormerValues, LogChange } from '../log/log-entry.ts';
import type { Story, StoryDigest } from './story.ts';

type LoggedStory = Pick<Story, 'id' | 'title' | 'digest' | 'otherDigest' | 'mergedInto' | 'splitFrom'>;

/** The content of a story in the public log. Which reports it has follows from the contents of these. */
export function loggedStory(story: LoggedStory): Record<string, JsonValue> {
  const { id, title, digest, otherDigest, mergedInto, splitFrom } = story;
  return {
    id,
    title,
    digest: digestJson(digest),
    otherDigest: digestJson(otherDigest),
    mergedInto,
    splitFrom,
  };
}

/** The columns of `record.story` whose values are public and may change. */
function publicColumns({ title, digest, otherDigest, mergedInto }: LoggedStory) {
  return {
    title,
    digest: digestJson(digest),
    other_digest: digestJson(otherDigest),
    merged_into: mergedInto,
  } satisfies Record<string, JsonValue>;
}

function digestJson(digest: StoryDigest | null): JsonValue {
  if (digest === null) return null;
  const { text, updatedAt, sentences, contradictions } = digest;
  return {
    text,
    updatedAt,
    sentences: sentences.map(({ text: words, cites, quotes }) => ({
      text: words,
      cites,
      ...(quotes !== undefined && {
        quotes: quotes.map(({ itemId, sourceName, spans, textHash, saltRevision }) => ({
          itemId,
          sourceName,
          spans,
          textHash,
          saltRevision,
        })),
      }),
    })),
    contradictions: contradictions.map(({ statement, earlier, later }) => ({ statement, earlier, later })),
  };
}

interface OpenedStory {
  readonly id: Id<'story'>;
  readonly title: string;
  /** The story that it was part of. */
  readonly splitFrom?: Id<'story'>;
}

export function storyOpened({ id, title, splitFrom }: OpenedStory): LogChange {
  const body = loggedStory({
    id,
    title,
    digest: null,
    otherDigest: null,
    mergedInto: null,
    splitFrom: splitFrom ?? null,
  });
  return { kind: 'story', action: splitFrom === undefined ? 'opened' : 'split', subject: id, body };
}

/** A merged story has no title: it may be that of a report that is withdrawn from the other story later. */
export function storyMerged(before: LoggedStory, into: Id<'story'>): LogChange {
  const after = { ...before, title: '', digest: null, otherDigest: null, mergedInto: into };
  const [revised] = storyRevised(before, after);
  if (revised === undefined) throw new Error(`story ${before.id} is merged already`);
  return { ...revised, action: 'merged' };
}

/** A merged story that is a story again. */
export function storyReopened(before: LoggedStory, after: LoggedStory): LogChange {
  const [revised] = storyRevised(before, after);
  if (revised === undefined) throw new Error(`story ${before.id} is not merged`);
  return { ...revised, action: 'split' };
}

/** None if nothing public changed. */
export function storyRevised(before: LoggedStory, after: LoggedStory): readonly LogChange[] {
  const body = loggedStory(after);
  if (canonicalJson(body) === canonicalJson(loggedStory(before))) return [];
  const now: FormerValues = publicColumns(after);
  const changed = Object.entries<JsonValue>(publicColumns(before)).filter(
    ([name, value]) => canonicalJson(value) !== canonicalJson(now[name] ?? null),
  );
  return [{ kind: 'story', action: 'revised', subject: after.id, body, was: Object.fromEntries(changed) }];
}
