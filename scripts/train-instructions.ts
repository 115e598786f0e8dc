import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { splitSentences } from '../apps/server/src/language/sentences.ts';
import { unfoldDisguise } from '../apps/server/src/newsroom/copy/disguised-text.ts';
import { signPlaces, signsOf } from '../apps/server/src/newsroom/copy/machine-speech.ts';

// Writes apps/server/src/newsroom/copy/instruction-weights.json from the planted instructions and similar news sentences
// of prove/src/injection/fitted.jsonl, and from real sentences. `npm run prove -- injection` measures the result on others.
const root = fileURLToPath(new URL('../', import.meta.url));
const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));

interface PlantedText {
  readonly kind: 'instruction' | 'news';
  readonly place: 'text' | 'hidden' | 'title';
  readonly text: string;
  readonly order?: string;
}

interface Example {
  readonly readings: readonly (readonly number[])[];
  readonly isInstruction: boolean;
  readonly weight: number;
}

const linesOf = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

const example = (text: string, isInstruction: boolean, weight: number): Example => ({
  readings: unfoldDisguise(text.slice(0, 600)).map(signsOf),
  isInstruction,
  weight,
});

function plantedExamples({ kind, place, text, order = '' }: PlantedText): Example[] {
  if (kind === 'news') return [example(text, false, 1.5)];
  if (place === 'title')
    return [example(order, true, 1), ...(order === text ? [] : [example(text, true, 0.5)])];
  const sentences = splitSentences(order);
  return sentences.map((sentence) => example(sentence, true, sentences.length === 1 ? 1 : 0.5));
}

function realSentences(): string[] {
  const bodies = Object.values(
    JSON.parse(readFileSync(`${data}html/article-bodies/ground-truth.json`, 'utf8')) as Record<
      string,
      { readonly articleBody?: string }
    >,
  ).flatMap(({ articleBody = '' }) => splitSentences(articleBody));
  const titles = ['ai-news-34-days', 'hotlists-zh-7-days'].flatMap((file) =>
    linesOf<{ readonly title: string }>(`${data}replay/${file}.jsonl`)
      .filter((_, at) => at % 2 === 0)
      .map(({ title }) => title),
  );
  return [...bodies, ...titles];
}

const rounds = 60;
const rate = 0.3;
const penalty = 0.01;

/** Logistic regression with a step per weight (AdaGrad) in the order of the examples: no randomness. */
function fit(examples: readonly Example[]): { readonly bias: number; readonly weights: Float64Array } {
  const weights = new Float64Array(signPlaces);
  const squares = new Float64Array(signPlaces).fill(1e-3);
  let [bias, biasSquares] = [-2, 1e-3];
  const scoreOf = (places: readonly number[]): number =>
    places.reduce((sum, place) => sum + (weights[place] ?? 0), bias);
  for (let round = 0; round < rounds; round += 1) {
    for (const { readings, isInstruction, weight } of examples) {
      // The reading that decides is the one with the highest score.
      const scored = readings.map((places) => ({ places, score: scoreOf(places) }));
      const { places, score } = scored.reduce((best, one) => (one.score > best.score ? one : best));
      const error = weight * (1 / (1 + Math.exp(-score)) - (isInstruction ? 1 : 0));
      biasSquares += error ** 2;
      bias -= (rate * error) / Math.sqrt(biasSquares);
      for (const place of places) {
        const slope = error + penalty * weight * (weights[place] ?? 0);
        squares[place] = (squares[place] ?? 0) + slope ** 2;
        weights[place] = (weights[place] ?? 0) - (rate * slope) / Math.sqrt(squares[place] ?? 1);
      }
    }
  }
  return { bias, weights };
}

const planted = linesOf<PlantedText>(`${root}prove/src/injection/fitted.jsonl`).flatMap(plantedExamples);
const real = realSentences().map((sentence) => example(sentence, false, 0.8));
const { bias, weights } = fit([...planted, ...real]);
const shown = [...weights].flatMap((weight, place) =>
  Math.abs(weight) < 0.05 ? [] : [[place, Number(weight.toFixed(2))] as const],
);
writeFileSync(
  `${root}apps/server/src/newsroom/copy/instruction-weights.json`,
  `${JSON.stringify({ bias: Number(bias.toFixed(3)), weights: Object.fromEntries(shown) }, null, 2)}\n`,
);
console.log(`${planted.length} planted, ${real.length} real sentences; ${shown.length} weights written`);
