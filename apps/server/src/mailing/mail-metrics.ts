import type { Registry } from 'prom-client';

import type { Database } from '../foundation/database/database.ts';
import { registerGauges } from '../foundation/metrics/gauges.ts';
import { countOpenDeliveries } from './delivery-store.ts';

export function registerMailMetrics(registry: Registry, database: Database): void {
  registerGauges(
    registry,
    {
      daybook_mail_waiting: { help: 'Mails to readers that are due and not sent.' },
      daybook_mail_undelivered: { help: 'Mails to readers of the last day that were given up.' },
    },
    async () => {
      const { waiting, undelivered } = await countOpenDeliveries(database);
      return { daybook_mail_waiting: waiting, daybook_mail_undelivered: undelivered };
    },
  );
}
