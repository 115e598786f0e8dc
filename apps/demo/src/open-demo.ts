import { randomBytes } from 'node:crypto';

import type { createWorld } from '@daybook/newswire';

import { addDays } from '../../server/src/foundation/calendar/calendar-date.ts';
import {
  addMonths,
  calendarMonthOf,
  firstDayOfMonth,
} from '../../server/src/foundation/calendar/calendar-month.ts';
import { dailyEditionDue } from '../../server/src/foundation/calendar/edition-calendar.ts';
import { shanghaiDateOf } from '../../server/src/foundation/calendar/shanghai-time.ts';
import { connectDatabase } from '../../server/src/foundation/database/database.ts';
import { createIdSource } from '../../server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { epochMicroseconds, instantToMs, parseTimestamptz } from '../../server/src/foundation/instant.ts';
import { createPublisher, rollWindow } from '../../server/src/record/index.ts';
import { Replay } from './replay.ts';

const seed = 20_260_101;
const itemsPerDay = 60;
const daysMax = 730;
/** Decisions of the last day are made again: most are refused as known, those a crash cut off are made up for. */
const day = 86_400_000_000n;

export interface Demo {
  readonly replay: Replay;
  readonly close: () => Promise<void>;
}

/** The world begins with the month before the first start, so that there is a whole month to report on. */
export async function openDemo(url: string, now: EpochMicroseconds, make: typeof createWorld): Promise<Demo> {
  const { database, pool, close } = connectDatabase({
    url: withoutSync(url),
    name: 'daybook demo',
    connectionsMax: 2,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 5_000,
  });
  const { rows } = await pool.query<{ first: string | null; last: string | null }>(
    'SELECT min(discovered_at)::text AS first, max(discovered_at)::text AS last FROM record.item',
  );
  const [first, last] = [instantOrNull(rows[0]?.first), instantOrNull(rows[0]?.last)];
  const month =
    first === null
      ? addMonths(calendarMonthOf(shanghaiDateOf(now)), -1)
      : calendarMonthOf(shanghaiDateOf(epochMicroseconds(first + day)));
  const startsAt = dailyEditionDue(addDays(firstDayOfMonth(month), -1));
  let time = now;
  const clock = { now: () => time, nowMs: () => instantToMs(time) };
  await rollWindow(database, startsAt);
  const replay = new Replay({
    publisher: createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) }),
    world: make({ seed, startsAt: instantToMs(startsAt), days: daysMax, itemsPerDay }),
    setTime: (at) => {
      time = at;
    },
    after: last === null ? null : epochMicroseconds(last - day),
  });
  return { replay, close };
}

/** What a crash of the database takes away is told again at the next start, so no commit need wait for the disk. */
function withoutSync(url: string): string {
  const relaxed = new URL(url);
  relaxed.searchParams.set('options', '-c synchronous_commit=off');
  return relaxed.href;
}

function instantOrNull(text: string | null | undefined): EpochMicroseconds | null {
  if (text === null || text === undefined) return null;
  const parsed = parseTimestamptz(text);
  if (!parsed.ok) throw new Error(`not an instant: ${text}`);
  return parsed.value;
}
