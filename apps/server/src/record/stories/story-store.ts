import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Item } from '../items/item.ts';
import type { LockOptions } from '../lock-order.ts';
import type { Story, StoryDigest, StoryPart } from './story.ts';

/** False if the id exists. Checked first: an insert would wait for a transaction that changes the row. */
export async function insertStory(
  database: Database,
  story: Pick<Story, 'id' | 'title' | 'storylineId'> & Partial<Pick<Story, 'byEditor' | 'splitFrom'>>,
): Promise<boolean> {
  const taken = database.selectFrom('record.story').select('id').where('id', '=', story.id);
  if ((await taken.executeTakeFirst()) !== undefined) return false;
  const inserted = await database
    .insertInto('record.story')
    .values({
      id: story.id,
      title: story.title,
      storyline_id: story.storylineId,
      split_from: story.splitFrom ?? null,
      source_count: 0,
      report_count: 0,
      by_editor: [...(story.byEditor ?? [])],
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function selectStoriesForUpdate(
  database: Database,
  ids: readonly Id<'story'>[],
  { noWait }: LockOptions,
): Promise<readonly Story[]> {
  const rows = await database
    .selectFrom('record.story')
    .select(storyColumns)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .$if(noWait, (query) => query.noWait())
    .execute();
  return rows.map((row) => storyOf(row as unknown as StoryRow));
}

interface StoryRow {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly storyline_id: Id<'storyline'> | null;
  readonly digest: StoryDigest | null;
  readonly other_digest: StoryDigest | null;
  readonly merged_into: Id<'story'> | null;
  readonly split_from: Id<'story'> | null;
  readonly by_editor: readonly StoryPart[];
}

const storyColumns = [
  'id',
  'title',
  'storyline_id',
  'digest',
  'other_digest',
  'merged_into',
  'split_from',
  'by_editor',
] as const;

function storyOf(row: StoryRow): Story {
  return {
    id: row.id,
    title: row.title,
    storylineId: row.storyline_id,
    digest: row.digest,
    otherDigest: row.other_digest,
    mergedInto: row.merged_into,
    splitFrom: row.split_from,
    byEditor: row.by_editor,
  };
}

/** Inserts stories with their first items. */
export async function insertStories(
  database: Database,
  stories: readonly {
    readonly id: Id<'story'>;
    readonly title: string;
    readonly items: readonly Pick<Item, 'sourceId' | 'timelineAt'>[];
  }[],
): Promise<void> {
  if (stories.length === 0) return;
  const times = (of: (...all: string[]) => string | null): (string | null)[] =>
    stories.map(({ items }) => of(...items.map(({ timelineAt }) => toTimestamptz(timelineAt)).sort()));
  await sql`${preparedAs('insert-stories')}
    INSERT INTO record.story (id, title, source_count, report_count, first_report_at, latest_at)
    SELECT * FROM unnest(
      ${stories.map(({ id }) => id)}::uuid[],
      ${stories.map(({ title }) => title)}::text[],
      ${stories.map(({ items }) => new Set(items.map(({ sourceId }) => sourceId)).size)}::integer[],
      ${stories.map(({ items }) => items.length)}::integer[],
      ${times((first) => first ?? null)}::timestamptz[],
      ${times((...all) => all.at(-1) ?? null)}::timestamptz[])`.execute(database);
}

/** Runs after their items have changed. */
export async function updateStoryCounts(database: Database, ids: readonly Id<'story'>[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`${preparedAs('count-reports')}
    UPDATE record.story SET
      report_count = counted.reports, source_count = counted.sources,
      first_report_at = counted.first, latest_at = counted.latest
    FROM (
      SELECT target.id, count(item.id)::integer AS reports, count(DISTINCT source_id)::integer AS sources,
        min(timeline_at) AS first, max(timeline_at) AS latest
      FROM unnest(${[...ids]}::uuid[]) AS target (id)
      LEFT JOIN record.item ON item.story_id = target.id AND withdrawn_at IS NULL
      GROUP BY target.id
    ) AS counted
    WHERE story.id = counted.id`.execute(database);
}

export async function updateStory(
  database: Database,
  { id, title, storylineId, digest, otherDigest, byEditor }: Omit<Story, 'mergedInto' | 'splitFrom'>,
): Promise<void> {
  await database
    .updateTable('record.story')
    .set({
      title,
      storyline_id: storylineId,
      digest: digest && JSON.stringify(digest),
      other_digest: otherDigest && JSON.stringify(otherDigest),
      by_editor: [...byEditor],
    })
    .where('id', '=', id)
    .execute();
}

/** The story as a relation of `RecordView` describes it; null if it does not exist there. */
export async function readStoryFrom(
  database: Database,
  id: string,
  relation: RawBuilder<unknown>,
): Promise<Story | null> {
  const { rows } = await sql<StoryRow>`
    SELECT ${sql.join(storyColumns.map((name) => sql.ref(name)))} FROM ${relation} AS story
    WHERE id = ${id}::uuid`.execute(database);
  const [row] = rows;
  return row === undefined ? null : storyOf(row);
}

/** The columns of a story that contain words; null if it does not exist. */
export async function readStoryWords(
  database: Database,
  id: string,
): Promise<Readonly<Record<'title' | 'digest' | 'other_digest', JsonValue>> | null> {
  const row = await database
    .selectFrom('record.story')
    .select(['title', 'digest', 'other_digest'])
    .where('id', '=', id)
    .executeTakeFirst();
  return (row as Readonly<Record<'title' | 'digest' | 'other_digest', JsonValue>> | undefined) ?? null;
}

export async function readStoryOfItem(database: Database, itemId: Id<'item'>): Promise<string | null> {
  const row = await database
    .selectFrom('record.item')
    .select('story_id')
    .where('id', '=', itemId)
    .executeTakeFirst();
  return row?.story_id ?? null;
}

/** The title of the earliest item that is not withdrawn; null if all are. */
export async function readFirstTitle(database: Database, id: Id<'story'>): Promise<string | null> {
  const row = await database
    .selectFrom('record.item')
    .select('title')
    .where('story_id', '=', id)
    .where('withdrawn_at', 'is', null)
    .orderBy('timeline_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.title ?? null;
}

export async function readItemIds(database: Database, storyId: Id<'story'>): Promise<readonly Id<'item'>[]> {
  const rows = await database
    .selectFrom('record.item')
    .select('id')
    .where('story_id', '=', storyId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id as Id<'item'>);
}

export async function readUnwithdrawnItemIds(
  database: Database,
  storyId: Id<'story'>,
): Promise<ReadonlySet<Id<'item'>>> {
  const rows = await database
    .selectFrom('record.item')
    .select('id')
    .where('story_id', '=', storyId)
    .where('withdrawn_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id as Id<'item'>));
}

export async function setStoryOfItems(
  database: Database,
  itemIds: readonly Id<'item'>[],
  storyId: Id<'story'>,
): Promise<void> {
  if (itemIds.length === 0) return;
  await database
    .updateTable('record.item')
    .set({ story_id: storyId })
    .where('id', 'in', [...itemIds])
    .execute();
  await sql`
    UPDATE record.window_item AS shown SET story_id = ${storyId}
    FROM record.item
    WHERE item.id = ANY (${[...itemIds]}::uuid[])
      AND shown.id = item.id AND shown.discovered_at = item.discovered_at`.execute(database);
}

/** Stories whose pages show text of this story's items: itself and linked stories, which show its title. */
export async function readStoriesShowing(
  database: Database,
  storyId: Id<'story'> | null,
): Promise<readonly Id<'story'>[]> {
  if (storyId === null) return [];
  return [storyId, ...(await readLinkedAndMergedStoryIds(database, storyId))];
}

/** Stories that were merged into this one. */
export async function readMergedStoryIds(
  database: Database,
  storyId: Id<'story'>,
): Promise<readonly Id<'story'>[]> {
  const rows = await database
    .selectFrom('record.story')
    .select('id')
    .where('merged_into', '=', storyId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id as Id<'story'>);
}

/** Every story affected by a merge of this one: linked stories and those merged into it before. */
export async function readLinkedAndMergedStoryIds(
  database: Database,
  storyId: Id<'story'>,
): Promise<readonly Id<'story'>[]> {
  const { rows } = await sql<{ id: Id<'story'> }>`
    SELECT other_id AS id FROM record.story_link WHERE one_id = ${storyId}
    UNION SELECT one_id FROM record.story_link WHERE other_id = ${storyId}
    UNION SELECT id FROM record.story WHERE merged_into = ${storyId}`.execute(database);
  return rows.map(({ id }) => id);
}

/**
 * Redirects every id that led to the absorbed story directly to the survivor. The absorbed story retains no text: a later
 * withdrawal finds only the survivor.
 */
export async function redirectStory(
  database: Database,
  merge: { readonly absorbed: Id<'story'>; readonly survivor: Id<'story'>; readonly at: EpochMicroseconds },
): Promise<void> {
  const { absorbed, survivor } = merge;
  await sql`
    UPDATE record.story SET merged_into = ${survivor} WHERE merged_into = ${absorbed}`.execute(database);
  await sql`
    UPDATE record.story SET merged_into = ${survivor}, merged_at = ${toTimestamptz(merge.at)}, title = '',
      digest = NULL, other_digest = NULL, by_editor = '{}'
    WHERE id = ${absorbed}`.execute(database);
}

/** Stories that were merged into the absorbed one before lead to it again, unless they lead elsewhere by now. */
export async function reopenStory(
  database: Database,
  {
    id,
    survivorId,
    redirectedIds,
  }: {
    readonly id: Id<'story'>;
    readonly survivorId: Id<'story'>;
    readonly redirectedIds: readonly Id<'story'>[];
  },
): Promise<void> {
  await sql`UPDATE record.story SET merged_into = NULL, merged_at = NULL WHERE id = ${id}`.execute(database);
  await sql`
    UPDATE record.story SET merged_into = ${id}
    WHERE id = ANY(${[...redirectedIds]}::uuid[]) AND merged_into = ${survivorId}`.execute(database);
}
