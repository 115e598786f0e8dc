import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';

import type { Tracer } from './tracer.ts';

/** Where a process sends traces. */
export function registerTracingMetrics(registry: Registry, { counts }: Pick<Tracer, 'counts'>): void {
  const exported: Counter = new Counter({
    name: 'daybook_trace_spans_exported_total',
    help: 'Spans that the receiver of traces accepted.',
    registers: [registry],
    collect: () => {
      exported.reset();
      exported.inc(counts().exported);
    },
  });
  const dropped: Counter<'by'> = new Counter({
    name: 'daybook_trace_spans_dropped_total',
    help: 'Spans that were not sent: the queue was full, or the receiver did not accept them in time.',
    labelNames: ['by'],
    registers: [registry],
    collect: () => {
      dropped.reset();
      dropped.inc({ by: 'queue' }, counts().droppedFromQueue);
      dropped.inc({ by: 'receiver' }, counts().droppedByReceiver);
    },
  });
}
