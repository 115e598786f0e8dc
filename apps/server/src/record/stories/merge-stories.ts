import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { Overtaken } from '../decision.ts';
import { lockItems } from '../items/item-store.ts';
import { recountStories } from './opened-story.ts';
import {
  lockStories,
  moveReports,
  readReportIds,
  readStoriesAround,
  redirectStory,
  updateStory,
} from './story-store.ts';
import type { Story, StoryFault } from './story.ts';

/** One of two stories turns out to be the other: its reports move, and its id leads to the survivor for good. */
export async function mergeStories(
  work: Work,
  request: { readonly absorbedId: Id<'story'>; readonly survivorId: Id<'story'> },
): Promise<Result<'merged', StoryFault | 'same_story'>> {
  const { absorbedId, survivorId } = request;
  if (absorbedId === survivorId) return refused('same_story');
  const [reportIds, aroundIds] = [
    await readReportIds(work.database, absorbedId),
    await readStoriesAround(work.database, absorbedId),
  ];
  await lockItems(work.database, reportIds);
  const stories = await lockStories(work.database, [...new Set([absorbedId, survivorId, ...aroundIds])]);
  const absorbed = stories.find(({ id }) => id === absorbedId);
  const survivor = stories.find(({ id }) => id === survivorId);
  if (absorbed === undefined || survivor === undefined) return refused('unknown_story');
  if (absorbed.mergedInto !== null || survivor.mergedInto !== null) return refused('merged_story');
  const grown =
    hasOthers(await readReportIds(work.database, absorbedId), reportIds) ||
    hasOthers(await readStoriesAround(work.database, absorbedId), aroundIds);
  if (grown) throw new Overtaken();
  await absorb(work, absorbed, survivor, reportIds);
  return accepted('merged');
}

async function absorb(
  work: Work,
  absorbed: Story,
  survivor: Story,
  reportIds: readonly Id<'item'>[],
): Promise<void> {
  await moveReports(work.database, reportIds, survivor.id);
  if (survivor.storylineId === null && absorbed.storylineId !== null) {
    await updateStory(work.database, { ...survivor, storylineId: absorbed.storylineId });
  }
  await redirectStory(work.database, { absorbed: absorbed.id, survivor: survivor.id, at: work.now });
  await recountStories(work, [absorbed.id, survivor.id]);
}

function hasOthers<Key>(now: readonly Key[], before: readonly Key[]): boolean {
  const known = new Set(before);
  return now.some((id) => !known.has(id));
}
