import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { requestOnce } from '../news/http-question.ts';
import type { HookReport } from './hook-report.ts';
import type { SoakedProcess, SoakInstallation } from './installation.ts';

/** The resources of the installation at one moment, by name. */
export interface Sample {
  /** Calendar days since the first sample of the run. */
  readonly day: number;
  readonly values: Readonly<Record<string, number>>;
}

const megabyte = 1_000_000;

export async function takeSample(
  installation: SoakInstallation,
  superuser: DatabaseConnection,
  startedAtMs: number,
): Promise<Sample> {
  const { clock, processes, temporary, files } = installation;
  const day = (clock.nowMs() - startedAtMs) / dayMs;
  const [ofProcesses, ofDatabase, own, uploaded] = await Promise.all([
    Promise.all(processes.map(readProcess)),
    readDatabase(superuser),
    countFiles(temporary),
    countFiles(join(files, 'tmp')),
  ]);
  const values = {
    ...Object.assign({}, ...ofProcesses),
    ...ofDatabase,
    'temporary files': own + uploaded + Number(ofDatabase['temporary files of PostgreSQL']),
  } as Record<string, number>;
  return { day, values };
}

async function readProcess({ name, child, hookPort }: SoakedProcess): Promise<Record<string, number>> {
  const { text } = await requestOnce(hookPort, '/');
  const { rssBytes, heapBytes } = JSON.parse(text) as HookReport;
  const pid = child.process.pid ?? 0;
  return {
    [`memory of the ${name}`]: rssBytes / megabyte,
    [`heap of the ${name}`]: heapBytes / megabyte,
    [`descriptors of the ${name}`]: readdirSync(`/proc/${pid}/fd`).length,
    [`threads of the ${name}`]: Number(
      /Threads:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
    ),
  };
}

async function readDatabase({ pool }: DatabaseConnection): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(`
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE usename LIKE 'daybook%')::int AS "database connections",
      (SELECT sum(n_dead_tup) FROM pg_stat_user_tables)::float8 AS "dead rows",
      (SELECT count(*) FROM pg_ls_tmpdir())::int AS "temporary files of PostgreSQL",
      (SELECT count(*) FROM record.log_entry WHERE leaf_index IS NULL)::int AS "queue of the public log",
      (SELECT count(*) FROM dbos.workflow_status)::int AS "workflows in the history",
      (SELECT count(*) FROM dbos.operation_outputs)::int AS "steps in the history",
      (SELECT count(*) FROM foundation.committed_step)::int AS "committed steps",
      (SELECT count(*) FROM dbos.workflow_status WHERE status IN ('PENDING', 'ENQUEUED'))::int AS "workflows waiting",
      (SELECT count(*) FROM dbos.workflow_status WHERE status = 'ERROR')::int AS "workflows failed",
      (SELECT count(*) FROM record.window_item)::int AS "items in the window",
      (SELECT count(*) FROM newsroom.story_report)::int AS "reports of open stories",
      (SELECT count(*) FROM newsroom.story_posting)::int AS "postings of open stories",
      (SELECT count(*) FROM pg_class WHERE relispartition)::int AS "partitions",
      (SELECT count(*) FROM record.item)::int AS "items",
      (SELECT count(*) FROM record.log_entry)::int AS "log entries",
      (SELECT count(*) FROM record.ranking)::int AS "rankings",
      (SELECT count(*) FROM storage.entry)::int AS "stored files",
      pg_database_size(current_database())::float8 / ${megabyte} AS "size of the database"`);
  return rows[0] ?? {};
}

async function countFiles(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).length;
}
