import { expect, test } from 'vitest';

import { answersTooClose, mostInAnySpan } from './limits-demand.ts';

test('a crowd on both sides of an edge is counted as one crowd', () => {
  expect(mostInAnySpan([0, 58, 59, 60, 61], 60)).toBe(4);
  expect(mostInAnySpan([0, 60, 120], 60)).toBe(1);
  expect(mostInAnySpan([], 60)).toBe(0);
});

test('answers count as too close only when no instants between question and answer could be far enough apart', () => {
  const answer = (sentMs: number, receivedMs: number) => ({ key: 'a', sentMs, receivedMs });
  expect(answersTooClose([answer(10, 12), answer(60, 69)], 1, 60)).toBe(1);
  expect(answersTooClose([answer(10, 12), answer(60, 70)], 1, 60)).toBe(0);
});
