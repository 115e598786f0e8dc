import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { StoryLink } from './story.ts';
import { storyLinksMax } from './story.ts';

export async function upsertLinks(
  database: Database,
  storyId: Id<'story'>,
  links: readonly StoryLink[],
): Promise<void> {
  await sql`
    INSERT INTO record.story_link (one_id, other_id, kind, strength)
    SELECT least(${storyId}::uuid, id), greatest(${storyId}::uuid, id), kind, strength
    FROM unnest(
      ${links.map((link) => link.storyId)}::uuid[],
      ${links.map(({ kind }) => kind)}::text[],
      ${links.map(({ strength }) => strength)}::real[]) AS link (id, kind, strength)
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

/** The absorbed story's links become the survivor's; where both had one to the same story, the stronger counts. */
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

/** Drops the weakest links of each of these stories beyond the most that one may have. */
export async function dropWeakestLinks(database: Database, ids: readonly Id<'story'>[]): Promise<void> {
  for (const id of ids) {
    await sql`
      DELETE FROM record.story_link WHERE (one_id, other_id) IN (
        SELECT one_id, other_id FROM record.story_link WHERE ${id}::uuid IN (one_id, other_id)
        ORDER BY strength DESC, kind DESC, one_id, other_id OFFSET ${storyLinksMax})`.execute(database);
  }
}
