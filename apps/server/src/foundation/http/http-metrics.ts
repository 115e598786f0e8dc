import type { Registry } from 'prom-client';
import { Gauge, Histogram } from 'prom-client';

import type { LoadShedder } from './load-shedder.ts';

export interface HttpMetrics {
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
}

export function createHttpMetrics(registry: Registry, shedder: LoadShedder): HttpMetrics {
  const duration = new Histogram({
    name: 'daybook_http_request_duration_seconds',
    help: 'Time from request to the last byte handed to the socket, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  registerGauge(registry, 'daybook_http_requests_in_flight', 'Requests under way.', () => shedder.inFlight());
  registerGauge(
    registry,
    'daybook_event_loop_delay_seconds',
    'How late the event loop runs.',
    () => shedder.loopDelayMs() / 1000,
  );
  return {
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
  };
}

/** A number read when somebody asks for it. */
export function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const metric: Gauge = new Gauge({ name, help, registers: [], collect: () => metric.set(read()) });
  registry.registerMetric(metric);
}
