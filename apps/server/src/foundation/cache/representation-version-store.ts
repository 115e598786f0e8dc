import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import { versionChannel } from './version-watcher.ts';

export interface TopicVersionRow {
  readonly topic: string;
  readonly changed: bigint;
  readonly purged: bigint;
}

export async function readTopicVersions(database: Database): Promise<readonly TopicVersionRow[]> {
  return database
    .selectFrom('record.representation_version')
    .select(['topic', 'changed', 'purged'])
    .execute();
}

/** Copies of these topics are stale once the transaction commits: publishing. */
export async function markTopicsChanged(database: Database, topics: readonly string[]): Promise<void> {
  await bumpTopics(database, topics, { changed: 1, purged: 0 });
}

/** Copies of these topics may not be shown once the transaction commits: withdrawing and correcting. */
export async function purgeTopics(database: Database, topics: readonly string[]): Promise<void> {
  await bumpTopics(database, topics, { changed: 1, purged: 1 });
}

/** In one order, so that two transactions that touch several topics wait for each other instead of deadlocking. */
async function bumpTopics(
  database: Database,
  topics: readonly string[],
  by: { changed: number; purged: number },
): Promise<void> {
  await sql`
    WITH bumped AS (
      INSERT INTO record.representation_version AS version (topic, changed, purged)
      SELECT topic, ${by.changed}, ${by.purged} FROM unnest(${[...topics].sort()}::text[]) AS topic
      ON CONFLICT (topic) DO UPDATE
        SET changed = version.changed + excluded.changed, purged = version.purged + excluded.purged
    )
    SELECT pg_notify(${versionChannel}, '')`.execute(database);
}
