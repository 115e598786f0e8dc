import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import type { Id } from '../../foundation/ids.ts';
import type { StoryLink } from './story.ts';
import { storyLinksMax } from './story.ts';

/** If two stories are linked several times, the last link counts. */
export async function upsertLinks(
  database: Database,
  requests: readonly { readonly storyId: Id<'story'>; readonly links: readonly StoryLink[] }[],
): Promise<void> {
  const pairs = new Map<string, StoryLink & { readonly one: string; readonly other: string }>();
  for (const { storyId, links } of requests)
    for (const link of links) {
      const [one = '', other = ''] = [storyId, link.storyId].sort();
      pairs.set(`${one} ${other}`, { ...link, one, other });
    }
  const rows = [...pairs.values()];
  await sql`${preparedAs('upsert-links')}
    INSERT INTO record.story_link (one_id, other_id, kind, strength)
    SELECT * FROM unnest(
      ${rows.map(({ one }) => one)}::uuid[],
      ${rows.map(({ other }) => other)}::uuid[],
      ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ strength }) => strength)}::real[])
    ON CONFLICT (one_id, other_id) DO UPDATE
      SET kind = excluded.kind, strength = excluded.strength`.execute(database);
}

export async function deleteLinks(
  database: Database,
  storyId: Id<'story'>,
  otherIds: readonly Id<'story'>[],
): Promise<void> {
  await sql`
    DELETE FROM record.story_link USING unnest(${[...otherIds]}::uuid[]) AS other (id)
    WHERE one_id = least(${storyId}::uuid, id) AND other_id = greatest(${storyId}::uuid, id)`.execute(
    database,
  );
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
  { absorbed, survivor }: { readonly absorbed: Id<'story'>; readonly survivor: Id<'story'> },
): Promise<void> {
  await sql`
    WITH moved AS (
      DELETE FROM record.story_link WHERE ${absorbed}::uuid IN (one_id, other_id)
      RETURNING CASE WHEN one_id = ${absorbed} THEN other_id ELSE one_id END AS id, kind, strength
    )
    INSERT INTO record.story_link (one_id, other_id, kind, strength)
    SELECT least(id, ${survivor}::uuid), greatest(id, ${survivor}::uuid), kind, strength
    FROM moved WHERE id <> ${survivor}
    ON CONFLICT (one_id, other_id) DO UPDATE SET
      kind = CASE WHEN story_link.strength > excluded.strength THEN story_link.kind ELSE excluded.kind END,
      strength = greatest(story_link.strength, excluded.strength)`.execute(database);
}

/** Deletes the weakest links of each of these stories beyond the maximum. */
export async function dropWeakestLinks(database: Database, ids: readonly Id<'story'>[]): Promise<void> {
  await sql`${preparedAs('drop-weakest-links')}
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
      ) AS weakest)`.execute(database);
}
