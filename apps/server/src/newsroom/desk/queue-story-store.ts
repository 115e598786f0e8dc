import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import type { QueueEntry, QueueQuery } from './queue-entry.ts';
import { isDismissed, isoOf } from './queue-entry.ts';

/** Likelihoods at which the rules of grouping are often wrong: also those of the index `story_decision_doubtful`. */
const isDoubtful = sql`
  kind IN ('open', 'join') AND (detail -> 'verdicts' -> 0 ->> 'likelihood')::float8 BETWEEN 0.35 AND 0.6`;

/**
 * A decision of grouping about an item, if it was doubtful and the item is still where it was placed: until a person
 * dismisses this doubt, or separates the two stories.
 */
const openDoubt = sql`
  item.withdrawn_at IS NULL AND (doubtful.kind = 'join') = (item.story_id = other.id)
  AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS seen
    WHERE seen.subject = item.id::text AND coalesce(seen.detail ->> 'other', other.id::text) = other.id::text
      AND ${isDismissed})
  AND NOT EXISTS (SELECT FROM newsroom.story_decision AS split
    WHERE split.kind = 'split' AND ((split.story_id = item.story_id AND split.other_story_id = other.id)
      OR (split.story_id = other.id AND split.other_story_id = item.story_id)))`;

/** Items that opened a story although another one was likely, or joined one that was not; newest first. */
export async function listDoubtfulGroupings(
  database: Database,
  { after, storyId, countMax }: QueueQuery,
): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    SELECT 'grouping' AS kind, item.id, doubtful.id::text AS cursor, true AS "isPublished", item.title,
      source.name AS "sourceName", item.original_url AS url, ${isoOf('item.discovered_at')} AS at,
      ARRAY[]::text[] AS evidence, NULL AS until,
      jsonb_build_object('joined', doubtful.kind = 'join', 'storyId', item.story_id, 'otherId', other.id,
        'otherTitle', other.title, 'likelihood', (doubtful.detail -> 'verdicts' -> 0 ->> 'likelihood')::float8)
        AS grouping, NULL AS alert
    FROM newsroom.story_decision AS doubtful JOIN record.item ON item.id = doubtful.item_id
    JOIN record.source ON source.id = item.source_id
    JOIN record.story AS other
      ON other.id = (doubtful.detail -> 'verdicts' -> 0 ->> 'storyId')::uuid AND other.merged_into IS NULL
    WHERE ${isDoubtful} AND ${openDoubt}
      AND (${storyId ?? null}::uuid IS NULL OR item.story_id = ${storyId ?? null}::uuid)
      AND (${after ?? null}::bigint IS NULL OR doubtful.id < ${after ?? null}::bigint)
    ORDER BY doubtful.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/** Null if its grouping is not doubtful, or a person has decided. */
export async function findDoubtfulGrouping(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
): Promise<{ readonly otherId: Id<'story'> } | null> {
  const { rows } = await sql<{ otherId: Id<'story'> }>`
    SELECT other.id AS "otherId" FROM newsroom.story_decision AS doubtful
    JOIN record.item ON item.id = doubtful.item_id
    JOIN record.story AS other
      ON other.id = (doubtful.detail -> 'verdicts' -> 0 ->> 'storyId')::uuid AND other.merged_into IS NULL
    WHERE doubtful.item_id = ${itemId} AND ${isDoubtful} AND ${openDoubt}
    ORDER BY doubtful.id DESC LIMIT 1`.execute(transaction);
  return rows[0] ?? null;
}

/** The items that the contradictions of a digest are about. */
const contradicting = sql`
  (jsonb_path_query_array(story.digest, '$.contradictions[*].earlier[*]')
    || jsonb_path_query_array(story.digest, '$.contradictions[*].later[*]'))`;
/** The condition of the index `story_contradicted`; a dismissal is about certain items. */
const isContradicted = sql`
  story.merged_into IS NULL AND jsonb_array_length(story.digest -> 'contradictions') > 0
  AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS seen
    WHERE seen.subject = story.id::text AND seen.detail -> 'about' @> ${contradicting} AND ${isDismissed})`;

/** Contradictions of older stories need no person. */
const contradictedForMs = 14 * dayMs;

/** Stories whose reports state different amounts, newest first. */
export async function listContradictions(
  database: Database,
  { now, after, countMax }: QueueQuery,
): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    SELECT 'contradiction' AS kind, story.id, story.id AS cursor, true AS "isPublished", story.title,
      NULL AS "sourceName", NULL AS url, ${isoOf('story.latest_at')} AS at,
      ARRAY(SELECT jsonb_path_query(story.digest, '$.contradictions[*].statement') #>> '{}') AS evidence,
      NULL AS until, NULL AS grouping, NULL AS alert
    FROM record.story
    WHERE ${isContradicted}
      AND story.latest_at >= ${toTimestamptz(addMs(now, -contradictedForMs))}::timestamptz
      AND (${after ?? null}::uuid IS NULL OR story.id < ${after ?? null}::uuid)
    ORDER BY story.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/** The items of its contradictions; null if it has none that a person has not dismissed. */
export async function findContradiction(
  transaction: Transaction<DB>,
  storyId: Id<'story'>,
): Promise<readonly string[] | null> {
  const { rows } = await sql<{ about: string[] }>`
    SELECT ${contradicting} AS about FROM record.story WHERE story.id = ${storyId} AND ${isContradicted}`.execute(
    transaction,
  );
  return rows[0]?.about ?? null;
}
