import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { RecordView } from '../items/record-view.ts';
import { presentView } from '../items/record-view.ts';
import { independentSources } from '../items/voice-store.ts';
import type { TitlesByLanguage } from './story-words-store.ts';
import { titlesByLanguage } from './story-words-store.ts';

/** The context of an item: its source, other items of the same fact, and its story. */
export interface ItemContext {
  readonly source: {
    readonly id: Id<'source'>;
    readonly name: string;
    readonly homepageUrl: string | null;
    readonly firstParty: boolean;
  };
  readonly story: {
    readonly id: Id<'story'>;
    readonly title: string;
    readonly titles: TitlesByLanguage;
    readonly reportCount: number;
    readonly sourceCount: number;
  } | null;
  /** Other items of its reading group, oldest first. */
  readonly sameFact: readonly {
    readonly id: Id<'item'>;
    readonly title: string;
    readonly language: string | null;
    readonly sourceName: string;
    readonly discoveredAt: EpochMicroseconds;
  }[];
}

const sameFactMax = 20;

interface ContextRow {
  readonly source: ItemContext['source'];
  readonly story: ItemContext['story'];
  readonly same_fact: readonly (Omit<ItemContext['sameFact'][number], 'discoveredAt'> & {
    readonly discoveredAt: string;
  })[];
}

export async function readItemContext(
  database: Database,
  id: Id<'item'>,
  view: RecordView = presentView,
): Promise<ItemContext | null> {
  const own = sql.ref('story.id');
  const { rows } = await sql<ContextRow>`
    SELECT jsonb_build_object('id', source.id, 'name', source.name, 'homepageUrl', source.homepage_url,
        'firstParty', source.first_party) AS source,
      CASE WHEN story.id IS NOT NULL THEN jsonb_build_object('id', story.id, 'title', story.title,
        'titles', ${titlesByLanguage(own, view)}, 'reportCount', story.report_count, 'sourceCount', ${independentSources(own, view)}) END AS story,
      coalesce((
        SELECT jsonb_agg(to_jsonb(other)) FROM (
          SELECT i.id, i.title, i.language, s.name AS "sourceName", i.discovered_at::text AS "discoveredAt"
          FROM record.item i JOIN record.source s ON s.id = i.source_id
          WHERE i.group_id = item.group_id AND i.id <> item.id AND i.withdrawn_at IS NULL
            AND ${view.isPast(sql`i.discovered_at`)}
          ORDER BY i.timeline_at, i.id LIMIT ${sameFactMax}
        ) AS other
      ), '[]') AS same_fact
    FROM ${view.item(sql`${id}::uuid`)} AS item JOIN ${view.source(sql`item.source_id`)} AS source ON source.id = item.source_id
    LEFT JOIN ${view.story(sql`item.story_id`)} AS story ON story.id = item.story_id
    WHERE item.id = ${id}::uuid`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    source: row.source,
    story: row.story,
    sameFact: row.same_fact.map((other) => ({
      ...other,
      discoveredAt: fromTimestamptz(other.discoveredAt),
    })),
  };
}

/** When the newest item was received; null in an empty window. */
export async function readNewestItemAt(database: Database): Promise<EpochMicroseconds | null> {
  const row = await database
    .selectFrom('record.window_item')
    .select('discovered_at')
    .orderBy('discovered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : fromTimestamptz(row.discovered_at);
}
