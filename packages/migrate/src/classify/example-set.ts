import { readdirSync, readFileSync } from 'node:fs';

import type { Target } from '../targets/target.ts';
import { classifiedTargets } from '../targets/target.ts';
import type { ClassifierInput } from './classification.ts';

/** A note the project wrote itself. The voice is who might have written it: one file, one voice. */
export interface Example {
  readonly voice: string;
  readonly target: Target;
  readonly input: ClassifierInput;
}

/** `@TARGET outer heading > heading` and the lines of the note up to the next `@`. */
export function parseExamples(voice: string, source: string): readonly Example[] {
  const known = new Set<string>(classifiedTargets);
  return source
    .split(/^@/m)
    .slice(1)
    .map((block) => {
      const end = block.indexOf('\n');
      const [label = '', ...rest] = block.slice(0, end).split(' ');
      if (!known.has(label)) throw new Error(`${voice}: unknown target ${label}`);
      const headings = rest
        .join(' ')
        .split(' > ')
        .filter((heading) => heading !== '');
      return { voice, target: label as Target, input: { headings, text: block.slice(end + 1).trim() } };
    });
}

export function readExamples(): readonly Example[] {
  const folder = new URL('./examples/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => parseExamples(name.slice(0, -4), readFileSync(new URL(name, folder), 'utf8')));
}
