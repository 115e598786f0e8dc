import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { ProjectId } from '../projects/project.ts';

/**
 * The next step up of a `WITH RECURSIVE line`: the parents of its rows, as `above`. Like every step of a recursive query
 * here it is isolated by `OFFSET 0`, so that an index is used for each row. Joined freely, PostgreSQL reads all of a
 * project for each step if it estimates projects as small, as in a generic plan of a prepared statement.
 */
export function lineAbove(projectId: ProjectId): RawBuilder<unknown> {
  return sql`line CROSS JOIN LATERAL (
    SELECT id, parent_id, trashed_at FROM storage.entry
    WHERE project_id = ${projectId} AND id = line.parent_id OFFSET 0
  ) AS above`;
}
