import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { organizationOf, parseResourcePattern, resourceOf } from './resource.ts';

describe('accepted as they are written', () => {
  test.each([
    '/organizations/acme',
    '/organizations/acme/**',
    '/organizations/acme/projects/*/files/**',
    '/organizations/acme/*/*',
    '/organizations/acme/api-tokens/night%20build',
    '/organizations/acme/files/.env',
    '/organizations/acme/files/...',
  ])('%s', (text) => {
    const parsed = parseResourcePattern(text);
    expect(parsed).toMatchObject({ ok: true, value: { text } });
    expect(parsed.ok && organizationOf(parsed.value)).toBe('acme');
  });
});

describe('refused, with the reason', () => {
  test.each([
    ['', 'wrong-start'],
    ['**', 'wrong-start'],
    ['organizations/acme', 'wrong-start'],
    ['/*/acme/**', 'wrong-start'],
    ['/organizations/', 'too-few-segments'],
    ['/organizations//projects', 'too-few-segments'],
    ['/organizations/*', 'wildcard-organization'],
    ['/organizations/**', 'wildcard-organization'],
    ['/organizations/ac*/projects', 'wildcard-organization'],
    ['/organizations/acme/**/files', 'misplaced-rest'],
    ['/organizations/acme/pro*', 'partial-wildcard'],
    ['/organizations/acme/', 'bad-segment'],
    ['/organizations/acme/a b', 'bad-segment'],
    ['/organizations/acme/%41', 'bad-segment'],
    ['/organizations/acme/%2a', 'bad-segment'],
    ['/organizations/acme/%zz', 'bad-segment'],
    ['/organizations/acme/.', 'bad-segment'],
    ['/organizations/acme/projects/../policies/1', 'bad-segment'],
    ['/organizations/acme/projects/./1', 'bad-segment'],
    ['/organizations/../acme/projects', 'bad-segment'],
    ['/organizations/acme/%2E%2E/policies', 'bad-segment'],
    ['/organizations/acme/%2e', 'bad-segment'],
    [`/organizations/acme${'/a'.repeat(7)}`, 'too-many-segments'],
    [`/organizations/acme/${'a'.repeat(500)}`, 'too-long'],
  ])('%j: %s', (text, reason) => {
    expect(parseResourcePattern(text)).toEqual({ ok: false, reason });
  });
});

test('builds a path without . and .. from these names', () => {
  expect(resourceOf('acme', '..', '.').text).toBe('/organizations/acme/%2E%2E/%2E');
});

test('builds a path from any name with one segment per name and no wildcard, valid in a policy', () => {
  const anyName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const hostile = fc.constantFrom('*', '**', 'a/b', '.', '..', '/', '%2A', '%', "it's", '(a)!');
  fc.assert(
    fc.property(fc.oneof(anyName, hostile), (name) => {
      const { text, segments } = resourceOf('acme', 'agents', name);
      expect(segments).toHaveLength(4);
      expect(text).not.toContain('*');
      expect(text).toBe(`/${segments.join('/')}`);
      expect(decodeURIComponent(segments.at(-1)!)).toBe(name);
      fc.pre(text.length <= 500 && name !== '.' && name !== '..');
      expect(parseResourcePattern(text)).toMatchObject({ ok: true, value: { segments } });
    }),
  );
});

test('refuses a path with an empty name', () => {
  expect(() => resourceOf('acme', 'agents', '')).toThrow(RangeError);
});
