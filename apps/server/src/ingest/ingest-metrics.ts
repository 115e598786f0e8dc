import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';

import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { registerGauges } from '../foundation/metrics/gauges.ts';
import type { OnPoll } from './schedule/poll-domain.ts';
import { countSourcesByHealth } from './sources/source-store.ts';

/** Every worker reports the same gauge: it is read from the database. The counter is of this process. */
export function registerIngestMetrics(
  registry: Registry,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): { readonly polled: OnPoll } {
  registerGauges(
    registry,
    { daybook_newsroom_sources: { help: 'Sources by health.', label: 'health' } },
    async () => ({ daybook_newsroom_sources: await countSourcesByHealth(database, clock.now()) }),
  );
  const polls = new Counter({
    name: 'daybook_newsroom_polls_total',
    help: 'Polls of sources by this process, by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { polled: (_, { isAnswered }) => polls.inc({ outcome: isAnswered ? 'answered' : 'failed' }) };
}
