import { expect, it } from 'vitest';

import { addPermission } from './settings-permission.ts';

it('adds to the list, and preserves all other settings and the file’s own indentation', () => {
  const before = '{\n    "model": "x",\n    "permissions": { "deny": ["a"], "allow": ["b"] }\n}\n';
  const after = addPermission(before, 'deny', 'c');
  expect(JSON.parse(after)).toEqual({ model: 'x', permissions: { deny: ['a', 'c'], allow: ['b'] } });
  expect(after).toContain('\n    "model"');
});

it('does not duplicate an existing permission', () => {
  const once = addPermission(null, 'ask', 'git push');
  expect(addPermission(once, 'ask', 'git push')).toBe(once);
});

it.each(['not json', '[]', '{"permissions": []}', '{"permissions": {"deny": "all"}}'])(
  'refuses to rewrite what it does not understand: %s',
  (before) => {
    expect(() => addPermission(before, 'deny', 'x')).toThrow(/settings file/);
  },
);
