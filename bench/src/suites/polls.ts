import { randomUUID } from 'node:crypto';

import type { Suite } from '@daybook/evidence';
import type pg from 'pg';

import { hourMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database, DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { claimDueDomains, releaseDomain } from '../../../apps/server/src/ingest/leases/domain-lease-store.ts';
import { readNextDue } from '../../../apps/server/src/ingest/schedule/poll-store.ts';
import { withMeasuredDatabase } from '../measured-database.ts';
import { measurePollRates } from '../polls/poll-rates.ts';

const sizes = { quick: [1_000, 20_000], full: [1_000, 10_000, 100_000] } as const;
const claims = 100;
const sourcesPerDomain = 5;
/** A worker's default. */
const workerConnections = 10;

export const suite: Suite = {
  name: 'polls',
  nightly: true,
  summary:
    'cost of polling beside a loop that only fetches and parses, and of a claim with a growing number of sources',
  promise:
    'Claiming a domain with a due source, finding that source and releasing the domain reads at most 1.2 times as many database pages with 100,000 sources (20,000 with `--quick`) as with 1,000. The sources are spread over five per domain and over the next hour; a hundred claims run one after the other. Polls by the sweep of a worker, without spacing between requests, with full responses and with unchanged ones, reach at least half the rate of a bare loop that fetches and parses the same feeds; a hundred at a time. First polls, which store every entry, are listed separately. Memory does not grow with polls.',
  run: (context) =>
    withMeasuredDatabase(
      {},
      async (owner, application) => {
        const pages: number[] = [];
        for (const count of sizes[context.quick ? 'quick' : 'full']) {
          await fillTo(owner.pool, count);
          const perClaim = await pagesPerClaim(application);
          pages.push(perClaim);
          const name = `pages per claim, ${count.toLocaleString('en-US')} sources`;
          context.figure({ name, value: perClaim, unit: 'pages', isRecorded: true });
        }
        context.figure({
          name: 'growth from the fewest to the most sources',
          value: (pages.at(-1) ?? 0) / (pages[0] ?? 1),
          unit: 'times',
          goal: { atMost: 1.2 },
        });
        await owner.pool.query('TRUNCATE newsroom.source, newsroom.domain CASCADE');
        await measurePollRates(context, owner, application);
      },
      workerConnections,
    ),
};

/** So many sources, due one after the other over the next hour; the first hundred domains are due now. */
async function fillTo(pool: pg.Pool, count: number): Promise<void> {
  await pool.query('TRUNCATE newsroom.source, newsroom.domain CASCADE');
  await pool.query(
    `INSERT INTO newsroom.domain (name, due_at)
     SELECT 'site' || number || '.example', now() + (number - $2::int) * interval '1 hour' / $1::int
     FROM generate_series(1, $1::int / $3::int) AS number`,
    [count, claims, sourcesPerDomain],
  );
  await pool.query(
    `INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form, domain,
       created_at, state, due_at)
     SELECT uuidv7(), name, name, false, 3, 'editorial', 'https://' || name || '/feed' || number,
       '{"kind": "feed"}', name, now(), 'active', due_at + number * interval '10 minutes'
     FROM newsroom.domain, generate_series(0, $1::int - 1) AS number`,
    [sourcesPerDomain],
  );
  await pool.query('VACUUM (ANALYZE) newsroom.source, newsroom.domain');
}

/** The queries of the schedule itself, without the poll: claim, find the due source, release. */
async function pagesPerClaim({ database, pool }: DatabaseConnection): Promise<number> {
  let touched = 0;
  const counting = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const before = await pagesTouched(pool);
    const value = await work();
    touched += (await pagesTouched(pool)) - before;
    return value;
  };
  for (let claim = 0; claim < claims; claim += 1) {
    const now = systemClock.now();
    const request = { holder: randomUUID(), now, leaseMs: 60_000, domainsMax: 1 };
    const { lease, source } = await counting(() => claimSource(database, request));
    await database
      .updateTable('newsroom.source')
      .set({ due_at: new Date(systemClock.nowMs() + hourMs).toISOString() })
      .where('id', '=', source.id)
      .execute();
    await counting(() => releaseDomain(database, lease, { requestInMs: 0, pagesDueAt: now }));
  }
  return touched / claims;
}

async function claimSource(database: Database, request: Parameters<typeof claimDueDomains>[1]) {
  const [lease] = await claimDueDomains(database, request);
  if (lease === undefined) throw new Error('nothing was due');
  const polled = (await readNextDue(database, [lease.domain], request.now)).get(lease.domain)?.polled ?? null;
  if (polled === null) throw new Error('nothing was due');
  return { lease, source: polled.source };
}

async function pagesTouched(pool: pg.Pool): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ pages: string }>(
    `SELECT sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
       + coalesce(idx_blks_hit, 0))::text AS pages
     FROM pg_statio_all_tables WHERE schemaname = 'newsroom'`,
  );
  return Number(rows[0]?.pages ?? 0);
}
