import type { Registry } from 'prom-client';

import type { Database } from '../database/database.ts';
import type { GaugeReading } from '../metrics/gauges.ts';
import { registerGauges } from '../metrics/gauges.ts';
import type { OutboxBacklog } from './outbox-store.ts';
import { readBacklog } from './outbox-store.ts';

/** For the outboxes with these names and tables. */
export function registerMailMetrics(
  registry: Registry,
  database: Database,
  tables: Readonly<Record<string, string>>,
): void {
  const label = 'outbox';
  registerGauges(
    registry,
    {
      daybook_mail_waiting: { help: 'E-mails that are due and not sent.', label },
      daybook_mail_oldest_seconds: {
        help: 'Age of the oldest unsent e-mail that the server has not refused.',
        label,
      },
      daybook_mail_undelivered: { help: 'E-mails of the last day that were not delivered.', label },
    },
    async () => {
      const backlogs = await Promise.all(
        Object.entries(tables).map(
          async ([name, table]) => [name, await readBacklog(database, table)] as const,
        ),
      );
      const by = (figure: keyof OutboxBacklog): GaugeReading =>
        new Map(backlogs.map(([name, backlog]) => [name, backlog[figure]]));
      return {
        daybook_mail_waiting: by('waiting'),
        daybook_mail_oldest_seconds: by('oldestSeconds'),
        daybook_mail_undelivered: by('undelivered'),
      };
    },
  );
}
