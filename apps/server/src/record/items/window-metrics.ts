import type { Registry } from 'prom-client';

import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { registerGauges } from '../../foundation/metrics/gauges.ts';
import { countDaysAhead } from './window-store.ts';

export function registerWindowMetrics(registry: Registry, database: Database, clock: Clock): void {
  registerGauges(
    registry,
    {
      daybook_record_days_ahead: { help: 'Days after today for which the window of items has a partition.' },
    },
    async () => ({ daybook_record_days_ahead: await countDaysAhead(database, clock.now()) }),
  );
}
