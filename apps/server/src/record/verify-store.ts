import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { bodyVersion } from './items/item-body.ts';
import { windowStart } from './items/item.ts';
import { partitionsRetained, utcDay } from './items/window-store.ts';
import { storyLinksMax } from './stories/story.ts';

/** One invariant of the record and a query for rows that violate it. */
export interface InvariantQuery {
  readonly name: string;
  readonly promise: string;
  readonly offenders: (now: EpochMicroseconds) => RawBuilder<{ offender: string }>;
}

const editionQueries: readonly InvariantQuery[] = [
  {
    name: 'edition-citation',
    promise: 'no current edition cites or uses a withdrawn item in any language',
    offenders: () => sql`
      SELECT concat_ws(' ', edition.kind, edition.period, item.id) AS offender
      FROM record.edition JOIN record.edition_revision AS revision USING (kind, period, revision)
      CROSS JOIN LATERAL (
        SELECT item_id FROM record.edition_citation AS citation
        WHERE (citation.kind, citation.period, citation.revision) = (edition.kind, edition.period, edition.revision)
        UNION SELECT item_id FROM record.edition_report AS report
        WHERE (report.kind, report.period, report.revision) = (edition.kind, edition.period, edition.revision)
        UNION SELECT unnest(version.headline_cites || version.overview_cites)
        FROM record.edition_version AS version
        WHERE (version.kind, version.period, version.revision) = (edition.kind, edition.period, edition.revision)
        UNION SELECT unnest(headline_cites || overview_cites)
      ) AS cited
      LEFT JOIN record.item ON item.id = cited.item_id
      WHERE item.id IS NULL OR item.withdrawn_at IS NOT NULL`,
  },
  {
    name: 'edition-revision',
    promise: 'every edition shows its newest revision',
    offenders: () => sql`
      SELECT concat_ws(' ', kind, period) AS offender FROM record.edition
      WHERE revision IS DISTINCT FROM (
        SELECT max(revision.revision) FROM record.edition_revision AS revision
        WHERE (revision.kind, revision.period) = (edition.kind, edition.period))`,
  },
  {
    name: 'edition-section',
    promise: 'every citation belongs to a section of its revision or to the flashes',
    offenders: () => sql`
      SELECT concat_ws(' ', kind, period, revision, item_id) AS offender
      FROM record.edition_citation JOIN record.edition_revision USING (kind, period, revision)
      WHERE section IS NOT NULL AND NOT sections @> jsonb_build_array(jsonb_build_object('key', section))`,
  },
];

const storyQueries: readonly InvariantQuery[] = [
  {
    name: 'story-merge',
    promise: 'every merged id reaches a survivor directly',
    offenders: () => sql`
      SELECT story.id::text AS offender FROM record.story
      JOIN record.story AS survivor ON survivor.id = story.merged_into
      WHERE survivor.merged_into IS NOT NULL`,
  },
  {
    name: 'story-absorbed',
    promise: 'a merged story has no title, reports, digest or links',
    offenders: () => sql`
      SELECT story.id::text AS offender FROM record.story
      WHERE merged_into IS NOT NULL AND (title <> '' OR digest IS NOT NULL OR other_digest IS NOT NULL
        OR EXISTS (SELECT FROM record.item WHERE story_id = story.id)
        OR EXISTS (SELECT FROM record.story_link WHERE story.id IN (one_id, other_id)))`,
  },
  {
    name: 'story-links',
    promise: `a story has at most ${storyLinksMax} links to others`,
    offenders: () => sql`
      SELECT id::text AS offender FROM (
        SELECT one_id AS id FROM record.story_link UNION ALL SELECT other_id FROM record.story_link
      ) AS linked GROUP BY id HAVING count(*) > ${storyLinksMax}`,
  },
  {
    name: 'story-count',
    promise: 'counts and times of a story match its reports that are not withdrawn',
    offenders: () => sql`
      SELECT story.id::text AS offender FROM record.story
      LEFT JOIN (
        SELECT story_id, count(*) AS reports, count(DISTINCT source_id) AS sources,
          min(timeline_at) AS first, max(timeline_at) AS latest
        FROM record.item WHERE withdrawn_at IS NULL GROUP BY story_id
      ) AS counted ON counted.story_id = story.id
      WHERE (report_count, source_count) IS DISTINCT FROM (coalesce(reports, 0), coalesce(sources, 0))
        OR first_report_at IS DISTINCT FROM first OR latest_at IS DISTINCT FROM latest`,
  },
  {
    name: 'story-digest',
    promise: 'a digest cites only items of its story that are not withdrawn',
    offenders: () => sql`
      SELECT concat_ws(' ', story.id, cited.id) AS offender
      FROM record.story
      CROSS JOIN LATERAL unnest(ARRAY[story.digest, story.other_digest]) AS written (digest)
      CROSS JOIN LATERAL (
        SELECT jsonb_path_query(written.digest, '$.sentences[*].cites[*]') #>> '{}' AS id
        UNION SELECT jsonb_path_query(written.digest, '$.contradictions[*].earlier[*]') #>> '{}'
        UNION SELECT jsonb_path_query(written.digest, '$.contradictions[*].later[*]') #>> '{}'
      ) AS cited
      LEFT JOIN record.item ON item.id::text = cited.id
      WHERE written.digest IS NOT NULL
        AND (item.id IS NULL OR item.withdrawn_at IS NOT NULL OR item.story_id IS DISTINCT FROM story.id)`,
  },
];

