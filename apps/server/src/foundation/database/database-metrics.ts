import type pg from 'pg';
import type { Registry } from 'prom-client';

import { registerGauge } from '../metrics/gauges.ts';

export function registerDatabaseMetrics(registry: Registry, pools: Readonly<Record<string, pg.Pool>>): void {
  for (const [name, pool] of Object.entries(pools)) {
    registerGauge(
      registry,
      `daybook_database_${name}_connections`,
      `Connections of the ${name} login.`,
      () => pool.totalCount,
    );
    registerGauge(
      registry,
      `daybook_database_${name}_idle_connections`,
      `Idle connections of the ${name} login.`,
      () => pool.idleCount,
    );
    registerGauge(
      registry,
      `daybook_database_${name}_waiting`,
      'Callers that wait for a connection.',
      () => pool.waitingCount,
    );
  }
}
