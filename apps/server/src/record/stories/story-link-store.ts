import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { StoryLink } from './story.ts';
import { storyLinksMax } from './story.ts';

/** Stores the values of links that change or end, so that earlier moments can be read. */
function intoPast(links: string, at: EpochMicroseconds): RawBuilder<unknown> {
  return sql`
    INSERT INTO record.story_link_past (one_id, other_id, kind, strength, since, until)
    SELECT one_id, other_id, kind, strength, since, ${toTimestamptz(at)}::timestamptz FROM ${sql.ref(links)}`;
}

/** If two stories are linked several times, the last link counts. */
export async function upsertLinks(
  database: Database,
  requests: readonly { readonly storyId: Id<'story'>; readonly links: readonly StoryLink[] }[],
  at: EpochMicroseconds,
): Promise<void> {
  const pairs = new Map<string, StoryLink & { readonly one: string; readonly other: string }>();
  for (const { storyId, links } of requests)
    for (const link of links) {
      const [one = '', other = ''] = [storyId, link.storyId].sort();
      pairs.set(`${one} ${other}`, { ...link, one, other });
    }
  const rows = [...pairs.values()];
  await sql`${preparedAs('upsert-links')}
    WITH given AS (
      SELECT * FROM unnest(
        ${rows.map(({ one }) => one)}::uuid[],
        ${rows.map(({ other }) => other)}::uuid[],
        ${rows.map(({ kind }) => kind)}::text[],
        ${rows.map(({ strength }) => strength)}::real[]) AS given (one_id, other_id, kind, strength)
    ), replaced AS (
      SELECT link.* FROM record.story_link AS link JOIN given USING (one_id, other_id)
      WHERE (link.kind, link.strength) <> (given.kind, given.strength)
    ), stored AS (${intoPast('replaced', at)})
    INSERT INTO record.story_link (one_id, other_id, kind, strength, since)
    SELECT given.*, ${toTimestamptz(at)}::timestamptz FROM given
    ON CONFLICT (one_id, other_id) DO UPDATE
      SET kind = excluded.kind, strength = excluded.strength, since = excluded.since
      WHERE (story_link.kind, story_link.strength) <> (excluded.kind, excluded.strength)`.execute(database);
}

export async function deleteLinks(
  database: Database,
  storyId: Id<'story'>,
  { otherIds, at }: { readonly otherIds: readonly Id<'story'>[]; readonly at: EpochMicroseconds },
): Promise<void> {
  await sql`
    WITH deleted AS (
      DELETE FROM record.story_link USING unnest(${[...otherIds]}::uuid[]) AS other (id)
      WHERE one_id = least(${storyId}::uuid, id) AND other_id = greatest(${storyId}::uuid, id)
      RETURNING story_link.*
    )
    ${intoPast('deleted', at)}`.execute(database);
}

/** Of a story, with the other end of each. */
export async function readLinks(database: Database, storyId: Id<'story'>): Promise<readonly StoryLink[]> {
  const { rows } = await sql<StoryLink>`
    SELECT CASE WHEN one_id = ${storyId} THEN other_id ELSE one_id END AS "storyId", kind, strength
    FROM record.story_link WHERE ${storyId}::uuid IN (one_id, other_id) ORDER BY 1`.execute(database);
  return rows;
}

/** Moves the absorbed story's links to the survivor; of two links to the same story the stronger counts. */
export async function moveLinks(
  database: Database,
  {
    absorbed,
    survivor,
    at,
  }: { readonly absorbed: Id<'story'>; readonly survivor: Id<'story'>; readonly at: EpochMicroseconds },
): Promise<void> {
  await sql`
    WITH deleted AS (
      DELETE FROM record.story_link WHERE ${absorbed}::uuid IN (one_id, other_id) RETURNING *
    ), ended AS (${intoPast('deleted', at)}), moved AS (
      SELECT least(id, ${survivor}::uuid) AS one_id, greatest(id, ${survivor}::uuid) AS other_id, kind, strength
      FROM (
        SELECT CASE WHEN one_id = ${absorbed} THEN other_id ELSE one_id END AS id, kind, strength FROM deleted
      ) AS link WHERE id <> ${survivor}
    ), replaced AS (
      SELECT link.* FROM record.story_link AS link JOIN moved USING (one_id, other_id)
      WHERE moved.strength >= link.strength
    ), stored AS (${intoPast('replaced', at)})
    INSERT INTO record.story_link (one_id, other_id, kind, strength, since)
    SELECT moved.*, ${toTimestamptz(at)}::timestamptz FROM moved
    ON CONFLICT (one_id, other_id) DO UPDATE SET
      kind = excluded.kind, strength = excluded.strength, since = excluded.since
      WHERE excluded.strength >= story_link.strength`.execute(database);
}

/** Deletes the weakest links of each of these stories beyond the maximum. */
export async function dropWeakestLinks(
  database: Database,
  ids: readonly Id<'story'>[],
  at: EpochMicroseconds,
): Promise<void> {
  await sql`${preparedAs('drop-weakest-links')}
    WITH dropped AS (
      DELETE FROM record.story_link WHERE (one_id, other_id) IN (
        SELECT weakest.one_id, weakest.other_id
        FROM unnest(${[...ids]}::uuid[]) AS story (id)
        CROSS JOIN LATERAL (
          SELECT one_id, other_id FROM (
            SELECT one_id, other_id, kind, strength FROM record.story_link WHERE one_id = story.id
            UNION ALL
            SELECT one_id, other_id, kind, strength FROM record.story_link WHERE other_id = story.id
          ) AS link
          ORDER BY strength DESC, kind DESC, one_id, other_id OFFSET ${storyLinksMax}
        ) AS weakest)
      RETURNING *
    )
    ${intoPast('dropped', at)}`.execute(database);
}
