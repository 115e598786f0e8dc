import type pg from 'pg';

import { toTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';

const sources = 400;
const owners = 300;

/**
 * So many stories of which every item was found within the two days that count: seven of ten have one item, two
 * have two, one has five; a tenth of the numbers repeats the item before. Returns the number of items.
 */
export async function fillReportedStories(
  client: pg.PoolClient,
  at: EpochMicroseconds,
  stories: number,
): Promise<number> {
  await client.query(
    `INSERT INTO record.source (id, name, owner, first_party)
     SELECT ${uuid('1', 'n')}, 'Source ' || n, 'Owner ' || n % ${owners}, n % 10 = 0
     FROM generate_series(0, ${sources - 1}) AS n`,
  );
  await client.query(`INSERT INTO newsroom.domain (name) VALUES ('outlets.example')`);
  await client.query(
    `INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form, domain,
       created_at, state, due_at)
     SELECT id, name, owner, first_party, 1 + n % 4, CASE WHEN n % 20 = 0 THEN 'signal' ELSE 'editorial' END,
       'http://outlets.example/' || n, '{"kind": "feed"}', 'outlets.example', $1, 'active', $1
     FROM generate_series(0, ${sources - 1}) AS n JOIN record.source ON id = ${uuid('1', 'n')}`,
    [toTimestamptz(at)],
  );
  await client.query(
    `CREATE TEMPORARY TABLE report AS
     SELECT ${uuid('2', 'm')} AS id, ${uuid('3', 'n')} AS story_id,
       ${uuid('1', `m * 7919 % ${sources}`)} AS source_id,
       ${uuid('4', 'CASE WHEN r > 1 AND m % 10 = 0 THEN m - 1 ELSE m END')} AS group_id,
       $1::timestamptz - interval '1 microsecond' * (m * 7919010007 % 172000000000) AS found_at, (m % 100)::smallint AS score
     FROM generate_series(1, $2::bigint) AS n
     CROSS JOIN generate_series(1, 5) AS r CROSS JOIN LATERAL (SELECT n * 8 + r AS m) AS numbered
     WHERE r <= CASE WHEN n % 10 = 0 THEN 5 WHEN n % 10 < 3 THEN 2 ELSE 1 END`,
    [toTimestamptz(at), stories],
  );
  await client.query(
    `INSERT INTO record.story (id, title, source_count, report_count, first_report_at, latest_at)
     SELECT story_id, 'An event', count(DISTINCT source_id), count(*), min(found_at), max(found_at)
     FROM report GROUP BY story_id`,
  );
  await client.query(
    `INSERT INTO record.reading_group (id, first_appeared_at)
     SELECT group_id, min(found_at) FROM report GROUP BY group_id`,
  );
  await client.query(
    `INSERT INTO record.item (id, source_id, group_id, story_id, title, summary, category, original_url, language,
       discovered_at, timeline_at, score, body, body_version)
     SELECT id, source_id, group_id, story_id, ${words(80)}, ${words(300)}, 'ai-models', 'http://outlets.example/' || id,
       'en', found_at, found_at, score, ${words(700)}, 2
     FROM report`,
  );
  const { rowCount } = await client.query(
    `INSERT INTO record.window_item (discovered_at, id, timeline_key, published_key, category, selected, body,
       search_text, search_grams, source_id, story_id, language)
     SELECT found_at, id, found_at, found_at, 'ai-models', false, ${words(700)}, '', '{}', source_id, story_id, 'en'
     FROM report`,
  );
  return rowCount ?? 0;
}

/** An id by its kind and number. */
function uuid(kind: string, number: string): string {
  return `('${kind}' || lpad(to_hex((${number})::bigint), 31, '0'))::uuid`;
}

/** As long as the real ones: the amount read decides the cost of a ranking. */
function words(characters: number): string {
  return `repeat('word ', ${characters / 5})`;
}
