import type { Registry } from 'prom-client';

import type { Database } from '../../foundation/database/database.ts';
import { registerGauges } from '../../foundation/metrics/gauges.ts';
import { countLogBacklog } from './log-store.ts';

export function registerLogMetrics(registry: Registry, database: Database): void {
  registerGauges(
    registry,
    {
      daybook_log_entries_waiting: { help: 'Published changes without a place in the public log.' },
      daybook_log_oldest_waiting_seconds: {
        help: 'Age of the oldest published change without a place in the public log.',
      },
      daybook_log_entries_unsigned: { help: 'Entries of the public log that no checkpoint covers yet.' },
    },
    async () => {
      const { waiting, oldestSeconds, unsigned } = await countLogBacklog(database);
      return {
        daybook_log_entries_waiting: waiting,
        daybook_log_oldest_waiting_seconds: oldestSeconds,
        daybook_log_entries_unsigned: unsigned,
      };
    },
  );
}
