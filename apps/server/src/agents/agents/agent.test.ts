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
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name, id)).toBe(slug);
});

test('a slug holds nothing that an address would have to guess about, and making it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const slug = slugOf(name, id);
      expect(slug).toMatch(/^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u);
      expect(slug.length).toBeLessThanOrEqual(120);
      expect(slugOf(slug, id)).toBe(slug);
    }),
  );
});
