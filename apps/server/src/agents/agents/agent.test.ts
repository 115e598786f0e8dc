import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { AgentId } from './agent.ts';
import { slugOf } from './agent.ts';

const id = '01920000-0000-7000-8000-000000000000' as AgentId;

test.each([
  ['Chip Watch', 'chip-watch'],
  ['  --Chip__Watch!! ', 'chip-watch'],
  ['芯片 观察', '芯片-观察'],
  ['Ｆｕｌｌ Width', 'full-width'],
  ['Zoë & Ørsted', 'zoë-ørsted'],
  ['🤖', id],
])('turns %s into the slug %s', (name, slug) => {
  expect(slugOf(name, id)).toBe(slug);
});

test('creates a slug that needs no escaping in a URL and is its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const slug = slugOf(name, id);
      expect(slug).toMatch(/^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u);
      expect(slug.length).toBeLessThanOrEqual(120);
      expect(slugOf(slug, id)).toBe(slug);
    }),
  );
});
