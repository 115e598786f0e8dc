import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import { isHeldByEditor } from '../publication/entry-hold-store.ts';

/** Why an entry of the queue needs a person. */
export const queueKinds = ['instruction', 'failed', 'held', 'grouping'] as const;
export type QueueKind = (typeof queueKinds)[number];

export interface QueueEntry {
  readonly kind: QueueKind;
  /** Of the entry and, once published, of its item. */
  readonly id: Id<'item'>;
  readonly isPublished: boolean;
  readonly title: string;
  readonly sourceName: string;
  readonly url: string;
  /** ISO 8601. */
  readonly at: string;
  /** What was removed from the text, why publication failed, or why an editor holds the entry. */
  readonly evidence: readonly string[];
  /** Of a held entry with an embargo. ISO 8601. */
  readonly until: string | null;
  /** Of a doubtful grouping: the two stories, and how likely they are one event. */
  readonly grouping: {
    readonly joined: boolean;
    readonly storyId: Id<'story'> | null;
    readonly otherId: Id<'story'>;
    readonly otherTitle: string;
    readonly likelihood: number;
  } | null;
}

/** Likelihoods at which the rules of grouping are often wrong. */
const greyZone = { from: 0.35, to: 0.6 } as const;
/** The newest decisions of grouping that are searched: about two days of 200 sources. */
const decisionsMax = 5_000;

const isoOf = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Newest first. */
export async function listQueue(
  database: Database,
  kind: QueueKind,
  countMax: number,
): Promise<readonly QueueEntry[]> {
  return kind === 'grouping'
    ? listDoubtfulGroupings(database, countMax)
    : listEntries(database, kind, countMax);
}

async function listEntries(
  database: Database,
  kind: Exclude<QueueKind, 'grouping'>,
  countMax: number,
): Promise<readonly QueueEntry[]> {
  const condition = {
    instruction: sql`NOT ${isHeldByEditor} AND review.decision IS NULL
      AND (review.entry_id IS NOT NULL OR entry.outcome = 'held')`,
    failed: sql`entry.outcome = 'failed' AND NOT ${isHeldByEditor}`,
    held: sql`hold.state = 'held'`,
  }[kind];
  const evidence = {
    instruction: sql`coalesce(review.removed, ARRAY[btrim(entry.title)])`,
    failed: sql`ARRAY[coalesce(entry.outcome_reason, '')]`,
    held: sql`ARRAY[coalesce(entry.outcome_reason, '')]`,
  }[kind];
  const { rows } = await sql<QueueEntry>`
    SELECT ${kind}::text AS kind, entry.id, EXISTS (SELECT FROM record.item WHERE item.id = entry.id) AS "isPublished",
      entry.title, source.name AS "sourceName", entry.url, ${isoOf('entry.discovered_at')} AS at,
      ${evidence} AS evidence, ${isoOf('hold.until')} AS until, NULL AS grouping
    FROM newsroom.entry JOIN newsroom.source ON source.id = entry.source_id
    LEFT JOIN newsroom.entry_review AS review ON review.entry_id = entry.id
    LEFT JOIN newsroom.entry_hold AS hold ON hold.entry_id = entry.id
    WHERE entry.withdrawn_at IS NULL AND ${condition}
    ORDER BY entry.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/**
 * The newest decision of grouping about an item, if it was doubtful and the item is still where it was placed: until a
 * person dismisses this doubt, or separates the two stories.
 */
const openDoubt = sql`
  item.withdrawn_at IS NULL AND (doubtful.kind = 'join') = (item.story_id = other.id)
  AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS seen
    WHERE seen.subject = item.id::text AND seen.action = 'dismiss'
      AND coalesce(seen.detail ->> 'other', other.id::text) = other.id::text
      AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS undo WHERE undo.undoes = seen.id))
  AND NOT EXISTS (SELECT FROM newsroom.story_decision AS split
    WHERE split.kind = 'split' AND ((split.story_id = item.story_id AND split.other_story_id = other.id)
      OR (split.story_id = other.id AND split.other_story_id = item.story_id)))`;

/** Items that opened a story although another one was likely, or joined one that was not. */
async function listDoubtfulGroupings(database: Database, countMax: number): Promise<readonly QueueEntry[]> {
  const { rows } = await sql<QueueEntry>`
    WITH recent AS (
      SELECT id, kind, item_id, detail->'verdicts'->0 AS verdict FROM newsroom.story_decision
      ORDER BY id DESC LIMIT ${decisionsMax}),
    doubtful AS (
      SELECT DISTINCT ON (recent.item_id) recent.*, (verdict->>'likelihood')::float8 AS likelihood,
        (verdict->>'storyId')::uuid AS other_id
      FROM recent WHERE kind IN ('open', 'join')
        AND (verdict->>'likelihood')::float8 BETWEEN ${greyZone.from} AND ${greyZone.to}
      ORDER BY recent.item_id, recent.id DESC)
    SELECT 'grouping' AS kind, item.id, true AS "isPublished", item.title, source.name AS "sourceName",
      item.original_url AS url, ${isoOf('item.discovered_at')} AS at, ARRAY[]::text[] AS evidence, NULL AS until,
      jsonb_build_object('joined', doubtful.kind = 'join', 'storyId', item.story_id, 'otherId', other.id,
        'otherTitle', other.title, 'likelihood', doubtful.likelihood) AS grouping
    FROM doubtful JOIN record.item ON item.id = doubtful.item_id
    JOIN record.source ON source.id = item.source_id
    JOIN record.story AS other ON other.id = doubtful.other_id AND other.merged_into IS NULL
    WHERE ${openDoubt}
    ORDER BY doubtful.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/** Null if its grouping is not doubtful, or a person has decided. */
export async function findDoubtfulGrouping(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
): Promise<{ readonly otherId: Id<'story'> } | null> {
  const { rows } = await sql<{ otherId: Id<'story'> }>`
    WITH doubtful AS (
      SELECT id, kind, item_id, (detail->'verdicts'->0->>'storyId')::uuid AS other_id FROM newsroom.story_decision
      WHERE item_id = ${itemId} AND kind IN ('open', 'join')
        AND (detail->'verdicts'->0->>'likelihood')::float8 BETWEEN ${greyZone.from} AND ${greyZone.to}
      ORDER BY id DESC LIMIT 1)
    SELECT other.id AS "otherId" FROM doubtful JOIN record.item ON item.id = doubtful.item_id
    JOIN record.story AS other ON other.id = doubtful.other_id AND other.merged_into IS NULL
    WHERE ${openDoubt}`.execute(transaction);
  return rows[0] ?? null;
}

/** How many entries of each kind wait, up to a limit. */
export async function countQueue(
  database: Database,
  countMax: number,
): Promise<Readonly<Record<QueueKind, number>>> {
  const counts = await Promise.all(
    queueKinds.map(async (kind) => [kind, (await listQueue(database, kind, countMax)).length] as const),
  );
  return Object.fromEntries(counts) as Record<QueueKind, number>;
}
