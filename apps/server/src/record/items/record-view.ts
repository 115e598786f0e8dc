import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/**
 * What the queries for readers read: the record as it is, or as it was at a moment. Each member stands in FROM or after
 * JOIN in place of its table, with the same columns, for rows that the query selects by the given id.
 */
export interface RecordView {
  /** Null: now. */
  readonly moment: EpochMicroseconds | null;
  readonly item: (id: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly itemsOf: (storyId: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly source: (id: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly story: (id: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly linksOf: (storyId: RawBuilder<unknown>) => RawBuilder<unknown>;
  /**
   * Whether the words of an item can be shown. An item that was withdrawn after the moment stood in the record and is
   * counted, but its words are gone for ever.
   */
  readonly hasWords: (item: string) => RawBuilder<boolean>;
  /** Prefix of a statement, so that it is prepared: under another name for the queries of earlier moments. */
  readonly prepared: (name: string) => RawBuilder<never>;
  /** Whether a row existed that was written at this time. */
  readonly isPast: (time: RawBuilder<unknown>) => RawBuilder<boolean>;
}

export const presentView: RecordView = {
  moment: null,
  item: () => sql`record.item`,
  itemsOf: () => sql`record.item`,
  source: () => sql`record.source`,
  story: () => sql`record.story`,
  linksOf: () => sql`record.story_link`,
  hasWords: () => sql`true`,
  prepared: preparedAs,
  isPast: () => sql`true`,
};

/** Composed from the present rows and what each revision since had differently (`record.log_content`). */
export function viewAt(moment: EpochMicroseconds): RecordView {
  const at = sql`${toTimestamptz(moment)}::timestamptz`;
  const itemsWhere = (condition: RawBuilder<unknown>) => sql`LATERAL (
    SELECT shown.* FROM record.item AS base ${revisionAt('item', at)} ${valuesAt('item')}
    CROSS JOIN LATERAL jsonb_populate_record(base, past.was ||
      CASE WHEN base.withdrawn_at > ${at} THEN '{"withdrawn_at": null}'::jsonb ELSE '{}' END) AS shown
    WHERE (${condition})
      AND (entry.revision IS NOT NULL OR entry.is_logged_from_start IS NOT TRUE AND base.discovered_at <= ${at}))`;
  const itemsOf = (storyId: RawBuilder<unknown>) =>
    itemsWhere(sql`base.id IN (
      SELECT id FROM record.item AS present WHERE present.story_id = ${storyId}
      UNION SELECT subject::uuid FROM record.log_content
      WHERE kind = 'item' AND was ? 'story_id' AND was ->> 'story_id' = (${storyId})::text)`);
  return {
    moment,
    item: (id) => itemsWhere(sql`base.id = ${id}`),
    itemsOf,
    source: (id) => sql`LATERAL (
      SELECT base.id, base.name, base.homepage_url, coalesce(former.owner, base.owner) AS owner,
        coalesce(former.first_party, base.first_party) AS first_party
      FROM record.source AS base
      LEFT JOIN LATERAL (
        SELECT owner, first_party FROM record.source_past
        WHERE source_id = base.id AND until > ${at} ORDER BY until LIMIT 1
      ) AS former ON true
      WHERE base.id = ${id})`,
    story: (id) => sql`LATERAL (
      SELECT shown.* FROM record.story AS base ${revisionAt('story', at)} ${valuesAt('story')}
      CROSS JOIN LATERAL (SELECT base.id) AS counting (story_id)
      CROSS JOIN LATERAL (
        SELECT jsonb_build_object('report_count', count(*), 'source_count', count(DISTINCT source_id),
          'first_report_at', min(timeline_at), 'latest_at', max(timeline_at)) AS counts
        FROM ${itemsOf(sql.ref('counting.story_id'))} AS counted
        WHERE counted.story_id = base.id AND counted.withdrawn_at IS NULL
      ) AS reports
      CROSS JOIN LATERAL jsonb_populate_record(base, past.was || reports.counts) AS shown
      WHERE base.id = ${id} AND (entry.revision IS NOT NULL OR entry.is_logged_from_start IS NOT TRUE))`,
    linksOf: (storyId) => sql`LATERAL (
      SELECT one_id, other_id, kind, strength FROM record.story_link
      WHERE ${storyId} IN (one_id, other_id) AND coalesce(since, '-infinity') <= ${at}
      UNION ALL
      SELECT one_id, other_id, kind, strength FROM record.story_link_past
      WHERE ${storyId} IN (one_id, other_id) AND coalesce(since, '-infinity') <= ${at} AND until > ${at})`,
    hasWords: (item) => sql`${sql.ref(`${item}.title`)} <> ''`,
    prepared: (name) => preparedAs(`${name}-at`),
    isPast: (time) => sql`${time} <= ${at}`,
  };
}

/** The newest revision at the moment; null: none, because it did not exist, or is from before the log. */
function revisionAt(kind: 'item' | 'story', at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CROSS JOIN LATERAL (
      SELECT max(revision) FILTER (WHERE log_entry.at <= ${at}) AS revision,
        bool_or(revision = 1 AND action IN ('published', 'opened', 'split')) AS is_logged_from_start
      FROM record.log_entry WHERE kind = ${sql.lit(kind)} AND subject = base.id::text
    ) AS entry`;
}

/** What that revision had differently from the present row. */
function valuesAt(kind: 'item' | 'story'): RawBuilder<unknown> {
  return sql`CROSS JOIN LATERAL (
      SELECT record.jsonb_merge(was ORDER BY revision DESC) AS was FROM record.log_content
      WHERE kind = ${sql.lit(kind)} AND subject = base.id::text AND revision >= coalesce(entry.revision, 0)
    ) AS past`;
}

/** The row of an item or a story as a revision of the public log described it. */
export function rowAtRevision(
  kind: 'item' | 'story',
  id: RawBuilder<unknown>,
  revision: number,
): RawBuilder<unknown> {
  return sql`LATERAL (
    SELECT shown.* FROM ${sql.ref(`record.${kind}`)} AS base
    CROSS JOIN LATERAL (SELECT ${revision}::integer AS revision) AS entry ${valuesAt(kind)}
    CROSS JOIN LATERAL jsonb_populate_record(base, past.was) AS shown
    WHERE base.id = ${id})`;
}
