import { articleWorkflow } from './article-workflow.ts';
import type { EngineStage } from './engine-stage.ts';
import type { Fault } from './fault-schedule.ts';
import type { Ending, Mark } from './mark-evidence.ts';

type Query = EngineStage['query'];

export const readMarks = (query: Query): Promise<readonly Mark[]> =>
  query<Mark>(
    `SELECT workflow, step, process, version, kind, (extract(epoch FROM at) * 1000)::float8 AS "atMs" FROM prove.mark ORDER BY at`,
  );

/** Who finished each article, and when. */
export async function readEndings(query: Query): Promise<ReadonlyMap<string, Ending>> {
  const rows = await query<Ending>(
    `SELECT w.workflow_uuid AS workflow, e.process_id AS process, w.completed_at::float8 AS "atMs"
     FROM dbos.workflow_status w LEFT JOIN foundation.executor e ON w.executor_id = 'epoch-' || e.epoch
     WHERE w.name = $1 AND w.completed_at IS NOT NULL`,
    [articleWorkflow],
  );
  return new Map(rows.map((row) => [row.workflow, row]));
}

export interface ArticleCounts {
  readonly started: number;
  readonly succeeded: number;
  readonly open: number;
}

export async function countArticles(query: Query): Promise<ArticleCounts> {
  const [counts] = await query<ArticleCounts>(
    `SELECT count(*)::int AS started, (count(*) FILTER (WHERE status = 'SUCCESS'))::int AS succeeded,
       (count(*) FILTER (WHERE status IN ('ENQUEUED', 'PENDING', 'DELAYED')))::int AS open
     FROM dbos.workflow_status WHERE name = $1`,
    [articleWorkflow],
  );
  return counts ?? { started: 0, succeeded: 0, open: 0 };
}

export interface Doubles {
  readonly there: number;
  readonly doubled: number;
}

export async function countRows(query: Query, table: 'published' | 'edition'): Promise<Doubles> {
  const key = table === 'published' ? 'workflow' : 'key';
  const [row] = await query<Doubles>(
    `SELECT count(DISTINCT ${key})::int AS there, (count(*) - count(DISTINCT ${key}))::int AS doubled FROM prove.${table}`,
  );
  return row ?? { there: 0, doubled: 0 };
}

export interface LateWrites {
  readonly published: number;
  readonly editions: number;
  readonly receipts: number;
  /** Written outside the fence: they show that the sleeper did wake and try. */
  readonly marks: number;
}

/** Writes of a process after others had ended its epoch. */
export async function countLateWrites(query: Query): Promise<LateWrites> {
  const late = (table: string): string =>
    `(SELECT count(*) FROM prove.${table} p JOIN foundation.executor e ON e.process_id = p.process WHERE p.at > e.ended_at)::int`;
  const [row] = await query<LateWrites>(
    `SELECT ${late('published')} AS published, ${late('edition')} AS editions, ${late('mark')} AS marks,
       (SELECT count(*) FROM foundation.paid_call p JOIN foundation.executor e USING (epoch)
        WHERE p.settled_at > e.ended_at)::int AS receipts`,
  );
  return row ?? { published: 0, editions: 0, receipts: 0, marks: 0 };
}

/** How many of the frozen had been replaced by the time they woke. */
export async function countReplacedSleepers(query: Query, faults: readonly Fault[]): Promise<number> {
  let replaced = 0;
  for (const fault of faults) {
    if (fault.kind !== 'freeze') continue;
    const rows = await query(
      `SELECT FROM foundation.executor WHERE process_id = $1 AND ended_at < to_timestamp($2 / 1000.0)`,
      [fault.processes[0], fault.wokenAtMs],
    );
    replaced += rows.length;
  }
  return replaced;
}

export interface VersionEvidence {
  /** How long processes of two versions were at work at once. */
  readonly seconds: number;
  /** Started by one version and continued by the other. */
  readonly moved: number;
  /** Those of them whose former version had a living process all the time in between. */
  readonly stolen: number;
}

/** Marks of a process that had been replaced are ignored here. */
export async function readVersionEvidence(query: Query): Promise<VersionEvidence> {
  const [row] = await query<VersionEvidence>(
    `WITH life AS (
       SELECT process_id AS process, application_version AS release, started_at,
         coalesce(ended_at, clock_timestamp()) AS ended_at FROM foundation.executor
     ), entitled AS (
       SELECT m.at, l.release, lag(l.release) OVER own AS former, lag(m.at) OVER own AS former_at
       FROM prove.mark m JOIN life l USING (process) WHERE m.at <= l.ended_at
       WINDOW own AS (PARTITION BY m.workflow ORDER BY m.at)
     ), moves AS (SELECT * FROM entitled WHERE release <> former)
     SELECT (SELECT coalesce(sum(extract(epoch FROM least(a.ended_at, b.ended_at) - greatest(a.started_at, b.started_at))), 0)
         FROM life a JOIN life b ON a.release < b.release
           AND least(a.ended_at, b.ended_at) > greatest(a.started_at, b.started_at))::float8 AS seconds,
       (SELECT count(*) FROM moves)::int AS moved,
       (SELECT count(*) FROM moves WHERE tstzrange(former_at, at) <@ (
          SELECT range_agg(tstzrange(l.started_at, l.ended_at)) FROM life l WHERE l.release = former))::int AS stolen`,
  );
  return row ?? { seconds: 0, moved: 0, stolen: 0 };
}

/** How many watchers were killed between the moment a lock was seen free and the end of that epoch. */
export async function countWatchersKilled(query: Query, faults: readonly Fault[]): Promise<number> {
  let killed = 0;
  for (const { atMs, processes } of faults.filter(({ kind }) => kind === 'kill watcher')) {
    const rows = await query(
      `SELECT FROM foundation.executor WHERE process_id <> $2
         AND to_timestamp($1 / 1000.0) BETWEEN lock_free_since AND ended_at`,
      [atMs, processes[0]],
    );
    if (rows.length > 0) killed += 1;
  }
  return killed;
}
