import { expect, test } from 'vitest';

import { parsePolicy } from './policy.ts';

const read = 'Daybook.Core/Policies/read';
const own = '/organizations/acme/**';
const faultsOf = (actions: readonly string[], resources: readonly string[]): Record<string, string> => {
  const parsed = parsePolicy({ actions, resources }, 'acme');
  return parsed.ok ? {} : Object.fromEntries(parsed.faults.map(({ name, message }) => [name, message]));
};

test('names every invalid entry with its place and the error', () => {
  expect(faultsOf([read, 'Daybook.Core/*', 'Core/x/y'], [own, '/organizations/*'])).toEqual({
    'actions.1': expect.stringContaining('**'),
    'actions.2': expect.stringContaining('Daybook.'),
    'resources.1': expect.stringContaining('one organization'),
  });
});

test('refuses resources of another organization', () => {
  expect(faultsOf([read], ['/organizations/acme2/**'])).toEqual({
    'resources.0': 'belongs to another organization',
  });
});

test('requires entries, at most a hundred of each, and at most 400 pairs', () => {
  const many = (length: number, entry: string): string[] => Array.from({ length }, () => entry);
  expect(faultsOf([], [])).toEqual({ actions: 'must not be empty', resources: 'must not be empty' });
  expect(faultsOf(many(100, read), many(4, own))).toEqual({});
  expect(Object.keys(faultsOf(many(101, read), [own]))).toEqual(['actions']);
  expect(Object.keys(faultsOf([read], many(101, own)))).toEqual(['resources']);
  expect(faultsOf(many(100, read), many(5, own))['actions']).toContain('400 pairs');
});
