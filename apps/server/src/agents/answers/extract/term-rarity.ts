import { readFileSync } from 'node:fs';

import { hanCharacter } from '@daybook/grounding/text';

import type { QuestionTerm } from './text-terms.ts';

export type Rarity = (term: QuestionTerm) => number;

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
export function rarityOf({ sentences, terms }: TermFrequencies): Rarity {
  return ({ key, parts }) => {
    // The frequencies know pairs of characters only.
    if (key.length === 1 && hanCharacter.test(key)) return weightMin;
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

const faintShare = 0.35;

/** The share of the weight of the terms that a test holds for; `without` if no term has weight. */
export function share(
  terms: readonly QuestionTerm[],
  rarity: Rarity,
  value: (term: QuestionTerm) => number,
  without: number,
): number {
  let [sum, all] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term) * (term.isFaint === true ? faintShare : 1);
    all += weight;
    sum += weight * value(term);
  }
  return all === 0 ? without : sum / all;
}
