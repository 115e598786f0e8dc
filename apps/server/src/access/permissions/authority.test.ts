import { describe, expect, test } from 'vitest';

import type { Authority } from './index.ts';
import { allows, compileAuthority, defineAction, parsePolicy, resourceOf } from './index.ts';

function authorityOf(...policies: readonly (readonly [string[], string[]])[]): Authority {
  return compileAuthority(
    policies.map(([actions, resources]) => {
      const parsed = parsePolicy({ actions, resources }, 'acme');
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
      return parsed.value;
    }),
  );
}

const may = (authority: Authority, action: string, ...path: string[]): boolean =>
  allows(authority, defineAction(action), resourceOf('acme', ...path));

describe('an action pattern allows', () => {
  const plain = 'Daybook.Core/ApiTokens/read';
  const field = 'Daybook.Core/ApiTokens/mode/write';
  test.each([
    ['Daybook.Core/ApiTokens/read', true, false],
    ['Daybook.Core/ApiTokens/*', true, false],
    ['Daybook.Core/*/read', true, false],
    ['Daybook.*/*/read', true, false],
    ['Daybook.*/*/*', true, false],
    ['Daybook.Core/ApiTokens/mode/write', false, true],
    ['Daybook.Core/ApiTokens/*/write', false, true],
    ['Daybook.Core/ApiTokens/*/*', false, true],
    ['Daybook.*/*/*/*', false, true],
    ['Daybook.Core/ApiTokens/**', true, true],
    ['Daybook.Core/**', true, true],
    ['Daybook.**', true, true],
    ['Daybook.Storage/**', false, false],
    ['Daybook.Core/Policies/read', false, false],
    ['Daybook.Core/ApiTokens/delete', false, false],
    ['Daybook.Core/ApiTokens/groups_to_add/write', false, false],
  ])('%s: reading %s, writing a field %s', (pattern, reads, writesField) => {
    const authority = authorityOf([[pattern], ['/organizations/acme/**']]);
    expect([may(authority, plain, 'api-tokens', '1'), may(authority, field, 'api-tokens', '1')]).toEqual([
      reads,
      writesField,
    ]);
  });
});

describe('a resource pattern allows', () => {
  test.each([
    ['/organizations/acme', [true, false, false, false]],
    ['/organizations/acme/*', [false, true, false, false]],
    ['/organizations/acme/projects', [false, true, false, false]],
    ['/organizations/acme/projects/*', [false, false, true, false]],
    ['/organizations/acme/projects/7', [false, false, true, false]],
    ['/organizations/acme/projects/7/**', [false, false, false, true]],
    ['/organizations/acme/projects/**', [false, false, true, true]],
    ['/organizations/acme/**', [false, true, true, true]],
    ['/organizations/acme/agents/**', [false, false, false, false]],
  ])('%s: itself, its projects, project 7, a file in it: %j', (pattern, expected) => {
    const authority = authorityOf([['Daybook.**'], [pattern]]);
    const paths = [[], ['projects'], ['projects', '7'], ['projects', '7', 'files', '1']];
    expect(paths.map((path) => may(authority, 'Daybook.Core/Things/read', ...path))).toEqual(expected);
  });
});

test('an action of one policy and a resource of another allow nothing together', () => {
  const authority = authorityOf(
    [
      ['Daybook.Storage/Files/read'],
      ['/organizations/acme/projects/1/**', '/organizations/acme/projects/3/**'],
    ],
    [
      ['Daybook.Storage/Files/delete'],
      ['/organizations/acme/projects/2/**', '/organizations/acme/projects/3/**'],
    ],
    [['Daybook.Storage/Files/read'], ['/organizations/acme/projects/4/**']],
  );
  const allowed = ['1', '2', '3', '4'].map((project) =>
    ['read', 'delete'].filter((verb) =>
      may(authority, `Daybook.Storage/Files/${verb}`, 'projects', project, 'a'),
    ),
  );
  expect(allowed).toEqual([['read'], ['delete'], ['read', 'delete'], ['read']]);
});

test('never allows anything in another organization, whatever its key', () => {
  const authority = authorityOf([['Daybook.**'], ['/organizations/acme', '/organizations/acme/**']]);
  const read = defineAction('Daybook.Core/Policies/read');
  for (const other of ['acme2', 'Acme', '*', '**', 'acme/..', 'organizations'])
    expect(allows(authority, read, resourceOf(other, 'policies', '1'))).toBe(false);
});

test('allows nothing without policies, and everything in any organization to a superuser', () => {
  const read = defineAction('Daybook.Core/Policies/read');
  const thing = resourceOf('acme', 'policies', '1');
  expect(allows(compileAuthority([]), read, thing)).toBe(false);
  expect(allows(compileAuthority([], { superuser: true }), read, thing)).toBe(true);
});

test('treats names of built-in object properties as ordinary names', () => {
  const authority = authorityOf([['Daybook.**'], ['/organizations/acme/projects/1']]);
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(may(authority, 'Daybook.Core/Things/read', 'projects', name)).toBe(false);
});
