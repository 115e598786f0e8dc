import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Digest } from '../copy/digest/index.ts';

/** Due at this time, or earlier where it was due before. */
export async function requestDigest(
  database: Database,
  storyId: Id<'story'>,
  dueAt: EpochMicroseconds,
): Promise<void> {
  const due = toTimestamptz(dueAt);
  await sql`
    INSERT INTO newsroom.story_digest AS digest (story_id, due_at) VALUES (${storyId}, ${due})
    ON CONFLICT (story_id) DO UPDATE SET due_at = least(digest.due_at, excluded.due_at)`.execute(database);
}

/** Those that have lost their digest because a report left, and those that nobody has asked for. */
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

/** Whoever takes them writes them: they are due again when something changes. */
export async function takeDueDigests(
  transaction: Transaction<DB>,
  now: EpochMicroseconds,
  countMax: number,
): Promise<readonly Id<'story'>[]> {
  const { rows } = await sql<{ story_id: Id<'story'> }>`
    UPDATE newsroom.story_digest SET due_at = NULL, written = false
    WHERE story_id IN (
      SELECT story_id FROM newsroom.story_digest WHERE due_at <= ${toTimestamptz(now)}
      ORDER BY due_at LIMIT ${countMax} FOR UPDATE SKIP LOCKED)
    RETURNING story_id`.execute(transaction);
  return rows.map(({ story_id }) => story_id);
}

export async function markDigestWritten(database: Database, storyId: Id<'story'>): Promise<void> {
  await database
    .updateTable('newsroom.story_digest')
    .set({ written: true })
    .where('story_id', '=', storyId)
    .execute();
}

/** A report as a digest is made from it. Survives JSON. */
export interface ReportToDigest {
  readonly id: Id<'item'>;
  readonly sourceName: string;
  readonly owner: string;
  readonly firstParty: boolean;
  readonly tier: 1 | 2 | 3 | 4;
  readonly title: string;
  readonly text: string;
  readonly language: string;
  /** Microseconds, in digits. */
  readonly received: string;
}

export interface StoryToDigest {
  readonly title: string;
  readonly digest: Digest | null;
  /** Changes with the set of its reports and with the words of each. */
  readonly version: string;
  readonly reports: readonly ReportToDigest[];
}

/** The newest reports that stand, with what their publishers wrote, as far as the newsroom has it. Null: no such story. */
export async function readStoryToDigest(
  database: Database,
  storyId: Id<'story'>,
  bounds: { readonly reportsMax: number; readonly textCharsMax: number },
): Promise<StoryToDigest | null> {
  const { rows } = await sql<StoryToDigest>`
    SELECT story.title, story.digest, ${reportsVersion} AS version,
      coalesce((
        SELECT jsonb_agg(to_jsonb(report)) FROM (
          SELECT item.id, source.name AS "sourceName", source.owner, source.first_party AS "firstParty",
            coalesce(origin.tier, 3) AS tier,
            coalesce(entry.title, item.title) AS title,
            left(coalesce(entry.text, item.summary), ${bounds.textCharsMax}) AS text,
            coalesce(CASE WHEN entry.id IS NULL THEN item.language ELSE entry.language END, 'en') AS language,
            (extract(epoch FROM item.discovered_at) * 1000000)::bigint::text AS received
          FROM record.item JOIN record.source ON source.id = item.source_id
          LEFT JOIN newsroom.entry ON entry.id = item.id
          LEFT JOIN newsroom.source AS origin ON origin.id = item.source_id
          WHERE item.story_id = story.id AND item.withdrawn_at IS NULL
          ORDER BY item.discovered_at DESC, item.id DESC LIMIT ${bounds.reportsMax}
        ) AS report
      ), '[]') AS reports
    FROM record.story WHERE story.id = ${storyId} AND story.merged_into IS NULL`.execute(database);
  return rows[0] ?? null;
}

const reportsVersion = sql`(
  SELECT md5(coalesce(string_agg(concat(item.id, item.revised_at), ' ' ORDER BY item.id), ''))
  FROM record.item WHERE item.story_id = story.id AND item.withdrawn_at IS NULL)`;

export async function readReportsVersion(database: Database, storyId: Id<'story'>): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`
    SELECT ${reportsVersion} AS version FROM record.story WHERE story.id = ${storyId}`.execute(database);
  return rows[0]?.version ?? null;
}
