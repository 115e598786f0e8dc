import type { Registry } from 'prom-client';

import type { Database } from '../foundation/database/database.ts';
import { registerGauges } from '../foundation/metrics/gauges.ts';
import { countDueInspections } from './inspection/inspection-store.ts';

export function registerStorageMetrics(registry: Registry, database: Database): void {
  registerGauges(
    registry,
    { daybook_storage_uninspected: { help: 'Stored contents whose inspection is due.' } },
    async () => ({ daybook_storage_uninspected: await countDueInspections(database) }),
  );
}
