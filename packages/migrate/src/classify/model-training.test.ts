import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import { classifiedTargets } from '../targets/target.ts';
import type { Judged } from './answer-trust.ts';
import { confidence, fitTrust } from './answer-trust.ts';
import { formatModel, modelAddress, parseModel } from './classifier-model.ts';
import { readExamples } from './example-set.ts';
import { heldOutJudgements, modelFrom } from './model-training.ts';

const examples = readExamples();
interface Outcome {
  readonly confidence: number;
  readonly right: boolean;
}

let judged: readonly Judged[] = [];
let outcomes: readonly Outcome[] = [];

beforeAll(() => {
  judged = heldOutJudgements(examples);
  // Each voice is judged with a trust fitted without it, so that no figure here knows its own answer.
  outcomes = [...new Set(judged.map(({ voice }) => voice))].flatMap((voice) => {
    const trust = fitTrust(judged.filter((one) => one.voice !== voice));
    return judged
      .filter((one) => one.voice === voice)
      .map(({ signals, right }) => ({ confidence: confidence(trust, signals), right }));
  });
}, 600_000);

/** The gap between stated confidence and accuracy, averaged over ten bands by their size. */
function calibrationError(all: readonly Outcome[]): number {
  const bands = Map.groupBy(all, (outcome) => Math.min(9, Math.floor(outcome.confidence * 10)));
  let gap = 0;
  for (const inside of bands.values()) {
    const said = inside.reduce((sum, outcome) => sum + outcome.confidence, 0);
    gap += Math.abs(said - inside.filter(({ right }) => right).length);
  }
  return gap / all.length;
}

describe('the committed model', () => {
  test('equals the result of training on the examples, byte for byte', { timeout: 300_000 }, () => {
    expect(formatModel(modelFrom(examples, judged)) === readFileSync(modelAddress, 'utf8')).toBe(true);
  });

  test('is unchanged by parsing and writing', () => {
    const source = readFileSync(modelAddress, 'utf8');
    expect(formatModel(parseModel(source)) === source).toBe(true);
  });
});

describe('on voices outside the training set', () => {
  test('the calibration error is at most 0.08, and the stated confidence does not exceed the accuracy', () => {
    expect(calibrationError(outcomes)).toBeLessThanOrEqual(0.08);
    const said = outcomes.reduce((sum, outcome) => sum + outcome.confidence, 0);
    expect(said).toBeLessThanOrEqual(outcomes.filter(({ right }) => right).length);
  });

  test('at least nine in ten answers at 0.70 or more are right, and these answers are a large share', () => {
    const sure = outcomes.filter((outcome) => outcome.confidence >= 0.7);
    expect(sure.length).toBeGreaterThan(outcomes.length * 0.15);
    expect(sure.filter(({ right }) => right).length / sure.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe('the examples', () => {
  test('cover every target in at least six voices', () => {
    const voices = (target: string): number =>
      new Set(examples.filter((one) => one.target === target).map((one) => one.voice)).size;
    expect(classifiedTargets.filter((target) => voices(target) < 6)).toEqual([]);
  });

  test('contain no note twice', () => {
    const seen = examples.map(({ input }) => `${input.headings.join('>')}\n${input.text}`);
    expect(seen.filter((note, index) => seen.indexOf(note) !== index)).toEqual([]);
  });
});
