import { describe, expect, test } from 'vitest';

import { defineAction, parseActionPattern } from './action.ts';

describe('accepted as they are written', () => {
  test.each([
    'Daybook.Core/Policies/read',
    'Daybook.Core/ApiTokens/mode/write',
    'Daybook.Core/ApiTokens/*/write',
    'Daybook.Core/ApiTokens/*',
    'Daybook.Core/ApiTokens/**',
    'Daybook.Core/**',
    'Daybook.*/*/read',
    'Daybook.*/**',
    'Daybook.**',
  ])('%s', (text) => {
    expect(parseActionPattern(text)).toMatchObject({ ok: true, value: { text } });
  });
});

describe('refused, with the reason', () => {
  test.each([
    ['', 'wrong-start'],
    ['Daybook', 'wrong-start'],
    ['daybook.Core/Policies/read', 'wrong-start'],
    ['*', 'wrong-start'],
    ['**', 'wrong-start'],
    ['*.Core/Policies/read', 'wrong-start'],
    ['Daybook.Core/Policies', 'too-few-segments'],
    ['Daybook.Core/*', 'too-few-segments'],
    ['Daybook.*', 'too-few-segments'],
    ['Daybook.Core/ApiTokens/mode/write/now', 'too-many-segments'],
    ['Daybook.Core/ApiTokens/mode/**', 'misplaced-rest'],
    ['Daybook.**/read', 'misplaced-rest'],
    ['Daybook.Core/**/write', 'misplaced-rest'],
    ['Daybook.Core/Api*/read', 'partial-wildcard'],
    ['Daybook.Core/Policies/***', 'partial-wildcard'],
    ['Daybook.Core/policies/read', 'bad-segment'],
    ['Daybook.Core/Policies/Read', 'bad-segment'],
    ['Daybook.Core//read', 'bad-segment'],
    ['Daybook.Core/Policies/read ', 'bad-segment'],
    ['Daybook.Core/Policies/read\n', 'bad-segment'],
    ['Daybook.Çore/Policies/read', 'bad-segment'],
    [`Daybook.Core/Policies/${'r'.repeat(200)}`, 'too-long'],
  ])('%j: %s', (text, reason) => {
    expect(parseActionPattern(text)).toEqual({ ok: false, reason });
  });
});

test('refuses a wildcard in an action that code checks', () => {
  expect(defineAction('Daybook.Core/Policies/read').text).toBe('Daybook.Core/Policies/read');
  for (const text of ['Daybook.Core/Policies/*', 'Daybook.**', 'Daybook.Core/Policies'])
    expect(() => defineAction(text)).toThrow(RangeError);
});
