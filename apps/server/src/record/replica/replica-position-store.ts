import { sql } from 'kysely';

import type { CacheTagVersionRow } from '../../foundation/cache/cache-tag-versions.ts';
import type { Database } from '../../foundation/database/database.ts';

/** What a server has of the record: every decision increments versions in its own transaction. */
export interface ReplicaPosition {
  /** Another one after a restore to an earlier moment, whose versions do not compare with those from before. */
  readonly epoch: string;
  readonly versions: readonly CacheTagVersionRow[];
  /** False on a server that accepts writes of its own. */
  readonly replays: boolean;
}

export async function readReplicaPosition(database: Database): Promise<ReplicaPosition> {
  const { rows } = await sql<CacheTagVersionRow & { readonly epoch: string; readonly replays: boolean }>`
    SELECT topic AS tag, changed, purged, (SELECT epoch FROM record.ledger_head)::text AS epoch,
      pg_is_in_recovery() AS replays
    FROM record.representation_version`.execute(database);
  const [first] = rows;
  return { epoch: first?.epoch ?? '', replays: first?.replays ?? false, versions: rows };
}

/** Whether a replica with the position `seen` has every decision of `wanted`. */
export function covers(seen: ReplicaPosition, wanted: ReplicaPosition): boolean {
  if (!seen.replays || seen.epoch !== wanted.epoch) return false;
  const versions = new Map(seen.versions.map((row) => [row.tag, row]));
  return wanted.versions.every(({ tag, changed, purged }) => {
    const row = versions.get(tag);
    return row !== undefined && row.changed >= changed && row.purged >= purged;
  });
}
