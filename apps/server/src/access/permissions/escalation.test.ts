import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Escalation } from './escalation.ts';
import type { Authority, Policy, WrittenPolicy } from './index.ts';
import { allows, compileAuthority, defineAction, escalationOf, parsePolicy, resourceOf } from './index.ts';

const parsed = (written: WrittenPolicy): Policy => {
  const policy = parsePolicy(written, 'acme');
  if (!policy.ok) throw new Error(JSON.stringify(policy.faults));
  return policy.value;
};
const authorityOf = (...policies: WrittenPolicy[]): Authority => compileAuthority(policies.map(parsed));
const policy = (action: string, resource: string): WrittenPolicy => ({
  actions: [action],
  resources: [`/organizations/acme${resource}`],
});
const pairsOf = (escalation: Escalation | null): string[] =>
  (escalation?.uncovered ?? []).map(({ action, resource }) => `${action} ${resource}`);

describe('whether a pair covers a pair', () => {
  const read = 'Daybook.Storage/Files/read';
  test.each([
    ['itself', policy(read, '/a/1'), policy(read, '/a/1'), true],
    ['a name inside *', policy(read, '/a/*'), policy(read, '/a/1'), true],
    ['* inside *', policy(read, '/a/*'), policy(read, '/a/*'), true],
    ['* inside **', policy(read, '/a/**'), policy(read, '/a/*'), true],
    ['** inside **', policy(read, '/**'), policy(read, '/a/**'), true],
    ['*/** inside **', policy(read, '/**'), policy(read, '/*/**'), true],
    ['* not inside a name', policy(read, '/a/1'), policy(read, '/a/*'), false],
    ['** not inside *', policy(read, '/a/*'), policy(read, '/a/**'), false],
    ['** not inside */**', policy(read, '/*/**'), policy(read, '/**'), false],
    ['the thing itself not inside what is in it', policy(read, '/a/**'), policy(read, '/a'), false],
    ['longer not inside shorter', policy(read, '/a'), policy(read, '/a/1'), false],
    [
      'a field not inside a plain verb',
      policy('Daybook.*/*/*', '/**'),
      policy('Daybook.Core/ApiTokens/*/write', '/**'),
      false,
    ],
    [
      'a field inside all fields',
      policy('Daybook.Core/ApiTokens/*/write', '/**'),
      policy('Daybook.Core/ApiTokens/mode/write', '/**'),
      true,
    ],
    [
      'all fields not inside one',
      policy('Daybook.Core/ApiTokens/mode/write', '/**'),
      policy('Daybook.Core/ApiTokens/*/write', '/**'),
      false,
    ],
  ])('%s', (_name, granter, candidate, within) => {
    expect(escalationOf(authorityOf(granter), authorityOf(candidate)) === null).toBe(within);
  });
});

test('does not combine pairs of the granter to cover one pair of the candidate', () => {
  const granter = authorityOf(
    policy('Daybook.Core/Groups/read', '/*'),
    policy('Daybook.Core/Groups/read', '/*/**'),
  );
  const candidate = authorityOf(policy('Daybook.Core/Groups/read', '/**'));
  expect(pairsOf(escalationOf(granter, candidate))).toEqual([
    'Daybook.Core/Groups/read /organizations/acme/**',
  ]);
});

test('names exactly the uncovered pairs, each once', () => {
  const granter = authorityOf(
    policy('Daybook.Storage/*/read', '/projects/**'),
    policy('Daybook.Storage/Files/*', '/projects/1/**'),
  );
  const candidate = {
    actions: ['Daybook.Storage/Files/read', 'Daybook.Storage/Files/delete'],
    resources: ['/organizations/acme/projects/1/**', '/organizations/acme/projects/2/**'],
  };
  expect(escalationOf(granter, authorityOf(candidate, candidate))).toEqual({
    superuser: false,
    uncovered: [{ action: 'Daybook.Storage/Files/delete', resource: '/organizations/acme/projects/2/**' }],
    truncated: false,
  });
});

