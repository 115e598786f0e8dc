import fc from 'fast-check';
import { expect, test } from 'vitest';

import { matchesEntityTag, weakEntityTag } from './entity-tag.ts';

const opaque = fc.stringMatching(/^[!#-~]{0,30}$/);
const weak = fc.boolean();
const blank = fc.constantFrom('', ' ', '\t', '  ');

test('matches a list when one of its tags has the same opaque part, weak or strong', () => {
  const member = fc.tuple(opaque, weak, blank);
  fc.assert(
    fc.property(fc.array(member, { minLength: 1 }), opaque, weak, (members, held, heldWeak) => {
      const tag = (value: string, isWeak: boolean): string => `${isWeak ? 'W/' : ''}"${value}"`;
      const list = members.map(([value, isWeak, space]) => `${space}${tag(value, isWeak)}${space}`).join(',');
      const expected = members.some(([value]) => value === held);
      expect(matchesEntityTag(list, tag(held, heldWeak))).toBe(expected);
    }),
  );
});

test('treats a tag with commas inside as one tag', () => {
  expect(matchesEntityTag('"a,b", "c"', 'W/"a,b"')).toBe(true);
  expect(matchesEntityTag('"a,b", "c"', 'W/"b"')).toBe(false);
});

test('matches any version with a star, and nothing without a header', () => {
  expect([matchesEntityTag(' * ', 'W/"a"'), matchesEntityTag(undefined, 'W/"a"')]).toEqual([true, false]);
});

test.each(['W/"a', 'a', 'W/', '"', '', 'w/a'])('matches nothing for an invalid tag: %s', (header) => {
  expect(matchesEntityTag(header, 'W/"a"')).toBe(false);
});

test('gives equal bodies equal tags, and a changed body another', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (body, at) => {
      const changed = Uint8Array.from(body);
      changed[at % body.length]! ^= 1;
      expect(weakEntityTag(Uint8Array.from(body))).toBe(weakEntityTag(body));
      expect(weakEntityTag(changed)).not.toBe(weakEntityTag(body));
      expect(weakEntityTag(body)).toMatch(/^W\/"[\w-]{27}"$/);
    }),
  );
});
