import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { addMs, epochMicroseconds, instantToMs } from '../../../apps/server/src/foundation/instant.ts';

/** The time that a file shows, the same at once for every process that reads it. */
export function fileClock(file: string): CalendarClock {
  const now = (): EpochMicroseconds => epochMicroseconds(BigInt(readFileSync(file, 'utf8')));
  return { now, nowMs: () => instantToMs(now()), speed: 1 };
}

export function setFileClock(file: string, now: EpochMicroseconds): void {
  replaceFile(file, String(now));
}

/** The system time plus the milliseconds in a file: it advances by itself, and can be moved. */
export function movedClock(file: string): CalendarClock {
  const now = (): EpochMicroseconds => addMs(systemClock.now(), Number(readFileSync(file, 'utf8')));
  return { now, nowMs: () => instantToMs(now()), speed: 1 };
}

export function moveClock(file: string, aheadMs: number): void {
  replaceFile(file, String(aheadMs));
}

/** Readers never see a partial file. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.next`, text);
  renameSync(`${file}.next`, file);
}
