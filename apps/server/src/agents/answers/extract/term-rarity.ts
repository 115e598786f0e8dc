import { readFileSync } from 'node:fs';

import { hanCharacter } from '../../../language/han-text.ts';
import type { QuestionTerm } from './text-terms.ts';

/** In how many sentences of news each term occurs. */
export interface TermFrequencies {
  readonly sentences: { readonly latin: number; readonly han: number };
  readonly terms: Readonly<Record<string, number>>;
}

const weightMin = 0.3;
/** The weight of a term in one of twelve sentences is 0. */
const common = 2.5;
const unseen = 3;

/** The weight of a term: rare terms distinguish texts. */
export function rarityOf({ sentences, terms }: TermFrequencies): (term: QuestionTerm) => number {
  return ({ key, parts }) => {
    const known = terms[key] ?? Math.min(...parts.map((part) => terms[part] ?? 0));
    const of = hanCharacter.test(parts[0] ?? '') ? sentences.han : sentences.latin;
    return Math.max(weightMin, Math.log(of / (unseen + known)) - common);
  };
}

export function shippedFrequencies(): TermFrequencies {
  return JSON.parse(
    readFileSync(new URL('term-frequencies.json', import.meta.url), 'utf8'),
  ) as TermFrequencies;
}
