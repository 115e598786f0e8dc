import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { refused } from '../../foundation/result.ts';
import { purge, recordCacheTags, stale, storyTag } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { lockUnmergedStories, saveStoryChange } from './story-changes.ts';
import { readUnwithdrawnItemIds } from './story-store.ts';
import type { Story, StoryDigest, StoryFault, StoryPart } from './story.ts';
import { citedItemIds, digestParts, withTitle } from './story.ts';

type DigestToWrite = Omit<StoryDigest, 'updatedAt'>;

export interface StoryRevision {
  readonly title?: string;
  readonly storylineId?: Id<'storyline'> | null;
  /** In the language of the (new) title, and in the other one. */
  readonly digest?: DigestToWrite | null;
  readonly otherDigest?: DigestToWrite | null;
}

export type ReviseStoryFault = StoryFault | 'cites_outside_story' | 'title_changed';

export async function reviseStory(
  context: DecisionContext,
  request: {
    readonly storyId: Id<'story'>;
    readonly changes: StoryRevision;
    /** Refused if the story has another title by now. */
    readonly titleBefore?: string;
    /** An editor decides: which parts rules leave as they are from now on. Without it, rules decide about the others. */
    readonly byEditor?: Partial<Readonly<Record<StoryPart, boolean>>>;
    /** Public: the revision is a correction. */
    readonly reason?: string;
  },
): Promise<DecisionResult<'revised', ReviseStoryFault | ReasonFault>> {
  const { storyId, byEditor, reason } = request;
  if (reason !== undefined && !isReason(reason)) return refused('invalid_reason');
  const locked = await lockUnmergedStories(context, [storyId]);
  if (!locked.ok) return locked;
  const [story] = locked.value as [Story];
  if (request.titleBefore !== undefined && request.titleBefore !== story.title)
    return refused('title_changed');
  const changes = byEditor === undefined ? changesByRule(story, request.changes) : request.changes;
  const { title = story.title, storylineId = story.storylineId } = changes;
  const written = [changes.digest, changes.otherDigest].filter((one) => one !== undefined && one !== null);
  if (written.length > 0) {
    const items = await readUnwithdrawnItemIds(context.database, storyId);
    for (const digest of written)
      for (const id of citedItemIds(digest)) if (!items.has(id)) return refused('cites_outside_story');
  }
  const retitled = withTitle(story, title);
  await saveStoryChange(context, story, {
    ...retitled,
    storylineId,
    digest: revisedDigest(context, retitled.digest, changes.digest),
    otherDigest: revisedDigest(context, retitled.otherDigest, changes.otherDigest),
    byEditor: partsByEditor(story, byEditor),
  });
  if (reason === undefined) return decided('revised', stale(recordCacheTags.stories));
  await recordCorrection(context, { action: 'corrected', subject: { kind: 'story', id: storyId }, reason });
  const { stories, corrections } = recordCacheTags;
  return decided('revised', purge(stories, corrections, storyTag(storyId)));
}

/** Without the parts that an editor wrote. A title in another language would exchange the digests. */
function changesByRule(
  story: Story,
  { title, digest, otherDigest, ...others }: StoryRevision,
): StoryRevision {
  const { byEditor } = story;
  const next = byEditor.includes('title') ? story.title : (title ?? story.title);
  const parts = digestParts({ title: next });
  return {
    ...others,
    ...(title !== undefined && { title: next }),
    ...(digest !== undefined && !byEditor.includes(parts.digest) && { digest }),
    ...(otherDigest !== undefined && !byEditor.includes(parts.otherDigest) && { otherDigest }),
  };
}

function partsByEditor(
  { byEditor }: Story,
  decided: Partial<Readonly<Record<StoryPart, boolean>>> = {},
): readonly StoryPart[] {
  const parts = new Set(byEditor);
  for (const [part, isByEditor] of Object.entries(decided) as [StoryPart, boolean][])
    if (isByEditor) parts.add(part);
    else parts.delete(part);
  return [...parts].sort();
}

function revisedDigest(
  context: DecisionContext,
  current: StoryDigest | null,
  written: DigestToWrite | null | undefined,
): StoryDigest | null {
  if (written === undefined) return current;
  return written === null ? null : { ...written, updatedAt: isoMilliseconds(context.now) };
}