const groupQueries: readonly InvariantQuery[] = [
  {
    name: 'group-appearance',
    promise: 'a reading group starts with its earliest item that is not withdrawn',
    offenders: () => sql`
      SELECT grouped.id::text AS offender FROM record.reading_group AS grouped
      JOIN (
        SELECT group_id, min(timeline_at) AS first FROM record.item WHERE withdrawn_at IS NULL GROUP BY group_id
      ) AS counted ON counted.group_id = grouped.id
      WHERE first_appeared_at <> first`,
  },
  {
    name: 'group-representative',
    promise: 'a reading group’s representative is its selected item, and nothing else is selected',
    offenders: () => sql`
      SELECT coalesce(grouped.id, item.group_id)::text AS offender
      FROM (SELECT id, representative_id FROM record.reading_group WHERE representative_id IS NOT NULL) AS grouped
      FULL JOIN (SELECT id, group_id FROM record.item WHERE selected) AS item
        ON item.group_id = grouped.id AND item.id = grouped.representative_id
      WHERE grouped.id IS NULL OR item.id IS NULL`,
  },
  {
    name: 'withdrawn-text',
    promise: 'the text of withdrawn items is deleted',
    offenders: () => sql`
      SELECT id::text AS offender FROM record.item
      WHERE withdrawn_at IS NOT NULL
        AND (title <> '' OR original_title IS NOT NULL OR summary <> '' OR original_url <> ''
          OR reason IS NOT NULL OR body IS NOT NULL)`,
  },
];

const windowQueries: readonly InvariantQuery[] = [
  {
    name: 'window-archive',
    promise: 'every window row is in the archive with the same body and story',
    offenders: () => sql`
      SELECT shown.id::text AS offender FROM record.window_item AS shown
      LEFT JOIN record.item USING (id)
      WHERE item.id IS NULL OR item.withdrawn_at IS NOT NULL OR shown.discovered_at <> item.discovered_at
        OR (shown.body, shown.category, shown.selected, shown.story_id)
          IS DISTINCT FROM (item.body, item.category, item.selected, item.story_id)
        OR (item.body_version = ${bodyVersion}
          AND (shown.source_id, shown.language) IS DISTINCT FROM (item.source_id, split_part(item.language, '-', 1)))`,
  },
  {
    name: 'window-key',
    promise:
      'every window row sorts where its item and reading group say, never later than it was discovered',
    offenders: () => sql`
      SELECT shown.id::text AS offender FROM record.window_item AS shown
      JOIN record.item USING (id) JOIN record.reading_group AS grouped ON grouped.id = item.group_id
      WHERE published_key <> coalesce(item.published_at, item.discovered_at)
        OR timeline_key <> CASE WHEN item.selected THEN grouped.first_appeared_at ELSE item.timeline_at END
        OR greatest(timeline_key, published_key) > shown.discovered_at`,
  },
  {
    name: 'window-complete',
    promise: 'every item of the last eight days that is not withdrawn has a window row',
    offenders: (now) => sql`
      SELECT item.id::text AS offender FROM record.item
      WHERE withdrawn_at IS NULL AND item.discovered_at > ${toTimestamptz(windowStart(now))}
        AND NOT EXISTS (SELECT FROM record.window_item AS shown
          WHERE shown.id = item.id AND shown.discovered_at = item.discovered_at)`,
  },
  {
    name: 'window-partition',
    promise: 'every day of the window and tomorrow have a partition',
    offenders: (now) => sql`
      SELECT to_char(day, 'YYYY-MM-DD') AS offender
      FROM (SELECT ${utcDay(now)}::date - ${partitionsRetained}::integer + n AS day
        FROM generate_series(0, ${partitionsRetained}::integer + 1) AS n) AS days
      WHERE NOT EXISTS (
        SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'record.window_item'::regclass
          AND relname = 'window_item_' || to_char(day, 'YYYYMMDD'))`,
  },
];

