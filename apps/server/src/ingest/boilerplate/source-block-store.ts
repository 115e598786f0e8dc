import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { ruleVersion } from './blocks.ts';

/** Paragraphs of a source that are stored: those on the most pages, then the newest. */
const blocksOfSourceMax = 600;
/** Entries of a paragraph that are stored: enough to count the stories. */
const entriesOfBlockMax = 8;
/** A paragraph on pages of this many stories is boilerplate. */
const storiesMin = 3;
const expiryDays = 60;

/** Counts the paragraphs of a page. Saving a page again changes nothing. */
export async function saveBlocks(
  database: Database,
  entryId: string,
  blocks: readonly string[],
  now: EpochMicroseconds,
): Promise<void> {
  if (blocks.length === 0) return;
  const at = toTimestamptz(now);
  await sql`
    INSERT INTO newsroom.source_block AS stored (source_id, rule_version, block, entries, last_seen_at)
    SELECT entry.source_id, ${ruleVersion}, decode(block, 'hex'), ARRAY[entry.id], ${at}
    FROM newsroom.entry CROSS JOIN unnest(${[...blocks]}::text[]) AS block
    WHERE entry.id = ${entryId} ORDER BY block
    ON CONFLICT (source_id, rule_version, block) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at,
      entries = CASE WHEN stored.entries @> EXCLUDED.entries OR cardinality(stored.entries) >= ${entriesOfBlockMax}
        THEN stored.entries ELSE stored.entries || EXCLUDED.entries END`.execute(database);
  await sql`
    DELETE FROM newsroom.source_block AS stored
    USING (
      SELECT source_id, rule_version, block, last_seen_at,
        row_number() OVER (ORDER BY rule_version = ${ruleVersion} DESC, cardinality(entries) DESC,
          last_seen_at DESC, block) AS place
      FROM newsroom.source_block
      WHERE source_id = (SELECT source_id FROM newsroom.entry WHERE id = ${entryId})
    ) AS ranked
    WHERE stored.source_id = ranked.source_id AND stored.rule_version = ranked.rule_version
      AND stored.block = ranked.block AND (ranked.place > ${blocksOfSourceMax}
        OR ranked.last_seen_at < ${at}::timestamptz - make_interval(days => ${expiryDays}))`.execute(
    database,
  );
}

/**
 * The hashes of repeated paragraphs by source. Pages of one story, such as its updates, count once; an entry that is not
 * published yet counts as a story of its own.
 */
export async function readRepeatedBlocks(
  database: Database,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (sourceIds.length === 0) return new Map();
  const { rows } = await sql<{ source_id: string; blocks: readonly string[] }>`
    SELECT source_id, array_agg(encode(block, 'hex')) AS blocks FROM newsroom.source_block
    WHERE source_id = ANY(${[...new Set(sourceIds)]}::uuid[]) AND rule_version = ${ruleVersion}
      AND cardinality(entries) >= ${storiesMin}
      AND ${storiesMin} <= (
        SELECT count(DISTINCT coalesce(item.story_id, entry_id))
        FROM unnest(entries) AS entry_id LEFT JOIN record.item ON item.id = entry_id)
    GROUP BY source_id`.execute(database);
  return new Map(rows.map(({ source_id: id, blocks }) => [id, new Set(blocks)]));
}
