import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import { targets } from '../targets/target.ts';
import type { Judged } from './answer-trust.ts';
import { confidence, fitTrust } from './answer-trust.ts';
import { formatModel, modelAddress, parseModel } from './classifier-model.ts';
import { readExamples } from './example-set.ts';
import { heldOutJudgements, modelFrom } from './model-training.ts';
import { calibrationError } from './reliability.ts';

const examples = readExamples();
let judged: readonly Judged[] = [];

beforeAll(() => {
  judged = heldOutJudgements(examples);
}, 240_000);

describe('the committed model', () => {
  test('is what training makes of the examples, byte for byte', { timeout: 120_000 }, () => {
    expect(formatModel(modelFrom(examples, judged)) === readFileSync(modelAddress, 'utf8')).toBe(true);
  });

  test('reads back as it was written', () => {
    const source = readFileSync(modelAddress, 'utf8');
    expect(formatModel(parseModel(source)) === source).toBe(true);
  });
});

describe('on voices the model never heard', () => {
  // Each voice is judged with a trust fitted without it, so that no figure here knows its own answer.
  const outcomes = (): readonly { readonly confidence: number; readonly right: boolean }[] =>
    [...new Set(judged.map(({ voice }) => voice))].flatMap((voice) => {
      const trust = fitTrust(judged.filter((one) => one.voice !== voice));
      return judged
        .filter((one) => one.voice === voice)
        .map(({ signals, right }) => ({ confidence: confidence(trust, signals), right }));
    });

  test('the calibration error is at most 0.08, and what is claimed is not more than what holds', () => {
    const all = outcomes();
    expect(calibrationError(all)).toBeLessThanOrEqual(0.08);
    const said = all.reduce((sum, outcome) => sum + outcome.confidence, 0) / all.length;
    expect(said).toBeLessThanOrEqual(all.filter(({ right }) => right).length / all.length);
  });

  test('of the answers at 0.70 or more at least nine in ten are right', () => {
    const sure = outcomes().filter((outcome) => outcome.confidence >= 0.7);
    expect(sure.length).toBeGreaterThan(outcomes().length * 0.15);
    expect(sure.filter(({ right }) => right).length / sure.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe('the examples', () => {
  test('cover every target in at least six voices', () => {
    for (const target of targets) {
      const voices = new Set(examples.filter((one) => one.target === target).map((one) => one.voice));
      expect(voices.size, target).toBeGreaterThanOrEqual(6);
    }
  });

  test('hold no note twice', () => {
    const seen = examples.map(({ input }) => `${input.headings.join('>')}\n${input.text}`);
    expect(seen.filter((note, index) => seen.indexOf(note) !== index)).toEqual([]);
  });
});
