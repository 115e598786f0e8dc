import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readRepeatedBlocks, withoutBlocks } from '../../ingest/boilerplate/index.ts';
import { items as recordItems } from '../../record/index.ts';
import type { Digest } from '../copy/digest/index.ts';

/** Due at this time, or earlier if they were due before. */
export async function requestDigests(
  database: Database,
  storyIds: readonly Id<'story'>[],
  dueAt: EpochMicroseconds,
): Promise<void> {
  const ids = [...new Set(storyIds)].sort();
  if (ids.length === 0) return;
  await sql`${preparedAs('request-digests')}
    INSERT INTO newsroom.story_digest AS digest (story_id, due_at)
    SELECT id, ${toTimestamptz(dueAt)}::timestamptz FROM unnest(${ids}::uuid[]) AS story (id)
    ON CONFLICT (story_id) DO UPDATE SET due_at = least(digest.due_at, excluded.due_at)`.execute(database);
}

/** Digests that were deleted because an item left, and digests that were never requested. */
export async function requestMissingDigests(
  database: Database,
  now: EpochMicroseconds,
  countMax: number,
): Promise<void> {
  await sql`
    INSERT INTO newsroom.story_digest AS known (story_id, due_at)
    SELECT story.id, ${toTimestamptz(now)}
    FROM record.story LEFT JOIN newsroom.story_digest AS digest ON digest.story_id = story.id
    WHERE story.digest IS NULL AND story.merged_into IS NULL AND story.source_count >= 2
      AND (digest.story_id IS NULL OR (digest.written AND digest.due_at IS NULL))
    ORDER BY story.id LIMIT ${countMax}
    ON CONFLICT (story_id) DO UPDATE SET due_at = coalesce(known.due_at, excluded.due_at)`.execute(database);
}

/** A digest in progress: due again at `dueAt` if it is not finished. */
export interface ClaimedDigest {
  readonly storyId: Id<'story'>;
  readonly dueAt: string;
}

/** Due digests, each assigned to one run, which marks it when it is done. */
export async function claimDueDigests(
  transaction: Transaction<DB>,
  now: EpochMicroseconds,
  { countMax, dueAgainAt }: { readonly countMax: number; readonly dueAgainAt: EpochMicroseconds },
): Promise<readonly ClaimedDigest[]> {
  const { rows } = await sql<ClaimedDigest>`
    UPDATE newsroom.story_digest SET due_at = ${toTimestamptz(dueAgainAt)}, written = false
    WHERE story_id IN (
      SELECT story_id FROM newsroom.story_digest WHERE due_at <= ${toTimestamptz(now)}
      ORDER BY due_at LIMIT ${countMax} FOR UPDATE SKIP LOCKED)
    RETURNING story_id AS "storyId", due_at AS "dueAt"`.execute(transaction);
  return rows;
}

/** Clears the due time, unless another request came since the claim. */
export async function finishDigest(
  database: Database,
  { storyId, dueAt }: ClaimedDigest,
  written: boolean,
): Promise<void> {
  await sql`
    UPDATE newsroom.story_digest
    SET due_at = CASE WHEN due_at = ${dueAt}::timestamptz THEN NULL ELSE due_at END, written = ${written}, failures = 0
    WHERE story_id = ${storyId}`.execute(database);
}

