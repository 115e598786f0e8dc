import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { DecisionContext } from '../decision.ts';
import { lockUnmergedStories, recountStories } from '../stories/story-changes.ts';
import type { StoryFault } from '../stories/story.ts';
import { updateFirstAppearance } from './first-appearance.ts';
import { insertItem } from './item-store.ts';
import type { Item, Source } from './item.ts';
import { composeItem, timelineAtOf } from './item.ts';
import { lockOrMakeGroup } from './locked-group.ts';
import { upsertSource } from './source-store.ts';
import { insertWindowItem } from './window-store.ts';

export interface ItemToPublish {
  /** Given by whoever must be able to publish again after a crash without publishing twice. */
  readonly id?: Id<'item'>;
  readonly source: Source;
  /** A reading group that is not there yet is made; without one the item starts its own. */
  readonly groupId?: Id<'reading-group'>;
  readonly storyId?: Id<'story'>;
  readonly title: string;
  readonly originalTitle: string | null;
  /** BCP 47. */
  readonly language?: string | null;
  readonly summary: string;
  readonly category: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  /** Came with the first import of its source, so its time of discovery says nothing. */
  readonly firstImport?: boolean;
  readonly score: number | null;
}

export interface PublishedItem {
  readonly itemId: Id<'item'>;
  readonly groupId: Id<'reading-group'>;
}

export type PublishItemFault = 'already_published' | 'impossible_times' | StoryFault;

export async function publishItem(
  context: DecisionContext,
  request: ItemToPublish,
): Promise<Result<PublishedItem, PublishItemFault>> {
  if (!timesArePossible(request, context.now)) return refused('impossible_times');
  const source = await upsertSource(context.database, request.source);
  const item = newItem(context, request, source);
  const group = await lockOrMakeGroup(context, item.groupId, item.timelineAt);
  if (item.storyId !== null) {
    const story = await lockUnmergedStories(context, [item.storyId]);
    if (!story.ok) return story;
  }
  if (!(await insertItem(context.database, item))) return refused('already_published');
  if (item.storyId !== null) await recountStories(context, [item.storyId]);
  if (!group.isNew) await updateFirstAppearance(context, group);
  const { body } = composeItem(item);
  await insertWindowItem(context.database, context.now, { item, body, timelineKey: item.timelineAt });
  context.cacheTags.add(recordCacheTags.items);
  return accepted({ itemId: item.id, groupId: item.groupId });
}

export function timesArePossible(
  { publishedAt, discoveredAt }: Pick<ItemToPublish, 'publishedAt' | 'discoveredAt'>,
  now: EpochMicroseconds,
): boolean {
  return discoveredAt <= now && (publishedAt === null || publishedAt <= discoveredAt);
}

/** As it is before anything is decided about it. */
export function newItem(context: DecisionContext, request: ItemToPublish, source: Source): Item {
  const { publishedAt, discoveredAt } = request;
  return {
    id: request.id ?? context.ids.next(),
    sourceId: source.id,
    sourceName: source.name,
    groupId: request.groupId ?? context.ids.next(),
    storyId: request.storyId ?? null,
    title: request.title,
    originalTitle: request.originalTitle,
    language: request.language ?? null,
    summary: request.summary,
    category: request.category,
    originalUrl: request.originalUrl,
    publishedAt,
    discoveredAt,
    revisedAt: null,
    timelineAt: timelineAtOf({ publishedAt, discoveredAt, firstImport: request.firstImport ?? false }),
    score: request.score,
    selected: false,
    reason: null,
    withdrawnAt: null,
  };
}
