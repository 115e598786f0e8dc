import { addDays } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import type { CalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import { calendarMonthOf } from '../../../apps/server/src/foundation/calendar/calendar-month.ts';
import { isoWeekOf } from '../../../apps/server/src/foundation/calendar/iso-week.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import type { NewsStage } from '../news/news-stage.ts';

export interface CorrectedYear {
  readonly keys: readonly editions.EditionKey[];
  readonly withdrawn: ReadonlySet<string>;
  readonly corrected: number;
  /** A word of each item that no other text contains. */
  readonly markers: ReadonlyMap<string, string>;
}

const firstDay = '2023-01-01' as CalendarDate;
const itemsPerDay = 3;
const atATime = 4;

/** Issues the editions of so many days, withdraws and corrects items meanwhile, in random order and four at a time. */
export async function passCorrectedYear(
  stage: NewsStage,
  { days, random }: { readonly days: number; readonly random: () => number },
): Promise<CorrectedYear> {
  const { factory } = stage;
  const markers = new Map<Id<'item'>, string>();
  for (let n = 0; n < days * itemsPerDay; n += 1)
    markers.set(await factory.publishSelected({ title: `About m${n}x` }), `m${n}x`);
  const ids = [...markers.keys()];
  const keys = keysOf(days);
  const withdrawn = new Set<string>();
  let corrected = 0;
  const anyOf = (count: number): readonly Id<'item'>[] => [
    ...new Set(Array.from({ length: count }, () => ids[Math.floor(random() * ids.length)] as Id<'item'>)),
  ];
  const reason = 'It was wrong.';
  const withdraw = async (itemId: Id<'item'>): Promise<void> => {
    const done = await factory.publisher.withdrawItem({ itemId, reason });
    if (done.ok) withdrawn.add(itemId);
    else if (done.reason !== 'withdrawn_item') throw new Error(done.reason);
  };
  const correct = async (itemId: Id<'item'>): Promise<void> => {
    const title = `Rather about ${markers.get(itemId)}`;
    const done = await factory.publisher.correctItem({ itemId, changes: { title }, reason });
    if (done.ok) corrected += 1;
    else if (done.reason !== 'withdrawn_item' && done.reason !== 'nothing_corrected')
      throw new Error(done.reason);
  };
  const works = [
    ...keys.map((key) => () => issue(stage, key, anyOf, markers)),
    ...anyOf(days).map((itemId) => () => withdraw(itemId)),
    ...anyOf(days / 2).map((itemId) => () => correct(itemId)),
  ]
    .map((work) => ({ work, place: random() }))
    .sort((one, other) => one.place - other.place)
    .values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const { work } of works) await work();
    }),
  );
  return { keys, withdrawn, corrected, markers };
}

function keysOf(days: number): readonly editions.EditionKey[] {
  const dates = Array.from({ length: days }, (_, at) => addDays(firstDay, at));
  const labels = (kind: editions.EditionKind, periods: readonly string[]): editions.EditionKey[] =>
    [...new Set(periods)].map((period) => ({ kind, period }));
  return [
    ...labels('daily', dates),
    ...labels('weekly', dates.map(isoWeekOf)),
    ...labels('monthly', dates.map(calendarMonthOf)),
  ];
}

/** With words from two of its items in each language; what has been withdrawn meanwhile is left to other items. */
async function issue(
  { factory }: NewsStage,
  key: editions.EditionKey,
  anyOf: (count: number) => readonly Id<'item'>[],
  markers: ReadonlyMap<Id<'item'>, string>,
): Promise<void> {
  for (;;) {
    const [first, second, chinese, ...rest] = anyOf(9) as [
      Id<'item'>,
      Id<'item'>,
      Id<'item'>,
      ...Id<'item'>[],
    ];
    const contents = {
      headline: `About ${markers.get(first)}`,
      overview: `There is news of ${markers.get(first)} and ${markers.get(second)}.`,
      headlineCites: [first],
      overviewCites: [first, second],
      sections: [{ key: 'all', label: 'All', itemIds: [first, second] }],
      flashes: rest,
      versions: [
        {
          language: 'zh' as const,
          headline: `关于 ${markers.get(chinese)}`,
          overview: `关于 ${markers.get(chinese)} 和 ${markers.get(second)}。`,
          headlineCites: [chinese],
          overviewCites: [chinese, second],
        },
      ],
      reports: [{ language: 'zh' as const, entryId: first, itemId: chinese }],
    };
    const issued = await factory.publisher.issueEdition({ ...key, contents });
    if (issued.ok) return;
    if (issued.reason !== 'withdrawn_item') throw new Error(issued.reason);
  }
}
