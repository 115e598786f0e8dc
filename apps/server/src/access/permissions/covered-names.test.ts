import fc from 'fast-check';
import { expect, test } from 'vitest';

import { defineAction } from './action.ts';
import { allows, compileAuthority } from './authority.ts';
import { coveredNames, coveredPaths } from './covered-names.ts';
import { parsePolicy } from './policy.ts';
import { resourceOf } from './resource.ts';

const read = defineAction('Daybook.Storage/Files/read');
const names = ['a', 'b', 'ü', '*'];
const segment = fc.constantFrom('projects', 'folders', 'files', 'a', 'b', '%C3%BC', '*');
const resource = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.boolean())
  .map(([segments, open]) => ['/organizations/acme', ...segments, ...(open ? ['**'] : [])].join('/'));
const action = fc.constantFrom(
  'Daybook.**',
  'Daybook.Storage/*/read',
  'Daybook.Storage/Files/read',
  'Daybook.Storage/Files/delete',
  'Daybook.Storage/Files/**',
);

test('lists exactly the names that are individually visible', () => {
  const policies = fc.array(fc.record({ actions: fc.array(action), resources: fc.array(resource) }));
  fc.assert(
    fc.property(policies, (written) => {
      const authority = compileAuthority(
        written.flatMap((one) => {
          const parsed = parsePolicy(one, 'acme');
          return parsed.ok ? [parsed.value] : [];
        }),
      );
      const parents = [
        resourceOf('acme', 'projects', 'a'),
        resourceOf('acme', 'projects', 'a', 'folders', 'b'),
      ];
      const covered = coveredNames(authority, read, parents, 'files');
      for (const name of names) {
        const one = parents.some(({ segments: [, , ...path] }) =>
          allows(authority, read, resourceOf('acme', ...path, 'files', name)),
        );
        expect(covered === 'all' || covered.has(name)).toBe(one);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('covers at any depth exactly what one of the paths of a resource allows', () => {
  const policies = fc.array(fc.record({ actions: fc.array(action), resources: fc.array(resource) }));
  fc.assert(
    fc.property(policies, (written) => {
      const authority = compileAuthority(
        written.flatMap((one) => {
          const parsed = parsePolicy(one, 'acme');
          return parsed.ok ? [parsed.value] : [];
        }),
      );
      const path = ['organizations', 'acme', 'projects', null, 'folders', null, 'files', null];
      const covered = coveredPaths(authority, read, path);
      for (const project of ['a', 'b'])
        for (const above of ['a', 'b', 'ü'])
          for (const name of ['a', 'b', 'ü', '*']) {
            const one = [project, above, name];
            expect(
              covered.some((open) => one.every((part, at) => open[at] === '*' || open[at] === part)),
            ).toBe(
              allows(
                authority,
                read,
                resourceOf('acme', 'projects', project, 'folders', above, 'files', name),
              ),
            );
          }
    }),
    { numRuns: 2_000 },
  );
});

test('covers everything for a superuser', () => {
  const authority = compileAuthority([], { superuser: true });
  expect(coveredNames(authority, read, [], 'files')).toBe('all');
});
