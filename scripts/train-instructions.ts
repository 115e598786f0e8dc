import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { dataPath, describeMissingData } from '@daybook/evidence';

import { unfoldDisguise } from '../apps/server/src/newsroom/copy/disguised-text.ts';
import { termPlaces, termShare } from '../apps/server/src/newsroom/copy/instruction-terms.ts';
import { encodeWeights } from '../apps/server/src/newsroom/copy/judgement/linear-model.ts';
import { tableSize } from '../apps/server/src/newsroom/copy/judgement/text-features.ts';
import { hasCertainForm, signPlaces, signsOf } from '../apps/server/src/newsroom/copy/machine-speech.ts';
import { titleSplits } from '../apps/server/src/newsroom/copy/title-splits.ts';
import type { InstructionExample } from './instruction-examples.ts';
import {
  authors,
  instructionDataSets,
  patternExamples,
  plantedExamples,
  realExamples,
} from './instruction-examples.ts';

// Writes apps/server/src/newsroom/copy/instruction-weights.json from patterns, planted instructions and similar news
// (prove/src/injection), and from real sentences. The thresholds and the printed figures are those of sites and
// authors that were left out. `npm run prove -- injection` measures the result on instructions that are not used here.
const root = fileURLToPath(new URL('../', import.meta.url));
const target = new URL('../apps/server/src/newsroom/copy/instruction-weights.json', import.meta.url);

/** The share of real sentences, and of real titles, of other sites that may exceed each threshold. */
const shares = { remove: 0.0025, doubtful: 0.02, offSubject: 0.1, title: 0.004 } as const;

interface Reading {
  readonly signs: readonly number[];
  readonly terms: readonly number[];
}

interface Example extends InstructionExample {
  readonly readings: readonly Reading[];
}

const readingsOf = (text: string): Reading[] =>
  unfoldDisguise(text.slice(0, 600)).map((one) => ({ signs: signsOf(one), terms: termPlaces(one) }));

/** Weights of signs and terms, as fitted so far. */
class Weights {
  bias = -3;
  readonly signs = new Float64Array(signPlaces);
  readonly terms = new Float64Array(tableSize);
  readonly #signSquares = new Float64Array(signPlaces).fill(1e-3);
  readonly #termSquares = new Float64Array(tableSize).fill(1e-3);
  #biasSquares = 1e-3;

  score({ signs, terms }: Reading): number {
    const ofTerms = terms.reduce((sum, place) => sum + (this.terms[place] ?? 0), 0);
    return signs.reduce(
      (sum, place) => sum + (this.signs[place] ?? 0),
      this.bias + ofTerms * termScale * termShare(terms.length),
    );
  }

  /** The reading that decides is the one with the highest score. */
  best(readings: readonly Reading[]): { readonly reading: Reading; readonly score: number } {
    return readings
      .map((reading) => ({ reading, score: this.score(reading) }))
      .reduce((best, one) => (one.score > best.score ? one : best));
  }

  learn({ signs, terms }: Reading, error: number): void {
    this.#biasSquares += error ** 2;
    this.bias -= (rate * error) / Math.sqrt(this.#biasSquares);
    descend(signs, this.signs, this.#signSquares, error, signPenalty);
    const share = termScale * termShare(terms.length);
    descend(terms, this.terms, this.#termSquares, error * share, termPenalty * share);
  }
}

const rounds = 12;
const rate = 0.3;
const signPenalty = 0.005;
const termPenalty = 0.001;
/** How much the terms count beside the signs. */
const termScale = 0.8;

/** A step per weight (AdaGrad). */
function descend(
  places: readonly number[],
  weights: Float64Array,
  squares: Float64Array,
  error: number,
  penalty: number,
): void {
  for (const place of places) {
    const slope = error + penalty * (weights[place] ?? 0);
    squares[place] = (squares[place] ?? 0) + slope ** 2;
    weights[place] = (weights[place] ?? 0) - (rate * slope) / Math.sqrt(squares[place] ?? 1);
  }
}

/** Logistic regression; the order of the examples depends on nothing but their number. */
function fit(examples: readonly Example[]): Weights {
  const weights = new Weights();
  // A step that shares no factor with the number of examples visits each once.
  const step = [7919, 7907, 7901].find((prime) => examples.length % prime !== 0) ?? 1;
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < examples.length; index += 1) {
      const { readings, isInstruction, weight } = examples[(index * step) % examples.length] as Example;
      const { reading, score } = weights.best(readings);
      const error = weight * (1 / (1 + Math.exp(-score)) - (isInstruction ? 1 : 0));
      if (Math.abs(error) > 1e-4) weights.learn(reading, error);
    }
  }
  return weights;
}

const partOf = (group: string): number =>
  group.split('').reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7) % authors.length;

