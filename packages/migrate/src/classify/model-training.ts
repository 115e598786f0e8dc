import { targets } from '../targets/target.ts';
import type { Judged } from './answer-trust.ts';
import { fitTrust, trustSignals } from './answer-trust.ts';
import type { ClassifierModel } from './classifier-model.ts';
import { rank, softmax } from './classifier-model.ts';
import type { Example } from './example-set.ts';
import type { Feature } from './note-features.ts';
import { extractFeatures, lexicons } from './note-features.ts';

const epochs = 24;
const rate = 0.25;
/** Keeps weights small; a feature seen once cannot decide anything alone. */
const shrink = 2e-4;
const wordNotesMin = 2;
const pairNotesMin = 3;
/** Notes often come without a useful heading: every note is also learnt without its own. */
const withoutHeadingShare = 0.5;

interface Lesson {
  readonly voice: string;
  readonly target: number;
  readonly weight: number;
  readonly features: readonly Feature[];
}

interface LearningRow {
  readonly weights: Float64Array;
  readonly squares: Float64Array;
}

/** Multinomial logistic regression with AdaGrad, in a fixed order: the same examples give the same model. */
export function trainModel(examples: readonly Example[]): ClassifierModel {
  return { ...learn(lessons(examples)), trust: fitTrust(heldOutJudgements(examples)) };
}

/** Each voice judged by a model that never saw it: the only honest base for confidence. */
export function heldOutJudgements(examples: readonly Example[]): readonly Judged[] {
  const all = lessons(examples);
  const voices = [...new Set(examples.map((example) => example.voice))];
  return voices.flatMap((voice) => {
    const model = { ...learn(all.filter((lesson) => lesson.voice !== voice)), trust: [] };
    return all
      .filter((lesson) => lesson.voice === voice)
      .map(({ target, features }) => {
        const ranked = rank(model, features);
        return { voice, right: ranked[0]?.index === target, signals: trustSignals(model, features, ranked) };
      });
  });
}

function lessons(examples: readonly Example[]): readonly Lesson[] {
  const books = lexicons();
  const perTarget = new Map<string, number>();
  for (const { target } of examples) perTarget.set(target, (perTarget.get(target) ?? 0) + 1);
  const average = examples.length / perTarget.size;
  return examples.flatMap(({ voice, target, input }) => {
    const weight = Math.sqrt(average / (perTarget.get(target) ?? average));
    const lesson = {
      voice,
      target: targets.indexOf(target),
      weight,
      features: extractFeatures(input, books),
    };
    if (input.headings.length === 0 || input.text.length < 30) return [lesson];
    const bare = extractFeatures({ headings: [], text: input.text }, books);
    return [lesson, { ...lesson, weight: weight * withoutHeadingShare, features: bare }];
  });
}

function learn(all: readonly Lesson[]): Pick<ClassifierModel, 'bias' | 'weights'> {
  const rows = emptyRows(all);
  const bias = newRow();
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let step = 0; step < all.length; step += 1) {
      // A stride prime to the count visits every lesson once, far from its neighbours of the same file.
      const lesson = all[(step * stride(all.length)) % all.length];
      if (lesson !== undefined) study(lesson, rows, bias);
    }
  }
  const weights = new Map([...rows].map(([name, row]) => [name, row.weights]));
  return { bias: bias.weights, weights };
}

function study(lesson: Lesson, rows: ReadonlyMap<string, LearningRow>, bias: LearningRow): void {
  const scores = Float64Array.from(bias.weights);
  const known: { row: LearningRow; value: number }[] = [{ row: bias, value: 1 }];
  for (const { name, value } of lesson.features) {
    const row = rows.get(name);
    if (row === undefined) continue;
    known.push({ row, value });
    for (let index = 0; index < scores.length; index += 1) {
      scores[index] = (scores[index] ?? 0) + (row.weights[index] ?? 0) * value;
    }
  }
  const errors = softmax(scores);
  errors[lesson.target] = (errors[lesson.target] ?? 0) - 1;
  for (const { row, value } of known) adjust(row, errors, value * lesson.weight);
}

function adjust({ weights, squares }: LearningRow, errors: Float64Array, scale: number): void {
  for (let index = 0; index < weights.length; index += 1) {
    const slope = (errors[index] ?? 0) * scale + shrink * (weights[index] ?? 0);
    squares[index] = (squares[index] ?? 0) + slope * slope;
    weights[index] = (weights[index] ?? 0) - (rate * slope) / (Math.sqrt(squares[index] ?? 0) + 0.05);
  }
}

/** Only what several notes share can carry over to a new one. */
function emptyRows(all: readonly Lesson[]): ReadonlyMap<string, LearningRow> {
  const notes = new Map<string, number>();
  for (const { features, weight } of all) {
    for (const { name } of features) notes.set(name, (notes.get(name) ?? 0) + (weight > 0 ? 1 : 0));
  }
  const rows = new Map<string, LearningRow>();
  for (const [name, count] of notes) {
    const least = name.startsWith('pair ')
      ? pairNotesMin * 2
      : name.startsWith('word ')
        ? wordNotesMin * 2
        : 1;
    if (count >= least) rows.set(name, newRow());
  }
  return rows;
}

function newRow(): LearningRow {
  return { weights: new Float64Array(targets.length), squares: new Float64Array(targets.length) };
}

function stride(count: number): number {
  const primes = [7919, 6007, 4001, 2003, 1009];
  return primes.find((prime) => count % prime !== 0) ?? 1;
}
