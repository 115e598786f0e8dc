import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { allows, compileAuthority, defineAction, parsePolicy, resourceOf } from '../permissions/index.ts';
import type { PickedPermissions } from './index.ts';
import { actionChoices, capabilitiesOf, coreCapabilities, pickedOfPolicy, policyOfPicked } from './index.ts';

const read = defineAction('Daybook.Storage/Files/read');
const choices = actionChoices([
  ...coreCapabilities,
  ...capabilitiesOf('agents', { read: defineAction('Daybook.Agents/Agents/read') }, 'agents'),
  { action: read, kind: ['projects'], on: 'things', inside: 'files', words: 'read files' },
]);
const kinds = [...new Set(choices.map(({ kind }) => kind))].filter((kind) => kind !== '');

const anyPicked: fc.Arbitrary<PickedPermissions> = fc
  .record({
    actions: fc.uniqueArray(fc.constantFrom(...choices.map(({ action }) => action)), { minLength: 1 }),
    things: fc.uniqueArray(
      fc
        .tuple(fc.constantFrom(...kinds), fc.constantFrom('1', 'a b', 'a/b', '*', '日報'))
        .map(([kind, id]) => `${kind}/${id}`),
      { maxLength: 6 },
    ),
  })
  .map(({ actions, things }) => ({
    actions,
    // Resources of kinds that no action concerns are refused before a policy is created.
    things: things.filter((thing) =>
      choices.some(({ action, kind }) => actions.includes(action) && thing.startsWith(`${kind}/`)),
    ),
  }));

describe('a selection', () => {
  test('becomes a policy that can be stored and converted back', () => {
    fc.assert(
      fc.property(anyPicked, (picked) => {
        const policy = policyOfPicked(picked, 'acme', choices);
        expect(parsePolicy(policy, 'acme').ok).toBe(true);
        const found = pickedOfPolicy(policy, 'acme', choices);
        expect(new Set(found?.actions)).toEqual(new Set(picked.actions));
        expect(new Set(found?.things)).toEqual(new Set(picked.things));
      }),
    );
  });

  test('allows each action on the selected resources, and on all of a kind without a selection', () => {
    const may = (picked: PickedPermissions, ...path: string[]): boolean => {
      const parsed = parsePolicy(policyOfPicked(picked, 'acme', choices), 'acme');
      return parsed.ok && allows(compileAuthority([parsed.value]), read, resourceOf('acme', ...path));
    };
    const one = { actions: [read.text], things: ['projects/1'] };
    expect(may(one, 'projects', '1', 'files', 'f')).toBe(true);
    expect(may(one, 'projects', '2', 'files', 'f')).toBe(false);
    expect(may({ ...one, things: [] }, 'projects', '2', 'files', 'f')).toBe(true);
    expect(may({ ...one, actions: ['Daybook.Agents/Agents/read'] }, 'projects', '1', 'files', 'f')).toBe(
      false,
    );
  });
});

test.each([
  ['a wildcard action', ['Daybook.Storage/*/read'], ['/organizations/acme/projects']],
  ['an unknown action', ['Daybook.Storage/Files/print'], ['/organizations/acme/projects']],
  ['the collection alone', [read.text], ['/organizations/acme/projects']],
  ['what lies inside alone', [read.text], ['/organizations/acme/projects/1/**']],
  ['a folder', [read.text], ['/organizations/acme/projects/1/folders/2']],
  ['a kind that no action concerns', [read.text], ['/organizations/acme/agents/1']],
])('returns no selection for a policy with %s', (_name, actions, resources) => {
  expect(pickedOfPolicy({ actions, resources }, 'acme', choices)).toBeNull();
});
