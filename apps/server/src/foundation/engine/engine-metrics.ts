import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';

import type { Database } from '../database/database.ts';
import { readEngineNumbers } from './engine-numbers.ts';

export interface EngineMetrics {
  readonly taskFailed: (task: string) => void;
}

/** Gauges are read from the database when somebody asks, so that every worker tells the same. */
export function registerEngineMetrics(registry: Registry, database: Database): EngineMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, label?: 'queue' | 'workflow'): Gauge =>
    new Gauge({ name: `daybook_engine_${name}`, help, registers, labelNames: label ? [label] : [] });
  const waiting = gauge('waiting', 'Workflows that wait in a queue.', 'queue');
  const running = gauge('running', 'Workflows that run.', 'queue');
  const lag = gauge('lag_seconds', 'How long the oldest has waited.', 'queue');
  const failed = gauge('failed', 'Workflows that failed within a day and were not started anew.', 'workflow');
  const stranded = gauge('stranded', 'Workflows that no living worker knows.', 'workflow');
  const unsettled = gauge(
    'paid_calls_unsettled',
    'Intents to pay without a receipt: calls in flight, and money lost to crashes.',
  );
  const executors: Gauge = new Gauge({
    name: 'daybook_engine_executors',
    help: 'Workers that are alive.',
    registers,
    collect: async () => {
      const numbers = await readEngineNumbers(database);
      for (const labelled of [waiting, running, lag, failed, stranded]) labelled.reset();
      for (const queue of numbers.queues) {
        waiting.set({ queue: queue.queue }, queue.waiting);
        running.set({ queue: queue.queue }, queue.running);
        lag.set({ queue: queue.queue }, queue.lagSeconds);
      }
      for (const { workflow, count } of numbers.failed) failed.set({ workflow }, count);
      for (const { workflow, count } of numbers.stranded) stranded.set({ workflow }, count);
      unsettled.set(numbers.paidCallsUnsettled);
      executors.set(numbers.executorsAlive);
    },
  });
  const taskFailures = new Counter({
    name: 'daybook_engine_task_failures_total',
    help: 'Runs of a sweep, an edition set or a task of the engine that ended in an error, in this process.',
    labelNames: ['task'],
    registers,
  });
  return { taskFailed: (task) => taskFailures.inc({ task }) };
}
