import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { classifiedTargets } from '../targets/target.ts';
import { classify } from './classify.ts';
import { readExamples } from './example-set.ts';

const chunk = fc.record({
  headings: fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 4 }),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom('garlic', 'I believe', 'never', 'album', 'budget', '- ', '\n', 'sleep', '每天'),
        {
          maxLength: 40,
        },
      )
      .map((words) => words.join(' ')),
  ),
});

describe('an answer', () => {
  test('has a confidence between 0 and 1 and alternatives sorted below it, none of them the target', () => {
    fc.assert(
      fc.property(chunk, (input) => {
        const { target, confidence, alternatives } = classify(input);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(alternatives.map((other) => other.target)).not.toContain(target);
        const line = [confidence, ...alternatives.map((other) => other.confidence)];
        expect(line).toEqual([...line].sort((left, right) => right - left));
        expect(line.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });

  test('is the same for the same chunk', () => {
    fc.assert(
      fc.property(chunk, (input) => {
        expect(classify(input)).toEqual(classify(structuredClone(input)));
      }),
    );
  });

  test('gives a reason whenever it is not UNCLEAR', () => {
    const silent = readExamples().filter(({ input }) => {
      const { target, reasons } = classify(input);
      return target !== 'UNCLEAR' && (reasons.length === 0 || reasons.some((reason) => reason.trim() === ''));
    });
    expect(silent).toEqual([]);
  });

  test('quotes the heading and the words that decided', () => {
    const books = classify({ headings: ['Books'], text: '- Middlemarch\n- The Trial' });
    expect(books.target).toBe('BOOKS');
    expect(books.reasons).toContain("the heading contains 'Books'");
    const food = classify({ headings: [], text: 'Fry the garlic in olive oil, add tomatoes and basil.' });
    expect(food.target).toBe('FOOD_PREFERENCES');
    expect(food.reasons.join(' ')).toMatch(/mentions food and cooking: .*'garlic'/);
  });
});

describe('UNCLEAR', () => {
  test.each(['', '   \n\t ', '???', '---', '...', '12 34 56', 'xqzv', '\u0000\u0000', '🙂🙂🙂'])(
    'is the answer to %j, which says nothing',
    (text) => {
      expect(classify({ headings: [], text }).target).toBe('UNCLEAR');
    },
  );
});

test('every target is reachable', () => {
  const reached = new Set(readExamples().map(({ input }) => classify(input).target));
  expect(classifiedTargets.filter((target) => !reached.has(target))).toEqual([]);
});

describe('hostile input is classified in bounded time', () => {
  const hostile = {
    'one line of 1 MB': 'a'.repeat(1_000_000),
    '1 MB of one word': 'budget '.repeat(150_000),
    '1 MB of NULs': '\u0000'.repeat(1_000_000),
    '1 MB of emoji': '👩‍👩‍👧'.repeat(120_000),
    '1 MB from right to left': 'שלום עולם '.repeat(100_000),
    '1 MB of open brackets': '[('.repeat(500_000),
    '1 MB of list marks': '- '.repeat(500_000),
    '1 MB of quotes and hashes': '"#` '.repeat(250_000),
    '1 MB of Chinese without a stop': '每天早起'.repeat(250_000),
    'lone surrogates': '\ud800'.repeat(100_000),
  };
  classify({ headings: [], text: 'warm' });
  test.each(Object.entries(hostile))('%s', (_, text) => {
    const started = performance.now();
    const headings = Array.from({ length: 200 }, () => text);
    const answer = classify({ headings, text });
    expect(classifiedTargets).toContain(answer.target);
    expect(performance.now() - started).toBeLessThan(1500);
  });
});
