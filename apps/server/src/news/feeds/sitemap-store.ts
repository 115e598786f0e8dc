import type { Database } from '../../foundation/database/database.ts';

export async function readRecentStoryIds(database: Database, storiesMax: number): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('record.story')
    .select('id')
    .where('merged_into', 'is', null)
    .where('report_count', '>', 0)
    .orderBy('latest_at', 'desc')
    .limit(storiesMax)
    .execute();
  return rows.map(({ id }) => id);
}
