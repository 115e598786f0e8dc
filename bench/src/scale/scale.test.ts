import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { readBenchmarks, readGuarantees } from '@daybook/evidence';
import { describe, expect, test } from 'vitest';

import { drawCurve } from './curve-picture.ts';
import { readCurves } from './curves.ts';
import { checkDocument, renewFigures } from './scale-document.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const recorded = {
  bench: readBenchmarks(read('docs/benchmarks.md')),
  prove: readGuarantees(read('docs/guarantees.md')),
};
const document = read('docs/scale.md');

describe('docs/scale.md', () => {
  test('shows only figures that a suite recorded, with its date', () => {
    expect(checkDocument(document, recorded)).toEqual([]);
  });

  test('names only suites that exist', () => {
    const named = [...document.matchAll(/`(bench|prove) ([\w-]+)`/g)];
    expect(named.length).toBeGreaterThan(10);
    for (const [, command, suite] of named)
      expect([suite, existsSync(`${root}${command}/src/suites/${suite}.ts`)]).toEqual([suite, true]);
  });

  test('shows every curve, as drawn from the recorded figures', () => {
    const curves = readCurves(recorded.bench);
    expect(curves.length).toBeGreaterThan(1);
    for (const curve of curves) {
      expect(document).toContain(`pictures/scale/${curve.file}.svg`);
      expect(read(`docs/pictures/scale/${curve.file}.svg`)).toBe(drawCurve(curve));
    }
    expect(readdirSync(`${root}docs/pictures/scale`)).toHaveLength(curves.length);
  });
});

describe('a row of docs/scale.md is refused', () => {
  const head = '| Part | Figure | Measured | Date | Limit |\n|---|---|---|---|---|\n';
  const row = (name: string, measured: string, date: string, limit = 'the processor'): string =>
    `${head}| Limits | ${name} | ${measured} | ${date} | ${limit} |`;
  const name = '`bench limits`: strict limiter, 1,000 rows';
  const known = {
    prove: [],
    bench: readBenchmarks(
      '|---|\n| limits | strict limiter, 1,000 rows | 1,254 decisions/s | 3,472 decisions/s | 0.381 |  | 2026-11-15 |\n',
    ),
  };
  const faultsOf = (text: string): readonly string[] => checkDocument(text, known);

  test('not if it is as recorded', () => {
    expect(faultsOf(row(name, '1,254 decisions/s', '2026-11-15'))).toEqual([]);
  });

  test('without a date', () => {
    expect(faultsOf(row(name, '1,254 decisions/s', 'today'))[0]).toBe('Limits: no date');
  });

  test('with a suite that does not exist, or a figure that it did not record', () => {
    for (const other of ['`bench limit`: strict limiter, 1,000 rows', '`bench limits`: other', 'thousands'])
      expect(faultsOf(row(other, '1,254 decisions/s', '2026-11-15'))).toEqual([
        `Limits: no suite recorded the figure ${other}`,
      ]);
  });

  test('with another figure or date, until it is renewed', () => {
    for (const text of [
      row(name, '1,300 decisions/s', '2026-11-15'),
      row(name, '1,254 decisions/s', '2026-11-14'),
    ]) {
      expect(faultsOf(text)).toEqual([
        `Limits: ${name} is 1,254 decisions/s of 2026-11-15. Run npm run scale.`,
      ]);
      expect(faultsOf(renewFigures(text, known))).toEqual([]);
    }
  });

  test('with a figure in a sentence', () => {
    expect(faultsOf(row(name, '1,254 decisions/s', '2026-11-15', 'about 500 M rows'))).toHaveLength(1);
    expect(faultsOf('One process serves 30,000 requests.')).toHaveLength(1);
    expect(faultsOf('See [0061](decisions/0061-archive.md) and `shared_buffers = 1GB`.')).toEqual([]);
    expect(faultsOf('See [the archive](decisions/0061-archive.md).')).toEqual([]);
  });
});
