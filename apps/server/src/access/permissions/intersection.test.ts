import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { policiesOfRole } from '../core-permissions/role-policies.ts';
import type { Authority, WrittenPolicy } from './index.ts';
import {
  allows,
  compileAuthority,
  coveredNames,
  defineAction,
  escalationOf,
  parsePolicy,
  resourceOf,
} from './index.ts';
import { intersectAuthorities } from './intersection.ts';

const authorityOf = (...policies: WrittenPolicy[]): Authority =>
  compileAuthority(
    policies.map((written) => {
      const policy = parsePolicy(written, 'acme');
      if (!policy.ok) throw new Error(JSON.stringify(policy.faults));
      return policy.value;
    }),
  );

const actions = [
  'Daybook.Core/Groups/read',
  'Daybook.Core/Groups/create',
  'Daybook.Core/ApiTokens/mode/write',
  'Daybook.Storage/Files/read',
] as const;
const anyAction = fc.constantFrom(
  ...actions,
  'Daybook.**',
  'Daybook.Core/**',
  'Daybook.*/**',
  'Daybook.*/*/read',
  'Daybook.Core/Groups/*',
  'Daybook.Core/ApiTokens/*/write',
);
const anyResource = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 4 }), fc.boolean())
  .map(([path, open]) => ['/organizations/acme', ...path, ...(open ? ['**'] : [])].join('/'));
const anyAuthority = fc
  .array(
    fc.record({
      actions: fc.array(anyAction, { minLength: 1, maxLength: 3 }),
      resources: fc.array(anyResource, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 3 },
  )
  .map((policies) => authorityOf(...policies));
const anyQuestion = fc.tuple(
  fc.constantFrom(...actions),
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }),
);
const superuser = compileAuthority([], { superuser: true });

describe('an intersection', () => {
  test('allows exactly what both allow, in either order', () => {
    fc.assert(
      fc.property(anyAuthority, anyAuthority, anyQuestion, (one, other, [action, path]) => {
        const question = [defineAction(action), resourceOf('acme', ...path)] as const;
        const both = allows(one, ...question) && allows(other, ...question);
        expect(allows(intersectAuthorities(one, other), ...question)).toBe(both);
        expect(allows(intersectAuthorities(other, one), ...question)).toBe(both);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is within both, so that its holder can grant no more than either', () => {
    fc.assert(
      fc.property(anyAuthority, anyAuthority, (one, other) => {
        const common = intersectAuthorities(one, other);
        expect(escalationOf(one, common)).toBeNull();
        expect(escalationOf(other, common)).toBeNull();
      }),
    );
  });

  test('with itself changes nothing', () => {
    fc.assert(
      fc.property(anyAuthority, (one) => {
        expect(escalationOf(intersectAuthorities(one, one), one)).toBeNull();
      }),
    );
  });

  test('with a superuser is the other authority, without the superuser flag', () => {
    fc.assert(
      fc.property(anyAuthority, (one) => {
        for (const common of [intersectAuthorities(superuser, one), intersectAuthorities(one, superuser)]) {
          expect(common.superuser).toBe(false);
          expect(escalationOf(one, common)).toBeNull();
          expect(escalationOf(common, one)).toBeNull();
        }
      }),
    );
  });

  test('lists exactly what it allows individually', () => {
    fc.assert(
      fc.property(anyAuthority, anyAuthority, (one, other) => {
        const common = intersectAuthorities(one, other);
        const action = defineAction('Daybook.Storage/Files/read');
        const covered = coveredNames(common, action, [resourceOf('acme', 'a')], 'b');
        for (const name of ['a', 'b', 'c'])
          expect(covered === 'all' || covered.has(name)).toBe(
            allows(common, action, resourceOf('acme', 'a', 'b', name)),
          );
      }),
    );
  });
});

test('of an owner with reading storage allows exactly reading storage', () => {
  const limit = authorityOf({
    actions: ['Daybook.Storage/*/read'],
    resources: ['/organizations/acme/projects/**'],
  });
  const common = intersectAuthorities(compileAuthority(policiesOfRole('owner', 'acme')), limit);
  const may = (action: string, ...path: string[]): boolean =>
    allows(common, defineAction(action), resourceOf('acme', ...path));
  expect(may('Daybook.Storage/Files/read', 'projects', '1', 'files', '2')).toBe(true);
  expect(may('Daybook.Storage/Files/update', 'projects', '1', 'files', '2')).toBe(false);
  expect(may('Daybook.Core/Members/read', 'members')).toBe(false);
});
