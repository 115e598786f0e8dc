import { termPlaces, termShare } from './instruction-terms.ts';
import stored from './instruction-weights.json' with { type: 'json' };
import { decodeWeights } from './judgement/linear-model.ts';
import { signsOf } from './machine-speech.ts';

const terms = decodeWeights(stored.terms);
const signs: Readonly<Record<string, number>> = stored.signs;

/**
 * Chosen on real sentences and titles of sites that the weights were not fitted to: 0.25 % of the sentences exceed
 * `remove`, 2 % `doubtful`, 10 % `offSubject`; 0.4 % of the titles exceed `title`.
 */
export const thresholds: Readonly<Record<'remove' | 'doubtful' | 'offSubject' | 'title', number>> =
  stored.thresholds;

/** The logarithm of the odds that a sentence is an instruction to machines: of its signs, their pairs and its terms. */
export function instructionScore(text: string): number {
  const places = termPlaces(text);
  let sum = 0;
  for (const place of places) sum += terms.weights[place] as number;
  const ofTerms = terms.bias + terms.step * sum * termShare(places.length);
  return signsOf(text).reduce((score, place) => score + (signs[place] ?? 0), ofTerms);
}
