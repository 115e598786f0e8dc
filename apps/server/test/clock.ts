import type { CalendarClock } from '../src/foundation/clock.ts';
import type { EpochMicroseconds } from '../src/foundation/instant.ts';
import {
  epochMicroseconds,
  instantToMs,
  parseIsoInstant,
  temporalInstant,
} from '../src/foundation/instant.ts';

interface TestClock extends CalendarClock {
  readonly set: (time: string) => void;
  readonly advance: (duration: Temporal.DurationLike) => void;
}

/** A clock that moves only when a test moves it. Times in an ISO form with milliseconds or microseconds. */
export function createTestClock(start: string): TestClock {
  let current = instantOf(start);
  return {
    now: () => current,
    nowMs: () => instantToMs(current),
    speed: 1,
    set: (time) => {
      current = instantOf(time);
    },
    advance: (duration) => {
      const moved = temporalInstant(current).toZonedDateTimeISO('UTC').add(duration);
      current = epochMicroseconds(moved.epochNanoseconds / 1000n);
    },
  };
}

function instantOf(text: string): EpochMicroseconds {
  const parsed = parseIsoInstant(text);
  if (!parsed.ok) throw new Error(`${parsed.reason} instant: ${text}`);
  return parsed.value;
}
