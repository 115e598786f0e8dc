import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

import type { Database } from '../database/database.ts';
import { readEngineNumbers } from './engine-numbers.ts';

/** Read from the database when somebody asks, so that every worker tells the same. */
export function registerEngineMetrics(registry: Registry, database: Database): void {
  const options = { labelNames: ['queue'], registers: [registry] };
  const waiting = new Gauge({
    ...options,
    name: 'daybook_engine_waiting',
    help: 'Workflows that wait in a queue.',
  });
  const running = new Gauge({ ...options, name: 'daybook_engine_running', help: 'Workflows that run.' });
  const lag = new Gauge({
    ...options,
    name: 'daybook_engine_lag_seconds',
    help: 'How long the oldest has waited.',
  });
  const unsettled = new Gauge({
    name: 'daybook_engine_paid_calls_unsettled',
    help: 'Intents to pay without a receipt: calls in flight, and money lost to crashes.',
    registers: [registry],
  });
  const executors: Gauge = new Gauge({
    name: 'daybook_engine_executors',
    help: 'Workers that are alive.',
    registers: [registry],
    collect: async () => {
      const numbers = await readEngineNumbers(database);
      for (const gauge of [waiting, running, lag]) gauge.reset();
      for (const queue of numbers.queues) {
        waiting.set({ queue: queue.queue }, queue.waiting);
        running.set({ queue: queue.queue }, queue.running);
        lag.set({ queue: queue.queue }, queue.lagSeconds);
      }
      unsettled.set(numbers.paidCallsUnsettled);
      executors.set(numbers.executorsAlive);
    },
  });
}
