import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale, storiesChanged } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { ComposedItem } from '../items/item-store.ts';
import { countItems, insertItems } from '../items/item-store.ts';
import type { Item, Source } from '../items/item.ts';
import { composeItem, timelineAtOf, timelineKeyOf, windowStart } from '../items/item.ts';
import { saveItemChange } from '../items/locked-item.ts';
import { itemPublished } from '../items/logged-item.ts';
import type { PlacedGroup } from '../items/placed-groups.ts';
import { lockAndPlaceGroups } from '../items/placed-groups.ts';
import { insertReadingGroups, updateReadingGroups } from '../items/reading-group-store.ts';
import { upsertSources } from '../items/source-store.ts';
import type { WindowRow } from '../items/window-store.ts';
import { createPartitionAndRetry, insertWindowItems, updateTimelineKeys } from '../items/window-store.ts';
import { lockItems } from '../locking.ts';
import { storyOpened } from '../stories/logged-story.ts';
import { lockUnmergedStories } from '../stories/story-changes.ts';
import { insertStories, updateStoryCounts } from '../stories/story-store.ts';
import type { StoryFault } from '../stories/story.ts';

export interface ItemToPublish {
  /** Passed by callers that retry after a crash, so that the item is published only once. */
  readonly id?: Id<'item'>;
  readonly source: Source;
  /** A reading group that does not exist yet is created; without one the item starts its own. */
  readonly groupId?: Id<'reading-group'>;
  readonly storyId?: Id<'story'> | null;
  /** The owner of the text that it copies; null: the owner of its source. */
  readonly voice?: string | null;
  readonly title: string;
  readonly originalTitle: string | null;
  /** BCP 47. */
  readonly language?: string | null;
  readonly summary: string;
  readonly category: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  /** Part of the first import of its source, so its time of discovery is not meaningful. */
  readonly firstImport?: boolean;
  readonly score: number | null;
  /** Whether an instruction to machines was removed from the source's text. */
  readonly textRemoved?: boolean;
  /** Makes it the representative of its reading group, replacing any other. At most one item of a group. */
  readonly selection?: { readonly reason: string } | null;
}

export interface ItemsToPublish {
  readonly items: readonly ItemToPublish[];
  /** Stories that these items open. */
  readonly stories?: readonly { readonly id: Id<'story'>; readonly title: string }[];
}

export interface PublishedItem {
  readonly itemId: Id<'item'>;
  readonly groupId: Id<'reading-group'>;
}

export type PublishItemFault = 'already_published' | 'impossible_times' | StoryFault;

/** Writes rows of items and of the window: by INSERT, or by COPY for large first imports. */
export interface ItemWriter {
  readonly insertItems: (items: readonly ComposedItem[]) => Promise<void>;
  readonly insertWindowItems: (rows: readonly WindowRow[]) => Promise<void>;
}

export async function publishItem(
  context: DecisionContext,
  request: ItemToPublish,
): Promise<DecisionResult<PublishedItem, PublishItemFault>> {
  const published = await publishItems(context, { items: [request] });
  if (!published.ok) return published;
  const [item] = published.value as [PublishedItem];
  return decided(item, published.copies);
}

/**
 * Publishes all or none: one statement for each table, however many items. Items are written once, with their final
 * score and selection. Refused if any of them cannot be published.
 */
export async function publishItems(
  context: DecisionContext,
  { items: requests, stories = [] }: ItemsToPublish,
  writer: ItemWriter = insertsInto(context),
): Promise<DecisionResult<readonly PublishedItem[], PublishItemFault>> {
  if (!requests.every((request) => timesArePossible(request, context.now)))
    return refused('impossible_times');
  const sources = await upsertSources(
    context.database,
    requests.map(({ source }) => source),
    context.now,
  );
  const items = requests.map((request) => newItem(context, request, sources));
  const ids = items.map(({ id }) => id);
  if ((await countItems(context.database, ids)) > 0) return refused('already_published');
  const groups = await lockAndPlaceGroups(context, items);
  const opened = new Set(stories.map(({ id }) => id));
  const joined = [...new Set(items.flatMap(({ storyId }) => storyId ?? []))].filter((id) => !opened.has(id));
  const locked = await lockUnmergedStories(context, joined);
  if (!locked.ok) return locked;
  const openedStories = stories.map((story) => ({
    ...story,
    items: items.filter(({ storyId }) => storyId === story.id),
  }));
  await insertStories(context.database, openedStories);
  await writeItems(context, items, groups, writer);
  context.log.push(...openedStories.map(storyOpened));
  await updateStoryCounts(context.database, joined);
  return decided(
    items.map(({ id, groupId }) => ({ itemId: id, groupId })),
    stale(recordCacheTags.items),
    ...(joined.length + opened.size > 0 ? [storiesChanged] : []),
  );
}

