import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { ProjectId } from '../projects/project.ts';

/**
 * The next step up of a `WITH RECURSIVE line`: what its rows lie in, as `above`. As every step of a recursive query here
 * it is kept apart by `OFFSET 0`, so that an index is asked for each row. Joined freely, PostgreSQL reads all of a
 * project for each step where it thinks that projects are small, as a prepared statement does that is planned for all.
 */
export function lineAbove(projectId: ProjectId): RawBuilder<unknown> {
  return sql`line CROSS JOIN LATERAL (
    SELECT id, parent_id, trashed_at FROM storage.entry
    WHERE project_id = ${projectId} AND id = line.parent_id OFFSET 0
  ) AS above`;
}
