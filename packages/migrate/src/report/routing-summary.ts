import type { DatabaseSync } from 'node:sqlite';

import { isCurrent } from '../queue/chunk-store.ts';
import type { ChunkState } from '../queue/queued-chunk.ts';
import { mediumFrom, trustedFrom } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';

export interface RoutingRow {
  readonly target: Target;
  readonly count: number;
  readonly averageConfidence: number;
}

export interface RoutingSummary {
  /** Every chunk the queue knows, whatever became of it. */
  readonly chunks: number;
  readonly states: Readonly<Record<ChunkState, number>>;
  /** Where what is pending is proposed to go, in the order of the targets. */
  readonly routing: readonly RoutingRow[];
  readonly unclear: number;
  /** Pending, below 40 %, UNCLEAR not counted. */
  readonly lowConfidence: number;
  readonly mediumConfidence: number;
  readonly trusted: number;
  /** Committed, by where it went. */
  readonly committed: readonly { readonly target: Target; readonly count: number }[];
}

const pending = "state in ('scanned', 'unclear', 'approved', 'modified')";
const routed = `${pending} and proposed <> 'UNCLEAR'`;

export function readRoutingSummary(database: DatabaseSync): RoutingSummary {
  const count = (where: string): number =>
    Number(database.prepare(`select count(*) as count from chunk where ${where}`).get()?.['count']);
  const states = { scanned: 0, approved: 0, modified: 0, rejected: 0, unclear: 0, committed: 0 };
  for (const row of database
    .prepare(`select state, count(*) as count from chunk where ${isCurrent} group by state`)
    .all()) {
    states[String(row['state']) as ChunkState] = Number(row['count']);
  }
  return {
    chunks: count(isCurrent),
    states,
    routing: readRouting(database),
    unclear: count("state = 'unclear'"),
    lowConfidence: count(`${routed} and confidence < ${mediumFrom}`),
    mediumConfidence: count(`${routed} and confidence >= ${mediumFrom} and confidence < ${trustedFrom}`),
    trusted: count(`${routed} and confidence >= ${trustedFrom}`),
    committed: readCommitted(database),
  };
}

function readRouting(database: DatabaseSync): readonly RoutingRow[] {
  const rows = database
    .prepare(
      `select proposed, count(*) as count, avg(confidence) as average from chunk where ${pending} group by proposed`,
    )
    .all();
  return rows
    .map((row) => ({
      target: String(row['proposed']) as Target,
      count: Number(row['count']),
      averageConfidence: Number(row['average']),
    }))
    .sort((one, other) => targets.indexOf(one.target) - targets.indexOf(other.target));
}

function readCommitted(database: DatabaseSync): RoutingSummary['committed'] {
  const rows = database
    .prepare(
      `select coalesce(chosen, proposed) as target, count(*) as count from chunk where state = 'committed' and ${isCurrent}
         group by coalesce(chosen, proposed)`,
    )
    .all();
  return rows
    .map((row) => ({ target: String(row['target']) as Target, count: Number(row['count']) }))
    .sort((one, other) => targets.indexOf(one.target) - targets.indexOf(other.target));
}
