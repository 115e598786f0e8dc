import type { SuiteContext } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';

import type { CalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import { calendarMonthOf } from '../../../apps/server/src/foundation/calendar/calendar-month.ts';
import { isoWeekOf } from '../../../apps/server/src/foundation/calendar/iso-week.ts';
import { dayMs, hourMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import { addMs, instantToMs, isoMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { Source } from '../../../apps/server/src/ingest/index.ts';
import { createFetcher, settingsFor } from '../../../apps/server/src/ingest/index.ts';
import { landFeed } from '../../../apps/server/src/ingest/land/land-feed.ts';
import { issueEdition } from '../../../apps/server/src/newsroom/editions/compile-edition.ts';
import { editionSettings } from '../../../apps/server/src/newsroom/index.ts';
import { editionCalendar } from '../../../apps/server/src/record/editions/edition-calendar.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import { InlineNewsroom } from '../../../apps/simulation/src/inline-newsroom.ts';
import { playHistory } from '../../../apps/simulation/src/play-history.ts';
import type { NewsStage } from '../news/news-stage.ts';
import type { ReplayedList } from '../stories/replayed-items.ts';
import { feedUrlOf, readReplayedLists } from '../stories/replayed-items.ts';

export const replayFile = 'replay/ai-news-34-days.jsonl';
/** Of the editions of both kinds of news. */
export const settings = editionSettings({ language: 'en' });

const itemsPerDay = 40;
/** Of 34 days; stories with reports in both languages are rare in real news. */
const replayedRows = { quick: 300, full: 10_000 };

/** News of simulated publishers until now, with the editions that were due. */
export async function simulateNews({ quick }: SuiteContext, stage: NewsStage): Promise<void> {
  const { database } = stage;
  const until = systemClock.now();
  const worldStartsAt = addMs(until, -(quick ? 4 : 32) * dayMs);
  // The first poll of a source also brings what it published before.
  const startsAt = addMs(worldStartsAt, quick ? 3 * dayMs - hourMs : dayMs);
  const world = createWorld({
    seed: 7,
    startsAt: instantToMs(worldStartsAt),
    days: quick ? 5 : 33,
    itemsPerDay,
  });
  await playHistory(database, { world, startsAt }, { until, language: 'en' });
  await issueCurrentEditions(stage);
}

/** The lists that are replayed, moved to end now, and the clock of the newsroom that reads them. */
export function openReplay(context: SuiteContext): Replay {
  const rowsMax = replayedRows[context.quick ? 'quick' : 'full'];
  const lists = readReplayedLists(context.data(replayFile), rowsMax, systemClock.nowMs() - 60_000);
  return { lists, clock: createTestClock(isoMicroseconds((lists[0] as ReplayedList).discoveredAt)) };
}

interface Replay {
  readonly lists: readonly ReplayedList[];
  readonly clock: ReturnType<typeof createTestClock>;
}

/** A worker's newsroom reads each list at its time: it judges, publishes, ranks and issues editions by its own code. */
export async function replayNews(stage: NewsStage, { lists, clock }: Replay): Promise<void> {
  const { database, factory } = stage;
  const { ids, publisher } = factory;
  const fetcher = createFetcher({ userAgent: 'Daybook/prove', clock, examplePort: 1 });
  const pace = { intervalMinMs: dayMs, intervalMaxMs: dayMs, spacingMs: 0 };
  const deps = { database, clock, ids, publisher, fetcher, language: 'en', random: () => 0, pace } as const;
  const newsroom = new InlineNewsroom(deps, 1);
  const names = [...new Set(lists.map(({ source }) => source))];
  await newsroom.addSources(
    names.map((name) => settingsFor(new URL(feedUrlOf(name)), { name, owner: name, language: null })),
  );
  const sources = new Map((await newsroom.sources()).map((source) => [source.name, source]));
  let hour = -1;
  for (const [at, ofTime] of Map.groupBy(lists, ({ discoveredAt }) => discoveredAt)) {
    clock.set(isoMicroseconds(at));
    await newsroom.issueDue();
    for (const { source, feed } of ofTime)
      await retryConcurrentChanges(database, () =>
        database.transaction().execute((transaction) =>
          landFeed({ ids }, transaction, {
            source: sources.get(source) as Source,
            feed,
            now: at,
            isFirstImport: false,
          }),
        ),
      );
    await newsroom.sweep();
    const thisHour = Math.floor(clock.nowMs() / hourMs);
    if (thisHour !== hour) await newsroom.workOfTheHour();
    hour = thisHour;
  }
  clock.set(isoMicroseconds(systemClock.now()));
  await newsroom.sweep();
  await newsroom.issueDue();
  await newsroom.workOfTheHour();
  await rollWindow(database, systemClock.now());
  await fetcher.close();
  await issueCurrentEditions(stage);
}

/** Without waiting for missing dailies: of the first and the current day none exists. */
async function issue({ database, factory }: NewsStage, key: editions.EditionKey): Promise<void> {
  const later = addMs(systemClock.now(), 62 * dayMs);
  const clock = { now: () => later, nowMs: () => instantToMs(later) };
  const deps = { ...settings, clock, publisher: factory.publisher };
  await retryConcurrentChanges(database, () =>
    database.transaction().execute((transaction) => issueEdition(deps, transaction, key)),
  );
}

/** The daily of the coming hours, and the weekly and the monthly of its day, from the dailies so far. */
async function issueCurrentEditions(stage: NewsStage): Promise<void> {
  const now = systemClock.now();
  const [day] = editionCalendar.daily.dueBetween(now, addMs(now, dayMs)) as [CalendarDate];
  await issue(stage, { kind: 'daily', period: day });
  await issue(stage, { kind: 'weekly', period: isoWeekOf(day) });
  await issue(stage, { kind: 'monthly', period: calendarMonthOf(day) });
}