test('names a hundred of very many uncovered pairs, and that more exist', () => {
  const written = (length: number): WrittenPolicy => ({
    actions: Array.from({ length }, (_, index) => `Daybook.Core/Groups/verb_${index}`),
    resources: ['/organizations/acme/a', '/organizations/acme/b'],
  });
  const nobody = compileAuthority([]);
  expect(escalationOf(nobody, authorityOf(written(50)))).toMatchObject({ truncated: false });
  const more = escalationOf(nobody, authorityOf(written(51)));
  expect(more).toMatchObject({ truncated: true });
  expect(pairsOf(more)).toHaveLength(100);
});

describe('superusers', () => {
  const superuser = compileAuthority([], { superuser: true });
  const owner = authorityOf(policy('Daybook.**', '/**'));
  test('may grant anything, including superuser', () => {
    expect(escalationOf(superuser, owner)).toBeNull();
    expect(escalationOf(superuser, superuser)).toBeNull();
  });
  test('are within no other authority, though they have no pair', () => {
    expect(escalationOf(owner, superuser)).toEqual({ superuser: true, uncovered: [], truncated: false });
  });
});

const segment = fc.constantFrom('a', 'b', '*');
const anyResource = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
  .map(([path, open]) => ['/organizations/acme', ...path, ...(open ? ['**'] : [])].join('/'));
const anyAction = fc.constantFrom(
  'Daybook.**',
  'Daybook.Core/**',
  'Daybook.*/*/read',
  'Daybook.Core/Groups/*',
  'Daybook.Core/Groups/read',
  'Daybook.Core/ApiTokens/*/write',
  'Daybook.Core/ApiTokens/mode/write',
);
const anyPolicy = fc
  .record({
    actions: fc.array(anyAction, { minLength: 1, maxLength: 3 }),
    resources: fc.array(anyResource, { minLength: 1, maxLength: 3 }),
  })
  .map(parsed);
const anyAuthority = fc.array(anyPolicy, { maxLength: 3 }).map((policies) => compileAuthority(policies));
const anyQuestion = fc.tuple(
  fc.constantFrom(
    'Daybook.Core/Groups/read',
    'Daybook.Core/ApiTokens/mode/write',
    'Daybook.Storage/Files/read',
  ),
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }),
);

describe('within is an order that agrees with the permissions', () => {
  test('holds for an authority and itself, and itself with more policies', () => {
    fc.assert(
      fc.property(anyAuthority, anyPolicy, (one, more) => {
        expect(escalationOf(one, one)).toBeNull();
        expect(escalationOf(compileAuthority([...one.policies, more]), one)).toBeNull();
      }),
    );
  });

  test('is transitive', () => {
    fc.assert(
      fc.property(anyAuthority, anyAuthority, anyAuthority, (one, two, three) => {
        fc.pre(escalationOf(two, one) === null && escalationOf(three, two) === null);
        expect(escalationOf(three, one)).toBeNull();
      }),
    );
  });

  test('implies that the granter may do whatever the candidate may do', () => {
    fc.assert(
      fc.property(anyAuthority, anyAuthority, anyQuestion, (granter, candidate, [action, path]) => {
        fc.pre(escalationOf(granter, candidate) === null);
        const question = [defineAction(action), resourceOf('acme', ...path)] as const;
        fc.pre(allows(candidate, ...question));
        expect(allows(granter, ...question)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('holds after adding the uncovered pairs to the granter, each of which alone is an escalation', () => {
    fc.assert(
      fc.property(anyAuthority, anyAuthority, (granter, candidate) => {
        const uncovered = escalationOf(granter, candidate)?.uncovered ?? [];
        const added = uncovered.map(({ action, resource }) =>
          parsed({ actions: [action], resources: [resource] }),
        );
        expect(escalationOf(compileAuthority([...granter.policies, ...added]), candidate)).toBeNull();
        for (const pair of added) expect(escalationOf(granter, compileAuthority([pair]))).not.toBeNull();
      }),
    );
  });
});