interface Scored extends Example {
  readonly score: number;
}

/** Each example that is no pattern, scored by weights that were fitted to other sites and authors. */
function scoreHeldOut(examples: readonly Example[]): Scored[] {
  return authors.flatMap((author, part) => {
    const isHeldOut = ({ group, set }: Example): boolean =>
      set === 'planted' ? group === author : set !== 'pattern' && partOf(group) === part;
    const weights = fit(examples.filter((one) => !isHeldOut(one)));
    const scoreOf = (text: string): number =>
      unfoldDisguise(text.slice(0, 600)).some(hasCertainForm)
        ? Number.POSITIVE_INFINITY
        : weights.best(readingsOf(text)).score;
    return examples.filter(isHeldOut).map((one) => ({
      ...one,
      score: Math.max(
        scoreOf(one.text),
        ...(one.set === 'title' ? titleSplits(one.text).map(({ order }) => scoreOf(order)) : []),
      ),
    }));
  });
}

/** The score that this share of the examples exceeds. */
function exceededBy(scored: readonly Scored[], share: number): number {
  const scores = scored.map(({ score }) => score).sort((one, other) => other - one);
  return Number((scores[Math.floor(scores.length * share)] ?? 0).toFixed(2));
}

const missing = describeMissingData(root, instructionDataSets);
if (missing !== null) {
  console.error(`npm run instructions:train needs ${missing}; see CONTRIBUTING.md`);
  process.exit(1);
}
const corpora = `${root}prove/src/injection`;
const examples = [
  ...patternExamples(`${corpora}/patterns-en.txt`),
  ...patternExamples(`${corpora}/patterns-zh.txt`),
  ...plantedExamples(`${corpora}/fitted.jsonl`),
  ...realExamples(dataPath(root, '.')),
].map((one): Example => ({ ...one, readings: readingsOf(one.text) }));
const held = scoreHeldOut(examples);
const sentences = held.filter(({ set }) => set === 'page');
const thresholds = {
  remove: exceededBy(sentences, shares.remove),
  doubtful: exceededBy(sentences, shares.doubtful),
  offSubject: exceededBy(sentences, shares.offSubject),
  title: exceededBy(
    held.filter(({ set }) => set === 'title'),
    shares.title,
  ),
};
for (const [name, above] of Object.entries(thresholds))
  for (const group of authors)
    for (const isInstruction of [true, false]) {
      const mine = held.filter(
        (one) => one.set === 'planted' && one.group === group && one.isInstruction === isInstruction,
      );
      const found = mine.filter(({ score }) => score > above).length;
      console.log(
        `above ${name} (${above}), ${group}: ${((100 * found) / mine.length).toFixed(1)} % of ${mine.length} ${isInstruction ? 'instructions' : 'news sentences'}`,
      );
    }
const weights = fit(examples);
const signs = [...weights.signs].flatMap((weight, place) =>
  Math.abs(weight) < 0.05 ? [] : [[place, Number(weight.toFixed(2))] as const],
);
const stored = {
  thresholds,
  signs: Object.fromEntries(signs),
  terms: encodeWeights(
    Number(weights.bias.toFixed(3)),
    weights.terms.map((weight) => weight * termScale),
  ),
};
writeFileSync(target, `${JSON.stringify(stored, null, 2)}\n`);
console.log(`${examples.length} examples; ${readFileSync(target).length} bytes written`);
