import { describe, expect, test } from 'vitest';

import type { ArticleStep } from './article-workflow.ts';
import type { Fault } from './fault-schedule.ts';
import type { Mark } from './mark-evidence.ts';
import { classifyRepeats, findTakeovers } from './mark-evidence.ts';

const mark = (process: number, step: ArticleStep, kind: Mark['kind'], atMs: number): Mark => ({
  workflow: 'w',
  process,
  version: 1,
  step,
  kind,
  atMs,
});
const kill = (process: number, atMs: number): Fault => ({ kind: 'kill -9', atMs, processes: [process] });

describe('a step that began twice', () => {
  test('is excused when its process was struck inside it', () => {
    const marks = [mark(1, 'gather', 'start', 10_000), mark(2, 'gather', 'start', 22_000)];
    expect(classifyRepeats(marks, [kill(1, 10_200)])).toEqual({
      inside: 1,
      outside: [],
      inAnotherVersion: 0,
    });
  });

  test('is not excused when no fault struck its process', () => {
    const marks = [mark(1, 'gather', 'start', 10_000), mark(2, 'gather', 'start', 22_000)];
    expect(classifyRepeats(marks, [kill(2, 10_200)]).outside).toHaveLength(1);
  });

  test('is not excused when it had ended before the fault', () => {
    const marks = [
      mark(1, 'gather', 'start', 10_000),
      mark(1, 'gather', 'end', 10_300),
      mark(2, 'gather', 'start', 22_000),
    ];
    expect(classifyRepeats(marks, [kill(1, 12_000)]).outside).toHaveLength(1);
  });

  test('is not excused when its process had already gone on to the next step', () => {
    const marks = [
      mark(1, 'gather', 'start', 10_000),
      mark(1, 'gather', 'end', 10_300),
      mark(1, 'extract', 'start', 10_310),
      mark(2, 'gather', 'start', 22_000),
    ];
    expect(classifyRepeats(marks, [kill(1, 10_400)]).outside).toHaveLength(1);
  });
});

describe('a step that began again in another version', () => {
  const again = { ...mark(2, 'gather', 'start', 22_000), version: 2 } as const;

  test('is counted apart, wherever the fault fell', () => {
    const marks = [mark(1, 'gather', 'start', 10_000), mark(1, 'gather', 'end', 10_200), again];
    expect(classifyRepeats(marks, [kill(1, 12_000)])).toEqual({
      inside: 0,
      outside: [],
      inAnotherVersion: 1,
    });
  });

  test('does not excuse a repeat within that version', () => {
    const marks = [mark(1, 'gather', 'start', 10_000), again, { ...again, process: 3, atMs: 30_000 }];
    expect(classifyRepeats(marks, [kill(1, 10_200)]).outside).toHaveLength(1);
  });
});

test('a process that received SIGTERM may be inside a step until it has ended', () => {
  const marks = [mark(1, 'gather', 'start', 12_000), mark(2, 'gather', 'start', 14_000)];
  const deploy = (endedAtMs: number): Fault => ({ kind: 'deploy', atMs: 10_000, processes: [1], endedAtMs });
  expect(classifyRepeats(marks, [deploy(12_500)]).inside).toBe(1);
  expect(classifyRepeats(marks, [deploy(10_500)]).outside).toHaveLength(1);
});

test('a takeover is measured from the fault to the first sign of another process', () => {
  const marks = [mark(1, 'gather', 'start', 10_000), mark(2, 'gather', 'start', 22_000)];
  const endings = new Map([['w', { workflow: 'w', process: 2, atMs: 30_000 }]]);
  expect(findTakeovers(marks, endings, [kill(1, 10_200)])).toEqual([{ kind: 'kill -9', waitedMs: 11_800 }]);
  expect(findTakeovers(marks, endings, [])).toEqual([]);
});
