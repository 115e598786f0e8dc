import { expect, test } from 'vitest';

import { canonicalJson } from './canonical-json.ts';
import type { RecordProof } from './proof.ts';
import { differingFields, verifyProof } from './proof.ts';

test('canonical JSON has sorted names and the numbers of RFC 8785', () => {
  // The example of RFC 8785, section 3.2.2, without its characters beyond ASCII.
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
    literals: [null, true, false],
    a: { b: 1 },
  };
  expect(canonicalJson(value)).toBe(
    '{"a":{"b":1},"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
  );
});

test('names are sorted by UTF-16 code units', () => {
  expect(canonicalJson({ '\u{1F600}': 1, '\uFB33': 2, '\u20ac': 3 })).toBe(
    '{"\u20ac":3,"\u{1F600}":1,"\uFB33":2}',
  );
});

test.each([
  null,
  {},
  { entry: {} },
  {
    entry: { version: 1, kind: 'item', action: 'published', id: 'x', revision: 1, at: '', bodyHash: null },
    body: null,
    salt: 'zz',
    leafIndex: 0,
    inclusion: [],
    checkpoint: '',
  },
])('a malformed proof is refused: %j', async (proof) => {
  expect(await verifyProof(proof as unknown as RecordProof, { logKeys: [] })).toEqual({
    ok: false,
    fault: 'malformed',
  });
});

test('fields that both have are compared, also inside of objects and lists', () => {
  const body = { title: 'One', links: { original: 'a' }, cites: [1, 2], only: 1 };
  expect(differingFields(body, { title: 'One', links: { original: 'a', item: 'x' }, cites: [1, 2] })).toEqual(
    [],
  );
  expect(differingFields(body, { title: 'Two', links: { original: 'b' }, cites: [1] })).toEqual([
    'title',
    'links.original',
    'cites',
  ]);
});
