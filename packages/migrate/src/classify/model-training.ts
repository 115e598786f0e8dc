import { classifiedTargets } from '../targets/target.ts';
import type { Judged } from './answer-trust.ts';
import { fitTrust, trustSignals } from './answer-trust.ts';
import type { ClassifierModel } from './classifier-model.ts';
import { rank, softmax } from './classifier-model.ts';
import type { Example } from './example-set.ts';
import type { Feature } from './note-features.ts';
import { extractFeatures, lexicons } from './note-features.ts';

const epochs = 24;
const rate = 0.25;
/** Keeps weights small; a feature seen once cannot decide alone. */
const shrink = 1e-3;
const width = classifiedTargets.length;
const foldCount = 6;
const smallestWeight = 0.18;
const wordNotesMin = 2;
const pairNotesMin = 3;
/** Notes often come without a useful heading: every note is also learnt without its own. */
const withoutHeadingShare = 0.5;

interface Lesson {
  readonly voice: string;
  readonly target: number;
  readonly weight: number;
  readonly features: readonly Feature[];
  /** Not a copy without its heading. */
  readonly original: boolean;
}

/** Multinomial logistic regression with AdaGrad, in a fixed order: the same examples give the same model. */
export function trainModel(examples: readonly Example[]): ClassifierModel {
  return modelFrom(examples, heldOutJudgements(examples));
}

export function modelFrom(examples: readonly Example[], judged: readonly Judged[]): ClassifierModel {
  return { ...learn(lessons(examples)), trust: fitTrust(judged) };
}

/** Each voice judged by a model that never saw it nor several others: the only honest base for confidence. */
export function heldOutJudgements(examples: readonly Example[]): readonly Judged[] {
  const all = lessons(examples);
  const voices = [...new Set(examples.map((example) => example.voice))];
  const judged: Judged[] = [];
  for (let fold = 0; fold < foldCount; fold += 1) {
    const away = new Set(voices.filter((_, index) => index % foldCount === fold));
    const model = { ...learn(all.filter((lesson) => !away.has(lesson.voice))), trust: [] };
    for (const { voice, target, features } of all.filter((lesson) => away.has(lesson.voice))) {
      const ranked = rank(model, features);
      judged.push({
        voice,
        right: ranked[0]?.index === target,
        signals: trustSignals(model, features, ranked),
      });
    }
  }
  return judged;
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
      target: classifiedTargets.indexOf(target),
      weight,
      features: extractFeatures(input, books),
      original: true,
    };
    if (input.headings.length === 0 || input.text.length < 30) return [lesson];
    const bare = extractFeatures({ headings: [], text: input.text }, books);
    return [lesson, { ...lesson, weight: weight * withoutHeadingShare, features: bare, original: false }];
  });
}

function learn(all: readonly Lesson[]): Pick<ClassifierModel, 'bias' | 'weights'> {
  const names = ['bias', ...learntNames(all)];
  const rows = new Map(names.map((name, row) => [name, row]));
  const sheets = all.map((lesson) => sheetOf(lesson, rows));
  const weights = new Float64Array(names.length * width);
  const squares = new Float64Array(names.length * width);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let step = 0; step < sheets.length; step += 1) {
      // A stride prime to the count visits every lesson once, far from its neighbours of the same file.
      const sheet = sheets[(step * stride(sheets.length)) % sheets.length];
      if (sheet !== undefined) study(sheet, weights, squares);
    }
  }
  const table = new Map<string, Float64Array>();
  names.forEach((name, row) => {
    const kept = weights.slice(row * width, (row + 1) * width).map(worthKeeping);
    if (name === 'bias' || kept.some((weight) => weight !== 0)) table.set(name, kept);
  });
  const bias = table.get('bias') ?? new Float64Array(width);
  table.delete('bias');
  return { bias, weights: table };
}

/** The model is judged as it is shipped: rounded, and without what hardly counts. */
function worthKeeping(weight: number): number {
  return Math.abs(weight) < smallestWeight ? 0 : Math.round(weight * 100) / 100;
}

/** A lesson in the numbers of the rows it touches. */
interface Sheet {
  readonly target: number;
  readonly weight: number;
  readonly offsets: Int32Array;
  readonly values: Float64Array;
}

function sheetOf({ target, weight, features }: Lesson, rows: ReadonlyMap<string, number>): Sheet {
  const known = features.flatMap(({ name, value }) => {
    const row = rows.get(name);
    return row === undefined ? [] : [{ offset: row * width, value }];
  });
  return {
    target,
    weight,
    offsets: Int32Array.from([0, ...known.map(({ offset }) => offset)]),
    values: Float64Array.from([1, ...known.map(({ value }) => value)]),
  };
}

function study(
  { target, weight, offsets, values }: Sheet,
  weights: Float64Array,
  squares: Float64Array,
): void {
  const scores = new Float64Array(width);
  for (let known = 0; known < offsets.length; known += 1) {
    const [offset, value] = [offsets[known] as number, values[known] as number];
    for (let index = 0; index < width; index += 1) {
      scores[index] = (scores[index] as number) + (weights[offset + index] as number) * value;
    }
  }
  const errors = softmax(scores);
  errors[target] = (errors[target] as number) - 1;
  for (let known = 0; known < offsets.length; known += 1) {
    const [offset, scale] = [offsets[known] as number, (values[known] as number) * weight];
    for (let index = 0; index < width; index += 1) {
      const at = offset + index;
      const before = weights[at] as number;
      const slope = (errors[index] as number) * scale + shrink * before;
      const square = (squares[at] as number) + slope * slope;
      squares[at] = square;
      weights[at] = before - (rate * slope) / (Math.sqrt(square) + 0.05);
    }
  }
}

/** Only what several notes share can carry over to a new one. */
function learntNames(all: readonly Lesson[]): readonly string[] {
  const notes = new Map<string, number>();
  for (const { features, original } of all) {
    if (original) for (const { name } of features) notes.set(name, (notes.get(name) ?? 0) + 1);
  }
  return [...notes].filter(([name, count]) => count >= leastNotes(name)).map(([name]) => name);
}

function leastNotes(name: string): number {
  if (name.startsWith('pair ')) return pairNotesMin;
  return name.startsWith('word ') ? wordNotesMin : 1;
}

function stride(count: number): number {
  const primes = [7919, 6007, 4001, 2003, 1009];
  return primes.find((prime) => count % prime !== 0) ?? 1;
}
