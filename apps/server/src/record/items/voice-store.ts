import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { RecordView } from './record-view.ts';
import { presentView } from './record-view.ts';

/**
 * The owner that an item counts for: that of its source, or that of the text that it copies. Every count of independent
 * sources is a count of distinct voices. Names the aliases of `record.item` and of its `record.source`.
 */
export function voiceOf(item = 'item', source = 'source'): RawBuilder<string> {
  return sql`coalesce(${sql.ref(`${item}.voice`)}, ${sql.ref(`${source}.owner`)})`;
}

/** The number of independent sources of the items of a story that are not withdrawn. */
export function independentSources(
  storyId: RawBuilder<unknown>,
  view: RecordView = presentView,
): RawBuilder<number> {
  return sql`(
    SELECT count(DISTINCT ${voiceOf('voiced', 'origin_of_voice')})::integer
    FROM ${view.itemsOf(storyId)} AS voiced
    JOIN ${view.source(sql`voiced.source_id`)} AS origin_of_voice ON origin_of_voice.id = voiced.source_id
    WHERE voiced.story_id = ${storyId} AND voiced.withdrawn_at IS NULL)`;
}
