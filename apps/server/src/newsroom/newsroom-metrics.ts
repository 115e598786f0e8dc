import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';

import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EditionSet } from '../foundation/engine/engine-declarations.ts';
import type { GaugeReading } from '../foundation/metrics/gauges.ts';
import { registerGauges } from '../foundation/metrics/gauges.ts';
import { readNewsNumbers } from './newsroom-numbers-store.ts';
import { countUnpublished } from './publication/publication-numbers-store.ts';
import type { PublicationEvents } from './publication/publish-entries.ts';
import { termsVersion } from './stories/matching/stored-item.ts';
import { countOutdatedItems } from './stories/reindex-store.ts';

/** An edition is compiled within a minute and a half of its hour; a much longer delay indicates a fault. */
const lateAfterMs = 15 * 60_000;

/** Gauges are read from the database at every scrape, so that every worker returns the same values. */
export function registerNewsroomMetrics(
  registry: Registry,
  deps: { readonly database: Database; readonly clock: Clock; readonly editions: readonly EditionSet[] },
): PublicationEvents {
  registerGauges(registry, gauges, () => readGauges(deps));
  const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
    new Counter({ name: `daybook_newsroom_${name}`, help, labelNames, registers: [registry] });
  const published = counter('published_entries_total', 'Entries published or revised by this process.');
  const retries = counter(
    'publication_retries_total',
    'Batches of publication that this process repeated after a transient error.',
    ['cause'],
  );
  const failures = counter('publication_failures_total', 'Entries that could not be published.');
  return {
    published: (entries) => published.inc(entries),
    retried: (cause) => retries.inc({ cause }),
    failed: () => failures.inc(),
  };
}

const gauges = {
  daybook_newsroom_unpublished_entries: {
    help: 'Entries whose newest revision is not shown: waiting, failed, held or declined.',
    label: 'state',
  },
  daybook_newsroom_unpublished_oldest_seconds: {
    help: 'Age of the oldest entry that waits for publication.',
  },
  daybook_newsroom_digests_due: { help: 'Digests of stories that are due.' },
  daybook_newsroom_story_items_outdated: {
    help: 'Items of the story index that wait to be read by the current rules.',
  },
  daybook_newsroom_newest_item_seconds: { help: 'Age of the newest item that readers see.' },
  daybook_newsroom_late_editions: {
    help: 'Editions that should have been published 15 minutes ago.',
    label: 'edition',
  },
} as const;

async function readGauges({
  database,
  clock,
  editions,
}: Parameters<typeof registerNewsroomMetrics>[1]): Promise<Record<keyof typeof gauges, GaugeReading>> {
  const now = clock.now();
  const unpublished = await countUnpublished(database, now);
  const { newestItemSeconds, digestsDue } = await readNewsNumbers(database, now);
  return {
    daybook_newsroom_unpublished_entries: new Map(
      ['waiting', 'failed', 'held', 'declined'].map((state) => [
        state,
        unpublished.find((one) => one.state === state)?.entries ?? 0,
      ]),
    ),
    daybook_newsroom_unpublished_oldest_seconds:
      unpublished.find(({ state }) => state === 'waiting')?.oldestSeconds ?? 0,
    daybook_newsroom_digests_due: digestsDue,
    daybook_newsroom_story_items_outdated: await countOutdatedItems(database, termsVersion),
    daybook_newsroom_newest_item_seconds: newestItemSeconds ?? 0,
    daybook_newsroom_late_editions: await countLateEditions(database, editions, clock.nowMs()),
  };
}

async function countLateEditions(
  database: Database,
  editions: readonly EditionSet[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const late = new Map<string, number>();
  for (const { name, due, existing } of editions) {
    const keys = due(nowMs - lateAfterMs);
    const made = await database
      .transaction()
      .execute(async (transaction) => existing?.(transaction, keys) ?? new Set(keys));
    late.set(name, keys.filter((key) => !made.has(key)).length);
  }
  return late;
}
