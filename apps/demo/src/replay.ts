import type { Report, World } from '@daybook/newswire';

import type { CalendarDate } from '../../server/src/foundation/calendar/calendar-date.ts';
import { addDays } from '../../server/src/foundation/calendar/calendar-date.ts';
import { calendarMonthOf } from '../../server/src/foundation/calendar/calendar-month.ts';
import {
  dailyEditionDue,
  dailyEditionWindow,
  monthlyEditionDue,
  weeklyEditionDue,
} from '../../server/src/foundation/calendar/edition-calendar.ts';
import { isoWeekOf } from '../../server/src/foundation/calendar/iso-week.ts';
import { shanghaiDateOf } from '../../server/src/foundation/calendar/shanghai-time.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { epochMicroseconds } from '../../server/src/foundation/instant.ts';
import type { Publisher } from '../../server/src/record/index.ts';
import { chooseEdition } from './edition-choice.ts';
import { NewsroomMemory } from './newsroom-memory.ts';
import { publishReport } from './publish-report.ts';
import { tellReport } from './told-report.ts';

export interface ReplayDeps {
  readonly publisher: Publisher;
  readonly world: World;
  /** The publisher's clock: the replay sets it to the time it tells of. */
  readonly setTime: (now: EpochMicroseconds) => void;
  /** Everything up to here is in the record already. */
  readonly after: EpochMicroseconds | null;
}

const rankEvery = 5n * 60_000_000n;
const rankEveryLongAgo = 6n * 3_600_000_000n;
const lately = 86_400_000_000n;

/** Plays the world into the record up to now, and further whenever it is asked again. */
export class Replay {
  readonly #deps: ReplayDeps;
  readonly #memory = new NewsroomMemory();
  readonly #reports: Iterator<Report>;
  #next: Report | undefined;
  #rankedAt: bigint = 0n;
  #day: CalendarDate | null = null;

  constructor(deps: ReplayDeps) {
    this.#deps = deps;
    this.#reports = deps.world.reports()[Symbol.iterator]();
    this.#advance();
  }

  async playUntil(until: EpochMicroseconds, onProgress: (told: number) => void = () => {}): Promise<void> {
    let told = 0;
    for (;;) {
      const next = this.#next === undefined ? undefined : tellReport(this.#next);
      const now = next === undefined || next.at > until ? until : next.at;
      await this.#issueDue(now);
      await this.#rank(now, until);
      if (next === undefined || next.at > until) return;
      this.#memory.add(next);
      if (this.#mustWrite(next.at)) {
        this.#deps.setTime(next.at);
        await publishReport(this.#deps, this.#memory, next);
        onProgress((told += 1));
      }
      this.#advance();
    }
  }

  #advance(): void {
    const { done, value } = this.#reports.next();
    this.#next = done === true ? undefined : value;
  }

  #mustWrite(at: EpochMicroseconds): boolean {
    return this.#deps.after === null || at > this.#deps.after;
  }

  async #rank(now: EpochMicroseconds, until: EpochMicroseconds): Promise<void> {
    const every = until - now > lately ? rankEveryLongAgo : rankEvery;
    const at = epochMicroseconds(now - (now % every));
    if (at <= this.#rankedAt || !this.#mustWrite(at)) return;
    this.#rankedAt = at;
    this.#deps.setTime(at);
    await this.#deps.publisher.publishRanking({ candidates: this.#memory.heatCandidates(at), rankedAt: at });
  }

  /** Dailies first: weeklies and monthlies are compiled from them. */
  async #issueDue(now: EpochMicroseconds): Promise<void> {
    this.#day ??= addDays(shanghaiDateOf(now), 1);
    while (dailyEditionDue(this.#day) <= now) {
      const day = this.#day;
      const { start, end } = dailyEditionWindow(day);
      await this.#issue('daily', day, dailyEditionDue(day), this.#memory.selectedBetween(start, end));
      await this.#issueLonger(day);
      this.#day = addDays(day, 1);
    }
  }

  /** A week ends with a Sunday's daily, a month with its last day's. */
  async #issueLonger(day: CalendarDate): Promise<void> {
    const tomorrow = addDays(day, 1);
    const [week, month] = [isoWeekOf(day), calendarMonthOf(day)];
    if (isoWeekOf(tomorrow) !== week) {
      await this.#issue(
        'weekly',
        week,
        weeklyEditionDue(week),
        this.#citedOn((daily) => isoWeekOf(daily) === week),
      );
    }
    if (calendarMonthOf(tomorrow) !== month) {
      const cited = this.#citedOn((daily) => calendarMonthOf(daily) === month);
      await this.#issue('monthly', month, monthlyEditionDue(month), cited);
    }
  }

  #citedOn(isWithin: (daily: CalendarDate) => boolean): ReturnType<NewsroomMemory['selectedBetween']> {
    return [...this.#memory.dailies]
      .filter(([daily]) => isWithin(daily as CalendarDate))
      .flatMap(([, cited]) => cited);
  }

  async #issue(
    kind: 'daily' | 'weekly' | 'monthly',
    period: string,
    due: EpochMicroseconds,
    candidates: ReturnType<NewsroomMemory['selectedBetween']>,
  ): Promise<void> {
    const edition = chooseEdition(kind, period, candidates);
    if (edition === null) return;
    if (kind === 'daily') {
      const cited = new Set(edition.contents.sections.flatMap(({ itemIds }) => itemIds));
      this.#memory.dailies.set(
        period,
        candidates.filter(({ itemId }) => cited.has(itemId)),
      );
    }
    if (!this.#mustWrite(due)) return;
    this.#deps.setTime(due);
    await this.#deps.publisher.issueEdition(edition);
  }
}
