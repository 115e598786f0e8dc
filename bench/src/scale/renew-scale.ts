import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readBenchmarks, readGuarantees } from '@daybook/evidence';

import { drawCurve } from './curve-picture.ts';
import { readCurves } from './curves.ts';
import { checkDocument, renewCurves, renewFigures } from './scale-document.ts';

/**
 * Writes the figures of docs/scale.md as the last full runs recorded them, and draws the curves of the same figures.
 * Returns what is still wrong.
 */
export function renewScale(root: string): readonly string[] {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const recorded = {
    bench: readBenchmarks(read('docs/benchmarks.md')),
    prove: readGuarantees(read('docs/guarantees.md')),
  };
  const curves = readCurves(recorded.bench);
  const document = renewCurves(renewFigures(read('docs/scale.md'), recorded), curves);
  writeFileSync(join(root, 'docs/scale.md'), document);
  mkdirSync(join(root, 'docs/pictures/scale'), { recursive: true });
  for (const curve of curves)
    writeFileSync(join(root, `docs/pictures/scale/${curve.file}.svg`), drawCurve(curve));
  return checkDocument(document, recorded);
}