const ledgerQueries: readonly InvariantQuery[] = [
  {
    name: 'ledger-position',
    promise: 'no position is beyond the head of the ledger, and no change is newer than its last change',
    offenders: () => sql`
      SELECT entry.item_id::text AS offender FROM record.ledger_entry AS entry, record.ledger_head AS head
      WHERE entry.position NOT BETWEEN 1 AND head.position OR entry.changed_at > head.changed_at`,
  },
  {
    name: 'ledger-entry',
    promise: 'the ledger and the selected set contain the same items',
    offenders: () => sql`
      SELECT coalesce(item.id, entry.item_id)::text AS offender
      FROM (SELECT id FROM record.item WHERE selected) AS item
      FULL JOIN (SELECT item_id FROM record.ledger_entry WHERE NOT removed) AS entry ON entry.item_id = item.id
      WHERE item.id IS NULL OR entry.item_id IS NULL`,
  },
];

const logQueries: readonly InvariantQuery[] = [
  {
    name: 'log-place',
    promise: 'the places of the public log are complete, from 0 to its size',
    offenders: () => sql`
      SELECT concat_ws(' ', size, 'leaves, of the entries themselves', places, last) AS offender
      FROM record.log_head, (
        SELECT count(leaf_index) AS places, coalesce(max(leaf_index) + 1, 0) AS last FROM record.log_entry) AS counted
      WHERE size <> places OR size <> last`,
  },
  {
    name: 'log-salt',
    promise: 'no withdrawn item has a salt or a body in the public log',
    offenders: () => sql`
      SELECT subject AS offender FROM record.log_content JOIN record.item ON item.id::text = subject
      WHERE kind = 'item' AND withdrawn_at IS NOT NULL AND (salt IS NOT NULL OR was - 'story_id' <> '{}')`,
  },
  {
    name: 'history-words',
    promise: 'no earlier revision of a story cites a withdrawn item',
    offenders: () => sql`
      SELECT concat_ws(' ', content.subject, content.revision) AS offender
      FROM record.log_content AS content
      CROSS JOIN LATERAL (SELECT DISTINCT match[1]::uuid AS id FROM regexp_matches(
        concat(was -> 'digest', was -> 'other_digest'),
        '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') AS match) AS cited
      JOIN record.item ON item.id = cited.id
      WHERE content.kind = 'story' AND item.withdrawn_at IS NOT NULL`,
  },
];

export const invariantQueries: readonly InvariantQuery[] = [
  ...editionQueries,
  ...storyQueries,
  ...groupQueries,
  ...windowQueries,
  ...ledgerQueries,
  ...logQueries,
];

export async function readOffenders(
  database: Database,
  query: RawBuilder<{ offender: string }>,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ offender: string }>`
    SELECT offender FROM (${query}) AS found LIMIT ${limit}`.execute(database);
  return rows.map(({ offender }) => offender);
}

export async function readSet(database: Database): Promise<{ readonly size: bigint; readonly hash: bigint }> {
  const head = await database
    .selectFrom('record.ledger_head')
    .select(['set_size', 'set_hash'])
    .executeTakeFirstOrThrow();
  return { size: head.set_size, hash: BigInt(head.set_hash) };
}

export interface SearchRow {
  readonly id: string;
  readonly search_text: string;
  readonly search_grams: number[];
  readonly title: string;
  readonly original_title: string | null;
  readonly summary: string;
  readonly source_name: string;
}

/** About this many window rows, spread evenly over all of them. */
export async function readSearchSample(database: Database, size: number): Promise<readonly SearchRow[]> {
  const { rows } = await sql<SearchRow>`
    SELECT shown.id, search_text, search_grams, title, original_title, summary, source.name AS source_name
    FROM record.window_item AS shown JOIN record.item USING (id) JOIN record.source ON source.id = item.source_id
    WHERE hashtext(shown.id::text) % (
      SELECT greatest(1, count(*) / ${size})::integer FROM record.window_item) = 0`.execute(database);
  return rows;
}
