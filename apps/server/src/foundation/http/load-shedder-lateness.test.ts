import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { LoadShedder } from './load-shedder.ts';
import { createLoadShedder } from './load-shedder.ts';

let [nowMs, cpuMs] = [0, 0];
let shedder: LoadShedder;

beforeEach(() => {
  vi.useFakeTimers();
  [nowMs, cpuMs] = [0, 0];
  shedder = createLoadShedder({
    inFlightMax: 1_000,
    streamsMax: 10,
    loopDelayMaxMs: 100,
    nowMs: () => nowMs,
    cpuMs: () => cpuMs,
  });
});
afterEach(() => {
  shedder.stop();
  vi.useRealTimers();
});

/** One turn of the loop with this duration and this processor time of the process. */
function turnOfLoop(tookMs: number, workedMs: number): void {
  nowMs += tookMs;
  cpuMs += workedMs;
}

const isRefused = (): boolean => {
  try {
    shedder.enter();
    return false;
  } catch {
    return true;
  }
};

test('serves a visitor on a machine kept busy by other programs, however late the loop is', () => {
  for (let turn = 0; turn < 10; turn += 1) {
    turnOfLoop(2_000, 20);
    expect(isRefused()).toBe(false);
    vi.advanceTimersByTime(50);
    expect(isRefused()).toBe(false);
  }
});

test('refuses requests that wait behind the process’s own work until the loop has been on time for a while', () => {
  turnOfLoop(1_000, 900);
  expect(isRefused()).toBe(true);
  vi.advanceTimersByTime(50);
  expect(isRefused()).toBe(true);
  for (let turn = 0; turn < 5; turn += 1) {
    turnOfLoop(50, 1);
    vi.advanceTimersByTime(50);
  }
  expect(isRefused()).toBe(false);
});

test('refuses the last of very many requests in one late turn, whatever made it late', () => {
  turnOfLoop(1_000, 10);
  const refused = Array.from({ length: 60 }, isRefused);
  expect(refused.slice(0, 50)).not.toContain(true);
  expect(refused.slice(50)).not.toContain(false);
});