/** Due again, later each time. */
export async function postponeDigest(
  database: Database,
  storyId: Id<'story'>,
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    UPDATE newsroom.story_digest SET failures = failures + 1,
      due_at = ${toTimestamptz(now)}::timestamptz + least(interval '1 day', interval '1 minute' * 2 ^ least(failures, 12))
    WHERE story_id = ${storyId}`.execute(database);
}

/** An item as input of a digest. Serializable as JSON. */
export interface ItemToDigest {
  readonly id: Id<'item'>;
  readonly sourceName: string;
  readonly owner: string;
  /** Absent if a run of release 0.1 read it. */
  readonly voice?: string;
  readonly firstParty: boolean;
  readonly tier: 1 | 2 | 3 | 4;
  /** Of its publisher. */
  readonly title: string;
  /** As readers see it. Absent if a run of release 0.1 read it. */
  readonly headline?: string;
  readonly text: string;
  readonly language: string;
  /** Microseconds, in digits. */
  readonly received: string;
}

export interface StoryToDigest {
  readonly title: string;
  /** In the language of the title. */
  readonly digest: Digest | null;
  readonly otherDigest: Digest | null;
  /** The parts that an editor wrote. Absent if a run of an earlier release read it. */
  readonly byEditor?: readonly string[];
  /** Changes with the set of its items and with the text of each. */
  readonly version: string;
  readonly items: readonly ItemToDigest[];
}

/** The first and the newest items that are not withdrawn, with their publishers' text if stored. Null: unknown story. */
export async function readStoryToDigest(
  database: Database,
  storyId: Id<'story'>,
  bounds: { readonly itemsMax: number; readonly textCharsMax: number },
): Promise<StoryToDigest | null> {
  const { rows } = await sql<
    Omit<StoryToDigest, 'items'> & { items: readonly (ItemToDigest & { sourceId: string })[] }
  >`
    SELECT story.title, story.digest, story.other_digest AS "otherDigest", story.by_editor AS "byEditor",
      ${itemsVersion} AS version,
      coalesce((
        SELECT jsonb_agg(to_jsonb(item)) FROM (
          SELECT item.id, item.source_id AS "sourceId", source.name AS "sourceName", source.owner,
            ${recordItems.voiceOf()} AS voice, source.first_party AS "firstParty",
            coalesce(origin.tier, 3) AS tier,
            coalesce(entry.title, item.title) AS title, item.title AS headline,
            left(coalesce(entry.text, item.summary), ${bounds.textCharsMax}) AS text,
            coalesce(CASE WHEN entry.id IS NULL THEN item.language ELSE entry.language END, 'en') AS language,
            (extract(epoch FROM item.discovered_at) * 1000000)::bigint::text AS received
          FROM record.item JOIN record.source ON source.id = item.source_id
          LEFT JOIN newsroom.entry ON entry.id = item.id
          LEFT JOIN newsroom.source AS origin ON origin.id = item.source_id
          WHERE item.id IN (
            (SELECT id FROM record.item AS newest WHERE newest.story_id = story.id AND newest.withdrawn_at IS NULL
             ORDER BY newest.discovered_at DESC, newest.id DESC LIMIT ${bounds.itemsMax - 1})
            UNION ALL
            (SELECT id FROM record.item AS first WHERE first.story_id = story.id AND first.withdrawn_at IS NULL
             ORDER BY first.discovered_at, first.id LIMIT 1))
          ORDER BY item.discovered_at DESC, item.id DESC
        ) AS item
      ), '[]') AS items
    FROM record.story WHERE story.id = ${storyId} AND story.merged_into IS NULL`.execute(database);
  const [story] = rows;
  if (story === undefined) return null;
  const repeated = await readRepeatedBlocks(
    database,
    story.items.map(({ sourceId }) => sourceId),
  );
  return {
    ...story,
    items: story.items.map(({ sourceId, ...item }) => ({
      ...item,
      text: withoutBlocks(item.text, repeated.get(sourceId) ?? new Set()),
    })),
  };
}

export interface TextSalt {
  readonly id: string;
  readonly revision: number;
  readonly salt: Buffer;
}

/** The salt of the first revision of each item in the public log whose words are not erased. */
export async function readTextSalts(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TextSalt>> {
  const { rows } = await sql<TextSalt>`
    SELECT DISTINCT ON (subject) subject AS id, revision, salt FROM record.log_content
    WHERE kind = 'item' AND subject = ANY (${[...ids]}::text[]) AND salt IS NOT NULL
    ORDER BY subject, revision`.execute(database);
  return new Map(rows.map((row) => [row.id, row]));
}

const itemsVersion = sql`(
  SELECT md5(coalesce(string_agg(concat(item.id, item.revised_at), ' ' ORDER BY item.id), ''))
  FROM record.item WHERE item.story_id = story.id AND item.withdrawn_at IS NULL)`;

export async function readItemsVersion(database: Database, storyId: Id<'story'>): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`
    SELECT ${itemsVersion} AS version FROM record.story WHERE story.id = ${storyId}`.execute(database);
  return rows[0]?.version ?? null;
}
