import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import { countStrandedWorkflows } from './workflow-release-store.ts';

export interface QueueNumbers {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  /** Age of the oldest queued workflow. */
  readonly lagSeconds: number;
}

export interface WorkflowCount {
  readonly workflow: string;
  readonly count: number;
}

export interface EngineNumbers {
  readonly queues: readonly QueueNumbers[];
  /** Failed and not restarted since. */
  readonly failed: readonly WorkflowCount[];
  /** Started or requeued workflows that no running process knows. */
  readonly stranded: readonly WorkflowCount[];
  readonly executorsAlive: number;
  /** Payment intents without a receipt: calls in flight, and money lost to crashes. */
  readonly paidCallsUnsettled: number;
}

/** For the metrics endpoint: the same on every process, because it is read from the database. */
export async function readEngineNumbers(database: Database): Promise<EngineNumbers> {
  const queues = await sql<QueueNumbers>`
    SELECT queue_name AS queue,
      (count(*) FILTER (WHERE status = 'ENQUEUED'))::int AS waiting,
      (count(*) FILTER (WHERE status = 'PENDING'))::int AS running,
      coalesce(extract(epoch FROM clock_timestamp())
        - min(created_at) FILTER (WHERE status = 'ENQUEUED') / 1000.0, 0)::float8 AS "lagSeconds"
    FROM dbos.workflow_status
    WHERE status IN ('ENQUEUED', 'PENDING') AND queue_name IS NOT NULL
    GROUP BY queue_name ORDER BY queue_name`.execute(database);
  const failed = await sql<WorkflowCount>`
    SELECT name AS workflow, count(*)::int AS count FROM dbos.workflow_status
    WHERE status IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')
    GROUP BY name ORDER BY name`.execute(database);
  const { rows } = await sql<Pick<EngineNumbers, 'executorsAlive' | 'paidCallsUnsettled'>>`
    SELECT (SELECT count(*) FROM foundation.executor WHERE ended_at IS NULL)::int AS "executorsAlive",
      (SELECT count(*) FROM foundation.paid_call WHERE outcome IS NULL)::int AS "paidCallsUnsettled"`.execute(
    database,
  );
  return {
    queues: queues.rows,
    failed: failed.rows,
    stranded: await countStrandedWorkflows(database),
    executorsAlive: 0,
    paidCallsUnsettled: 0,
    ...rows[0],
  };
}
