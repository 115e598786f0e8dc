import type { Registry } from 'prom-client';

import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import type { Logger } from '../foundation/logger.ts';
import type { SendMail } from '../foundation/mail/smtp-sender.ts';
import { registerGauges } from '../foundation/metrics/gauges.ts';
import { createWatchMailSweep } from './mails/send-watch-mail.ts';
import { removeOldMail } from './mails/watch-mail-store.ts';
import { createMatchSweep } from './matching/match-sweep.ts';
import { refileSearches } from './searches/refile-searches.ts';
import { readWatchBacklog, removeEndedAddresses, removeOldMatches } from './watch-housekeeping-store.ts';
import type { DeliverWebhooksDeps } from './webhooks/deliver-webhooks.ts';
import { createWebhookSweep } from './webhooks/deliver-webhooks.ts';
import { removeOldDeliveries } from './webhooks/delivery-store.ts';

export interface WatchWorkDeps extends DeliverWebhooksDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Null without a mail server: no mail of searches is sent. */
  readonly sendMail: SendMail | null;
}

/** The background work of saved searches. */
export function watchWork({ sendMail, ...deps }: WatchWorkDeps): EngineDeclarations {
  const { database, clock } = deps;
  const mail = sendMail === null ? [] : [createWatchMailSweep({ ...deps, sendMail })];
  return {
    sweeps: [createMatchSweep(deps), createWebhookSweep(deps), ...mail],
    recurringTasks: [
      {
        name: 'refile-saved-searches',
        every: 'day',
        run: (context) => context.step('refile', () => refileSearches(database)),
      },
      {
        name: 'watch-housekeeping',
        every: 'day',
        run: (context) =>
          context.step('remove', async () => {
            const now = clock.now();
            const removed = [removeOldMatches, removeOldMail, removeOldDeliveries, removeEndedAddresses];
            let rows = 0;
            for (const remove of removed) rows += await remove(database, now);
            return rows;
          }),
      },
    ],
  };
}

export function registerWatchMetrics(registry: Registry, database: Database): void {
  registerGauges(
    registry,
    {
      daybook_watch_entries_waiting: {
        help: 'Entries of the public log not yet compared with saved searches.',
      },
      daybook_webhook_deliveries_waiting: { help: 'Deliveries to webhooks that are due.' },
      daybook_webhook_oldest_delivery_seconds: { help: 'Age of the oldest due delivery to a webhook.' },
    },
    async () => {
      const { entries, deliveries, oldestDeliverySeconds } = await readWatchBacklog(database);
      return {
        daybook_watch_entries_waiting: entries,
        daybook_webhook_deliveries_waiting: deliveries,
        daybook_webhook_oldest_delivery_seconds: oldestDeliverySeconds,
      };
    },
  );
}
