import type { SuiteContext } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';

import type { CalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import { calendarMonthOf } from '../../../apps/server/src/foundation/calendar/calendar-month.ts';
import { isoWeekOf } from '../../../apps/server/src/foundation/calendar/iso-week.ts';
import { dayMs, hourMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import { addMs, instantToMs, isoMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { issueEdition } from '../../../apps/server/src/newsroom/editions/compile-edition.ts';
import { editionSettings } from '../../../apps/server/src/newsroom/index.ts';
import { rankStories } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { shippedStoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { editionCalendar } from '../../../apps/server/src/record/editions/edition-calendar.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import { publishAsItem } from '../../../apps/server/test/publish-item.ts';
import { playHistory } from '../../../apps/simulation/src/play-history.ts';
import { dueEditions } from '../editions/due-editions.ts';
import type { NewsStage } from '../news/news-stage.ts';
import type { ReplayedItem } from '../stories/replayed-items.ts';
import { readReplay } from '../stories/replayed-items.ts';

export const replayFile = 'replay/ai-news-34-days.jsonl';
/** Of the editions of both kinds of news. */
export const settings = editionSettings({ language: 'en' });

const itemsPerDay = 40;
/** Stories with reports in both languages are rare in real news; the first items, of ten days, have some. */
const replayedItems = { quick: 160, full: 1_600 };

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

type TestClock = ReturnType<typeof createTestClock>;

/** The items that are replayed, moved to end now, and a clock for their publication. */
export function openReplay(context: SuiteContext): {
  readonly items: readonly ReplayedItem[];
  readonly clock: TestClock;
} {
  const all = readReplay(context.data(replayFile)).items;
  const items = all.slice(0, replayedItems[context.quick ? 'quick' : 'full']);
  const shiftMs =
    instantToMs(systemClock.now()) - instantToMs((items.at(-1) as ReplayedItem).discoveredAt) - 60_000;
  const moved = items.map((item) => ({
    ...item,
    publishedAt: item.publishedAt === null ? null : addMs(item.publishedAt, shiftMs),
    discoveredAt: addMs(item.discoveredAt, shiftMs),
  }));
  return { items: moved, clock: createTestClock(isoMicroseconds((moved[0] as ReplayedItem).discoveredAt)) };
}

/** Publishes and selects each item at its time, issues the editions at theirs, and ranks. */
export async function replayNews(
  stage: NewsStage,
  { items, clock }: ReturnType<typeof openReplay>,
): Promise<void> {
  const { database, factory } = stage;
  const [first, last] = [items[0], items.at(-1)] as [ReplayedItem, ReplayedItem];
  const due = [...dueEditions({ from: first.discoveredAt, to: last.discoveredAt })];
  const deps = { clock, ids: factory.ids, aliases: aliasTable(builtInAliases()), model: shippedStoryModel() };
  for (const { source, url, key: _, ...item } of items) {
    while (due[0] !== undefined && due[0].dueAt <= item.discoveredAt) {
      const edition = due.shift() as (typeof due)[0];
      clock.set(isoMicroseconds(edition.dueAt));
      await issue(stage, edition);
    }
    clock.set(isoMicroseconds(item.discoveredAt));
    await retryConcurrentChanges(database, () =>
      database.transaction().execute((transaction) =>
        factory.publisher.within(transaction, (decisions) =>
          publishAsItem(deps, transaction, decisions, {
            ...item,
            source: factory.source(source),
            originalTitle: null,
            summary: '',
            category: 'industry' as const,
            originalUrl: url,
            score: null,
          }),
        ),
      ),
    );
    await factory.publisher.selectItem({ itemId: item.id, reason: 'First report, with concrete facts.' });
  }
  await rollWindow(database, systemClock.now());
  const ranking = { clock: systemClock, publisher: factory.publisher };
  await database.transaction().execute((transaction) => rankStories(ranking, transaction));
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
