import { expect, test } from 'vitest';

import { probableField } from './probable-field.ts';

const known = ['name', 'mode', 'scopes', 'expiresAt', 'policies_to_add', 'key'];

test.each([
  ['Mode', 'mode'],
  ['scope', 'scopes'],
  ['expires_at', 'expiresAt'],
  ['policies-to-ad', 'policies_to_add'],
  ['nmae', null],
  ['color', null],
  ['id', null],
  ['', null],
])('%j probably means %j', (unknown, meant) => {
  expect(probableField(unknown, known)).toBe(meant);
});
