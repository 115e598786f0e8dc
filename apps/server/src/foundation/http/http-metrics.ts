import type { Registry } from 'prom-client';
import { Counter, Histogram } from 'prom-client';

import { registerGauge } from '../metrics/gauges.ts';
import type { LoadShedder } from './load-shedder.ts';

export interface HttpMetrics {
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
  /** Counters of cached responses: incremented by the sender, read by the metrics endpoint. */
  readonly countCached: (route: string, status: number) => CachedCounts;
}

export interface CachedCounts {
  answers: number;
}

export function createHttpMetrics(registry: Registry, shedder: LoadShedder): HttpMetrics {
  const duration = new Histogram({
    name: 'daybook_http_request_duration_seconds',
    help: 'Time from request to the last byte handed to the socket, by route and status; cached responses are sampled, one in 16.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  registerGauge(registry, 'daybook_http_requests_in_flight', 'Requests in progress.', () =>
    shedder.inFlight(),
  );
  registerGauge(registry, 'daybook_http_streams_open', 'Uploads and downloads in progress.', () =>
    shedder.streams(),
  );
  registerGauge(
    registry,
    'daybook_event_loop_delay_seconds',
    'Delay of the event loop.',
    () => shedder.loopDelayMs() / 1000,
  );
  return {
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    countCached: registerCachedCounts(registry),
  };
}

/** A labelled counter costs more than a cached response's other metrics, so plain numbers are summed on demand. */
function registerCachedCounts(registry: Registry): HttpMetrics['countCached'] {
  const cached = new Map<string, CachedCounts & { readonly route: string; readonly status: number }>();
  const metric: Counter<'route' | 'status'> = new Counter({
    name: 'daybook_http_cached_responses_total',
    help: 'Responses from cached copies, sent before routing.',
    labelNames: ['route', 'status'],
    registers: [],
    collect: () => {
      metric.reset();
      for (const { route, status, answers } of cached.values()) metric.inc({ route, status }, answers);
    },
  });
  registry.registerMetric(metric);
  return (route, status) => {
    const key = `${status} ${route}`;
    let counts = cached.get(key);
    if (counts === undefined) cached.set(key, (counts = { route, status, answers: 0 }));
    return counts;
  };
}