async function writeItems(
  context: DecisionContext,
  items: readonly Item[],
  groups: ReadonlyMap<Id<'reading-group'>, PlacedGroup>,
  writer: ItemWriter,
): Promise<void> {
  const { database, now } = context;
  const all = [...groups.values()];
  const groupOf = ({ groupId }: Item): PlacedGroup => groups.get(groupId) as PlacedGroup;
  const created = all.filter(({ before }) => before === null);
  if ((await insertReadingGroups(database, created)) < created.length) throw new ConcurrentChange();
  await unselectReplaced(context, all);
  const composed = items.map((item): ComposedItem => ({ item, ...composeItem(item) }));
  await writer.insertItems(composed);
  const from = windowStart(now);
  const shown = composed.filter(({ item }) => item.discoveredAt > from);
  const rows = shown.map(({ item, body }): WindowRow => ({
    item,
    body,
    timelineKey: timelineKeyOf(item, groupOf(item).firstAppearedAt),
  }));
  await createPartitionAndRetry(now, writer.insertWindowItems(rows));
  const changed = all.filter(
    ({ before, firstAppearedAt, representativeId }) =>
      before !== null &&
      (before.firstAppearedAt !== firstAppearedAt || before.representativeId !== representativeId),
  );
  await updateReadingGroups(database, changed);
  await updateTimelineKeys(
    database,
    changed.map(({ id }) => id),
  );
  context.log.push(...items.map(itemPublished));
  for (const { item, digest } of composed)
    if (digest !== null) context.ledger.push({ itemId: item.id, before: null, after: digest });
}

/** Runs before the inserts: a reading group never has two selected items. */
async function unselectReplaced(context: DecisionContext, groups: readonly PlacedGroup[]): Promise<void> {
  const kept = groups.flatMap(({ before }) => before?.representativeId ?? []);
  const formers = new Map((await lockItems(context, kept)).map((item) => [item.id, item]));
  for (const { before, representativeId, firstAppearedAt } of groups) {
    const formerId = before?.representativeId ?? null;
    const former = formerId === null ? undefined : formers.get(formerId);
    if (former === undefined || former.id === representativeId) continue;
    await saveItemChange(context, former, { ...former, selected: false, reason: null }, firstAppearedAt);
  }
}

function insertsInto({ database }: DecisionContext): ItemWriter {
  return {
    insertItems: async (items) => {
      // Another transaction has inserted one of them meanwhile.
      if ((await insertItems(database, items)) < items.length) throw new ConcurrentChange();
    },
    insertWindowItems: (rows) => insertWindowItems(database, rows),
  };
}

function timesArePossible(
  { publishedAt, discoveredAt }: Pick<ItemToPublish, 'publishedAt' | 'discoveredAt'>,
  now: EpochMicroseconds,
): boolean {
  return discoveredAt <= now && (publishedAt === null || publishedAt <= discoveredAt);
}

function newItem(
  context: DecisionContext,
  request: ItemToPublish,
  sources: ReadonlyMap<Source['id'], Source>,
): Item {
  const { publishedAt, discoveredAt, selection = null } = request;
  const source = sources.get(request.source.id) ?? request.source;
  return {
    id: request.id ?? context.ids.next(),
    sourceId: source.id,
    sourceName: source.name,
    groupId: request.groupId ?? context.ids.next(),
    storyId: request.storyId ?? null,
    voice: request.voice ?? null,
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
    selected: selection !== null,
    reason: selection?.reason ?? null,
    textRemoved: request.textRemoved ?? false,
    withdrawnAt: null,
  };
}
