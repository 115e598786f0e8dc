import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Source, SourceProfile } from '../items/item.ts';

/** A source with its contribution to the window. */
export interface RecordedSource extends Source, SourceProfile {
  readonly itemCount: number;
  readonly selectedCount: number;
  /** Of its newest item in the window. */
  readonly latestAt: EpochMicroseconds | null;
}

export interface SourcesRequest {
  /** Counts items discovered after this instant. */
  readonly since: EpochMicroseconds;
  readonly after: { readonly name: string; readonly id: string } | null;
  readonly rowsMax: number;
}

interface SourceRow {
  readonly id: Source['id'];
  readonly name: string;
  readonly owner: string;
  readonly first_party: boolean;
  readonly homepage_url: string | null;
  readonly language: string | null;
  readonly state: SourceProfile['state'];
  readonly items: number;
  readonly selected: number;
  readonly latest: string | null;
}

/** Sorted by name. */
export async function readSources(
  database: Database,
  { since, after, rowsMax }: SourcesRequest,
): Promise<readonly RecordedSource[]> {
  const position = after === null ? sql`true` : sql`(name, id) > (${after.name}, ${after.id}::uuid)`;
  const { rows } = await sql<SourceRow>`
    SELECT source.*, counted.*
    FROM (SELECT * FROM record.source WHERE ${position} ORDER BY name, id LIMIT ${rowsMax}) AS source
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS items, count(*) FILTER (WHERE selected)::integer AS selected,
        max(discovered_at) AS latest
      FROM record.window_item AS shown
      WHERE shown.source_id = source.id AND shown.discovered_at > ${toTimestamptz(since)}::timestamptz
    ) AS counted
    ORDER BY source.name, source.id`.execute(database);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    owner: row.owner,
    firstParty: row.first_party,
    homepageUrl: row.homepage_url,
    language: row.language,
    state: row.state,
    itemCount: row.items,
    selectedCount: row.selected,
    latestAt: row.latest === null ? null : fromTimestamptz(row.latest),
  }));
}
