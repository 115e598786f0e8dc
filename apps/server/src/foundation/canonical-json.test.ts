import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { JsonValue } from './canonical-json.ts';
import { canonicalJson } from './canonical-json.ts';

describe('examples of RFC 8785', () => {
  test('literals, numbers and strings of section 3.2.2', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`) as JsonValue;
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('sorts keys of section 3.2.3 by UTF-16 code units', () => {
    const ordered = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const value = Object.fromEntries(ordered.toReversed().map((key) => [key, ordered.indexOf(key)]));
    expect(canonicalJson(value)).toBe(
      `{${ordered.map((key, index) => `${JSON.stringify(key)}:${index}`).join(',')}}`,
    );
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the number with bits %s is written %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });
});

describe('refused', () => {
  test.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', ['\udc00']],
    ['a lone surrogate in a key', { '\ud800': 1 }],
    ['undefined in an object', { a: undefined }],
    ['a hole in an array', [undefined]],
    ['a Date', new Date(0)],
    ['a Map', { a: new Map() }],
    ['a bigint', 1n],
    ['a function', () => 1],
  ])('%s', (_name, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError);
  });
});

const wellFormed = fc.string({ unit: 'grapheme' });
const anyJson = fc.jsonValue({ stringUnit: 'grapheme' }).map((value) => value as JsonValue);

test('writes values that parse to the same value and serialize identically again', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
    }),
  );
});

test('ignores the order in which keys were set', () => {
  fc.assert(
    fc.property(fc.dictionary(wellFormed, anyJson), (object) => {
      const turned = Object.fromEntries(Object.entries(object).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(object));
    }),
  );
});

test('treats a key named __proto__ like any other key', () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}') as JsonValue)).toBe('{"__proto__":2,"b":1}');
});
