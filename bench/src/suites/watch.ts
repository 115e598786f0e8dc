import type { Suite, SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database, DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { parseEmailAddress } from '../../../apps/server/src/foundation/mail/email-address.ts';
import { parseUsername } from '../../../apps/server/src/identity/accounts/account.ts';
import { operatorClient } from '../../../apps/server/src/identity/client.ts';
import { createAccount } from '../../../apps/server/src/identity/registration/create-account.ts';
import { sequenceEntries } from '../../../apps/server/src/record/log/sequence-log.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { matchNextChanges } from '../../../apps/server/src/watch/matching/match-changes.ts';
import { refileSearches } from '../../../apps/server/src/watch/searches/refile-searches.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { withMeasuredDatabase } from '../measured-database.ts';
import { drawSearches, insertSearches } from '../watch/stored-searches.ts';
import { readWatchedTexts, watchDataSets } from '../watch/watched-texts.ts';

/** The first one is the base of the growth, the last one that of the goals. */
const searchCounts = [10_000, 30_000, 100_000] as const;
const [searchesFew, , searchesMany] = searchCounts;
const searchesOfAccount = 50;
const withinMs = 5;
const matchesMax = 20;
const growthMax = 1.5;
/** Compared alone, as in quiet hours, and in the batches of a burst. */
const amounts = {
  quick: { window: 2_000, alone: 60, burst: 600 },
  full: { window: 10_000, alone: 300, burst: 4_000 },
};

export const suite: Suite = {
  name: 'watch',
  nightly: true,
  summary: 'comparing an item with 100,000 saved searches, beside 10,000',
  promise:
    'A new item is compared with 100,000 saved searches within 5 ms at the median, and with at most 1.5 times the time of 10,000, alone and in a burst. Items and searches are made of the words of real titles in English and Chinese, and no title is in both: the first searches have one word, until they match about nine times an item, the others two or three words that follow each other, one of them rarer than in 2,000 items. An item has at most 20 matches on average, which are stored in the measured time.',
  dataSets: watchDataSets,
  run: (context) =>
    withMeasuredDatabase({ shared_buffers: '512MB' }, (owner, application) =>
      measureWatch(context, owner, application),
    ),
};

interface Measured {
  readonly searches: number;
  readonly aloneMs: number;
  readonly burstMs: number;
  readonly matchesOfItem: number;
}

async function measureWatch(
  context: SuiteContext,
  owner: DatabaseConnection,
  { database }: DatabaseConnection,
): Promise<void> {
  const amount = amounts[context.quick ? 'quick' : 'full'];
  const texts = readWatchedTexts(context, 5);
  const factory = createRecordFactory({ database, clock: systemClock });
  await rollWindow(database, systemClock.now());
  const publish = async (count: number, atOnce: number): Promise<void> => {
    for (let at = 0; at < count; at += atOnce) {
      const items = Array.from({ length: Math.min(atOnce, count - at) }, () =>
        factory.draft(texts.nextItem()),
      );
      valueOf(await factory.publisher.publishItems({ items }));
    }
    while ((await database.transaction().execute(sequenceEntries)) > 0);
  };
  await publish(amount.window, 100);
  await compareAll(database);
  await refileSearches(database);
  const accountIds = await createAccounts(database, factory.ids, searchesMany / searchesOfAccount);
  const searches = drawSearches(texts, searchesMany);
  const measure = async (): Promise<Omit<Measured, 'searches'>> => {
    await owner.pool.query('VACUUM (ANALYZE)');
    const alone: number[] = [];
    for (let at = 0; at < amount.alone; at += 1) {
      await publish(1, 1);
      alone.push(...(await compareAll(database)).map(({ ms }) => ms));
    }
    await publish(amount.burst, 100);
    const burst = await compareAll(database);
    return {
      aloneMs: median(alone),
      burstMs: median(burst.map(({ ms, items }) => ms / items)),
      matchesOfItem: burst.reduce((sum, { matches }) => sum + matches, 0) / amount.burst,
    };
  };
  context.figure({
    name: 'searches for one word',
    value: searches.filter((q) => !q.includes(' ')).length,
    unit: 'searches',
  });
  const measured: Measured[] = [];
  for (const [at, count] of searchCounts.entries()) {
    const added = searches.slice(searchCounts[at - 1] ?? 0, count);
    await insertSearches(database, factory.ids, added, accountIds);
    measured.push({ ...(await measure()), searches: count });
  }
  report(context, measured);
}

interface Compared {
  readonly ms: number;
  readonly items: number;
  readonly matches: number;
}

/** As the worker does: a transaction for each part of the log. */
async function compareAll(database: Database): Promise<readonly Compared[]> {
  const all: Compared[] = [];
  for (;;) {
    const startedAt = performance.now();
    const compared = await database
      .transaction()
      .execute((transaction) => matchNextChanges(transaction, systemClock.now()));
    if (compared === null) return all;
    const { items, matches } = compared;
    if (items > 0) all.push({ ms: performance.now() - startedAt, items, matches: matches.length });
  }
}

async function createAccounts(database: Database, ids: WatchIds, count: number): Promise<readonly string[]> {
  return database.transaction().execute(async (transaction) => {
    const made: string[] = [];
    for (let at = 0; at < count; at += 1) {
      made.push(
        await createAccount(
          transaction,
          { clock: systemClock, ids },
          {
            username: valueOf(parseUsername(`reader-${at}`)),
            email: valueOf(parseEmailAddress(`reader${at}@example.org`)),
            name: `reader ${at}`,
            passwordHash: null,
            joins: null,
            client: operatorClient,
          },
        ),
      );
    }
    return made;
  });
}

type WatchIds = ReturnType<typeof createRecordFactory>['ids'];

function report({ figure }: SuiteContext, measured: readonly Measured[]): void {
  const growth = `growth from ${searchesFew.toLocaleString('en-US')} to ${named(searchesMany)}`;
  const isGoal = ({ searches }: Measured): boolean => searches === searchesMany;
  for (const one of measured)
    figure({
      name: `matches an item, ${named(one.searches)}`,
      value: one.matchesOfItem,
      unit: 'matches',
      ...(isGoal(one) && { goal: { atMost: matchesMax } }),
    });
  for (const [name, key] of [
    ['an item alone', 'aloneMs'],
    ['an item of a burst', 'burstMs'],
  ] as const) {
    for (const one of measured)
      figure({
        name: `${name}, ${named(one.searches)}, median`,
        value: one[key],
        unit: 'ms',
        isRecorded: true,
        ...(isGoal(one) && { goal: { atMost: withinMs } }),
      });
    figure({
      name: `${name}: ${growth}`,
      value: (measured.at(-1)?.[key] ?? NaN) / (measured[0]?.[key] ?? NaN),
      unit: '×',
      goal: { atMost: growthMax },
    });
  }
}

const named = (searches: number): string => `${searches.toLocaleString('en-US')} searches`;
