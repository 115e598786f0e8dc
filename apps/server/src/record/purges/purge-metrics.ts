import type { Registry } from 'prom-client';

import type { Database } from '../../foundation/database/database.ts';
import { registerGauges } from '../../foundation/metrics/gauges.ts';
import { countEdgePurges } from './edge-purge-store.ts';

export function registerPurgeMetrics(registry: Registry, database: Database): void {
  registerGauges(
    registry,
    {
      daybook_edge_purges_waiting: {
        help: 'Withdrawals and corrections that a shared cache has not dropped yet.',
      },
      daybook_edge_purges_oldest_seconds: {
        help: 'Age of the oldest withdrawal or correction that a shared cache has not dropped.',
      },
    },
    async () => {
      const { waiting, oldestSeconds } = await countEdgePurges(database);
      return { daybook_edge_purges_waiting: waiting, daybook_edge_purges_oldest_seconds: oldestSeconds };
    },
  );
}
