import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';

import type { Database } from '../database/database.ts';
import type { TransientCause } from '../database/transient-error.ts';
import { registerGauges } from '../metrics/gauges.ts';
import type { QueueNumbers, WorkflowCount } from './engine-numbers.ts';
import { readEngineNumbers } from './engine-numbers.ts';

export interface EngineMetrics {
  readonly taskFailed: (task: string) => void;
  readonly retried: (cause: TransientCause) => void;
}

/** Gauges are read from the database on every scrape, so that every worker reports the same. */
export function registerEngineMetrics(registry: Registry, database: Database): EngineMetrics {
  registerGauges(
    registry,
    {
      daybook_engine_waiting: { help: 'Workflows that are waiting in a queue.', label: 'queue' },
      daybook_engine_running: { help: 'Running workflows.', label: 'queue' },
      daybook_engine_lag_seconds: { help: 'Time that the oldest workflow has been waiting.', label: 'queue' },
      daybook_engine_failed: {
        help: 'Failed workflows that have not been retried.',
        label: 'workflow',
      },
      daybook_engine_stranded: { help: 'Workflows that no running worker supports.', label: 'workflow' },
      daybook_engine_paid_calls_unsettled: {
        help: 'Paid calls without a receipt: calls in progress, and calls interrupted by a crash.',
      },
      daybook_engine_executors: { help: 'Running workers.' },
    },
    async () => {
      const { queues, failed, stranded, paidCallsUnsettled, executorsAlive } =
        await readEngineNumbers(database);
      const byQueue = (of: (queue: QueueNumbers) => number) =>
        new Map(queues.map((queue) => [queue.queue, of(queue)]));
      const byWorkflow = (counts: readonly WorkflowCount[]) =>
        new Map(counts.map(({ workflow, count }) => [workflow, count]));
      return {
        daybook_engine_waiting: byQueue(({ waiting }) => waiting),
        daybook_engine_running: byQueue(({ running }) => running),
        daybook_engine_lag_seconds: byQueue(({ lagSeconds }) => lagSeconds),
        daybook_engine_failed: byWorkflow(failed),
        daybook_engine_stranded: byWorkflow(stranded),
        daybook_engine_paid_calls_unsettled: paidCallsUnsettled,
        daybook_engine_executors: executorsAlive,
      };
    },
  );
  const taskFailures = new Counter({
    name: 'daybook_engine_task_failures_total',
    help: 'Runs of a sweep, an edition set or a task of the engine that ended in an error, in this process.',
    labelNames: ['task'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'daybook_engine_step_retries_total',
    help: 'Steps of workflows that this process repeated after a transient database error.',
    labelNames: ['cause'],
    registers: [registry],
  });
  return {
    taskFailed: (task) => taskFailures.inc({ task }),
    retried: (cause) => retries.inc({ cause }),
  };
}
