import { sql } from 'kysely';

import type { CacheTagVersionRow } from '../foundation/cache/cache-tag-versions.ts';
import { versionChannel } from '../foundation/cache/cache-tag-versions.ts';
import type { Database } from '../foundation/database/database.ts';

export async function readCacheTagVersions(database: Database): Promise<readonly CacheTagVersionRow[]> {
  return database
    .selectFrom('record.representation_version')
    .select(['topic as tag', 'changed', 'purged'])
    .execute();
}

/**
 * Once the transaction commits, copies with a changed tag are stale (publishing) and copies with a purged one may not be
 * shown (withdrawing and correcting). In one order, so that two transactions that touch several tags wait for each
 * other instead of deadlocking.
 */
export async function bumpCacheTags(
  database: Database,
  tags: { readonly changed?: readonly string[]; readonly purged?: readonly string[] },
): Promise<void> {
  const purged = new Set(tags.purged);
  const all = [...new Set([...(tags.changed ?? []), ...purged])].sort();
  if (all.length === 0) return;
  await sql`
    WITH bumped AS (
      INSERT INTO record.representation_version AS version (topic, changed, purged)
      SELECT tag, 1, purged FROM unnest(${all}::text[], ${all.map((tag) => (purged.has(tag) ? 1 : 0))}::integer[])
        AS bump (tag, purged)
      ON CONFLICT (topic) DO UPDATE
        SET changed = version.changed + excluded.changed, purged = version.purged + excluded.purged
    )
    SELECT pg_notify(${versionChannel}, '')`.execute(database);
}
