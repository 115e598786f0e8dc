import { describe, expect, test } from 'vitest';

import { replaceRows } from './document.ts';
import type { Figure } from './figure.ts';
import type { Suite, SuiteResult } from './suite.ts';
import { runSuite } from './suite.ts';

async function figuresOf(run: Suite['run'], kind: 'bench' | 'prove' = 'prove'): Promise<readonly Figure[]> {
  const suite: Suite = { name: 'sample', summary: '', promise: '', run };
  const result = await runSuite(suite, {
    kind,
    quick: true,
    root: '/',
    onFigure: () => {},
    onNote: () => {},
  });
  return result.figures;
}

const rounds = (value: number): number[] => Array.from({ length: 9 }, (_, round) => value + round * 0.001);

describe('a figure with a goal', () => {
  test('passes at the goal and fails beside it', async () => {
    const figures = await figuresOf(async (context) => {
      context.figure({ name: 'lost', value: 0, unit: 'items', goal: { exactly: 0 } });
      context.figure({ name: 'doubled', value: 1, unit: 'items', goal: { exactly: 0 } });
    });
    expect(figures.map(({ holds, fails }) => [holds, fails])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('a figure known to miss its goal', () => {
  const missed: Suite['run'] = async (context) => {
    const goal = { atLeast: 0.72 };
    context.figure({ name: 'F1', value: 0.71, unit: '', goal, reached: 0.7 });
    context.figure({ name: 'F1', value: 0.69, unit: '', goal, reached: 0.7 });
  };

  test('counts as missed, and fails a benchmark only below what was reached; a proof at once', async () => {
    expect((await figuresOf(missed, 'bench')).map(({ holds, fails }) => [holds, fails])).toEqual([
      [false, false],
      [false, true],
    ]);
    expect((await figuresOf(missed)).map(({ fails }) => fails)).toEqual([true, true]);
  });
});

describe('a time beyond its goal', () => {
  const late: Suite['run'] = async (context) => {
    context.figure({ name: 'p95', value: 40, unit: 'ms', goal: { atMost: 30 } });
    context.figure({ name: 'p95', value: 61, unit: 'ms', goal: { atMost: 30 } });
    context.figure({ name: 'errors', value: 31, unit: 'requests', goal: { atMost: 30 } });
  };

  test('fails a proof at once, and a benchmark only where the machine no longer explains it', async () => {
    expect((await figuresOf(late)).map(({ fails }) => fails)).toEqual([true, true, true]);
    expect((await figuresOf(late, 'bench')).map(({ fails }) => fails)).toEqual([false, true, true]);
  });
});

describe('a ratio', () => {
  test('passes when its median reaches the goal', async () => {
    const [figure] = await figuresOf(async (context) =>
      context.ratio({ name: 'r', unit: 'x', ours: rounds(0.95), bare: rounds(1), goal: { atLeast: 0.9 } }),
    );
    expect(figure).toMatchObject({ holds: true, fails: false });
    expect(figure?.ratio).toBeCloseTo(0.95, 2);
  });

  test('does not pass if only its interval reaches the goal', async () => {
    const ours = [0.7, 0.75, 0.8, 0.8, 0.85, 0.95, 1, 1.05, 1.1];
    const figures = await figuresOf(async (context) => {
      context.ratio({ name: 'r', unit: 'x', ours, bare: ours.map(() => 1), goal: { atLeast: 0.9 } });
      context.ratio({ name: 'r', unit: 'x', ours, bare: ours.map(() => 1), goal: { atMost: 0.8 } });
    });
    for (const figure of figures) {
      expect(figure).toMatchObject({ ratio: 0.85, holds: false, fails: false });
      expect(figure.interval?.[0]).toBeLessThanOrEqual(0.8);
      expect(figure.interval?.[1]).toBeGreaterThanOrEqual(0.9);
    }
  });

  test('neither passes nor fails slightly below the goal, and fails far below', async () => {
    const figures = await figuresOf(async (context) => {
      context.ratio({ name: 'r', unit: 'x', ours: rounds(0.8), bare: rounds(1), goal: { atLeast: 0.9 } });
      context.ratio({ name: 'r', unit: 'x', ours: rounds(0.7), bare: rounds(1), goal: { atLeast: 0.9 } });
    });
    expect(figures.map(({ holds, fails }) => [holds, fails])).toEqual([
      [false, false],
      [false, true],
    ]);
  });
});

test('a goal known to be missed does not pass, and fails only below the reached value', async () => {
  const figures = await figuresOf(async (context) => {
    const known = { name: 'r', unit: 'x', bare: rounds(1), goal: { atLeast: 0.9 }, reached: 0.5 } as const;
    context.ratio({ ...known, ours: rounds(0.45) });
    context.ratio({ ...known, ours: rounds(0.3) });
  });
  expect(figures.map(({ holds, fails }) => [holds, fails])).toEqual([
    [false, false],
    [false, true],
  ]);
});

describe('the table of the document', () => {
  const table = '# Title\n\nText.\n\n| Suite | … |\n|---|---|\n| a | old |\n| m | old |\n| z | old |\n';
  const measured = (name: string, figures: readonly Figure[]): SuiteResult => ({
    suite: { name, summary: 'It keeps.', promise: '', headline: 'tri', run: async () => {} },
    figures,
    notRun: null,
    skipped: null,
    crashed: null,
    seconds: 0,
    secondsAtRest: 0,
  });

  test('gets one row for a proof, in place, with goals met, those missed and the headline', async () => {
    const figures = await figuresOf(async (context) => {
      context.figure({ name: 'lost', value: 3, unit: 'items', goal: { exactly: 0 } });
      context.figure({ name: 'doubled', value: 0, unit: 'items', goal: { exactly: 0 } });
      context.figure({ name: 'tried', value: 7, unit: 'items' });
    });
    const text = replaceRows(table, 'prove', '2026-11-17', [measured('m', figures)]);
    expect(text).toBe(
      table.replace(
        '| m | old |',
        '| m | It keeps. | 2026-11-17 | 1 of 2 goals met; missed: lost: 3 items; tried: 7 items |',
      ),
    );
    expect(replaceRows(text, 'prove', '2026-11-17', [measured('m', figures)])).toBe(text);
  });

  test('gets a row for each figure of a benchmark with a goal or a bare figure', async () => {
    const figures = await figuresOf(async (context) => {
      context.figure({ name: 'informs', value: 3, unit: 'items' });
      context.figure({ name: 'p95', value: 40, unit: 'ms', goal: { atMost: 30 } });
      context.ratio({ name: 'r', unit: 'x', ours: rounds(0.95), bare: rounds(1), goal: { atLeast: 0.9 } });
    }, 'bench');
    expect(replaceRows(table, 'bench', '2026-11-17', [measured('b', figures)])).toBe(
      table.replace(
        '| m |',
        '| b | p95 | 40 ms |  |  | <= 30, missed | 2026-11-17 |\n| b | r | 0.9540 x | 1.00 x | 0.950 | >= 0.9 | 2026-11-17 |\n| m |',
      ),
    );
  });

  test('stays as it is for a suite that did not run, or not to its end', () => {
    const absent = { ...measured('m', []), notRun: 'no nginx' };
    const skipped = { ...measured('y', []), skipped: 'no data set' };
    const crashed = { ...measured('z', []), crashed: 'no table' };
    expect(replaceRows(table, 'prove', '2026-11-17', [absent, skipped, crashed])).toBe(table);
  });
});
