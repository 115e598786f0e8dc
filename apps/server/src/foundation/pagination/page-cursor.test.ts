import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { Id } from '../ids.ts';
import { createIdSource } from '../ids.ts';
import { epochMicroseconds } from '../instant.ts';
import { createCursorKeys, deriveCursorSecrets } from './cursor-keys.ts';
import type { PageList } from './page-cursor.ts';
import { decodePageCursor, encodePageCursor } from './page-cursor.ts';
import { bigintRowId, uuidRowId } from './row-id.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const ids = createIdSource({ clock: createTestClock('2026-11-15T00:00:00.000Z'), randomBytes });
const list: PageList<bigint> = {
  keys: createCursorKeys([first]),
  ids: bigintRowId,
  route: 'listPolicies',
  tenant: 'acme',
  filters: { query: 'a', category: null },
};
const position = { createdAt: epochMicroseconds(1_794_700_800_123_456n), id: 7n };
const cursor = encodePageCursor(list, position);
const notOurs = { ok: false, reason: 'not-ours' };

const anyInstant = fc
  .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
  .map(epochMicroseconds);

test('round-trips a position exactly, to the microsecond, for numbers and for UUIDs', () => {
  const uuids: PageList<ReturnType<typeof ids.next<'agent'>>> = { ...list, ids: uuidRowId<'agent'>() };
  fc.assert(
    fc.property(anyInstant, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (createdAt, id) => {
      const numbered = { createdAt, id };
      expect(decodePageCursor(list, encodePageCursor(list, numbered))).toEqual({ ok: true, value: numbered });
      const named = { createdAt, id: ids.next<'agent'>() };
      expect(decodePageCursor(uuids, encodePageCursor(uuids, named))).toEqual({ ok: true, value: named });
    }),
  );
});

test('round-trips a position by name exactly, and refuses it for the other order or with any byte changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(), (sortName, at) => {
      const named = { ...position, sortName };
      const written = encodePageCursor(list, named, 'name');
      expect(decodePageCursor(list, written, 'name')).toEqual({ ok: true, value: named });
      expect(decodePageCursor(list, written)).toEqual(notOurs);
      expect(decodePageCursor(list, cursor, 'name')).toEqual(notOurs);
      const bytes = Buffer.from(written, 'base64url');
      const place = at % bytes.length;
      bytes[place] = (bytes[place] as number) ^ 1;
      expect(decodePageCursor(list, bytes.toString('base64url'), 'name')).toEqual(notOurs);
    }),
  );
});

test('encodes a cursor to the bytes that clients already store', () => {
  const keys = createCursorKeys([Buffer.alloc(32, 7)]);
  const id = '01980000-0000-7000-8000-00000000abcd' as Id<'agent'>;
  const named = { createdAt: position.createdAt, id, sortName: 'ü 中' };
  expect([
    encodePageCursor({ ...list, keys }, position),
    encodePageCursor({ ...list, keys, ids: uuidRowId<'agent'>() }, named, 'name'),
  ]).toEqual([
    'AYWRpBoABmBFV6tiQAAAAAAAAAAHG9vZotxV1Mv9YA4MgM5j7w',
    'AoWRpBoABmBFV6tiQAGYAAAAAHAAgAAAAAAAq80ABsO8IOS4rZCtHEFnL8kH5VpEL6gVSc0',
  ]);
});

test('accepts the cursor with filters in another order', () => {
  const turned = { ...list, filters: { category: null, query: 'a' } };
  expect(decodePageCursor(turned, cursor)).toEqual({ ok: true, value: position });
});

describe('a cursor is refused', () => {
  test.each<[string, Partial<PageList<bigint>>]>([
    ['by another route', { route: 'listGroups' }],
    ['by another tenant', { tenant: 'acme2' }],
    ['under other filters', { filters: { query: 'b', category: null } }],
    ['where a filter moved into the name of the tenant', { tenant: 'acme","query', filters: {} }],
    ['under a key that is not its own', { keys: createCursorKeys([second]) }],
  ])('%s', (_name, change) => {
    expect(decodePageCursor({ ...list, ...change }, cursor)).toEqual(notOurs);
  });

  test('by a list whose ids are of another kind', () => {
    expect(decodePageCursor({ ...list, ids: uuidRowId<'agent'>() }, cursor)).toEqual(notOurs);
  });

  test('with any one byte changed, whichever it is', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] as number) ^ difference;
        expect(decodePageCursor(list, changed.toString('base64url'))).toEqual(notOurs);
      }),
    );
  });

  test.each([
    ['empty', ''],
    ['cut short', cursor.slice(0, -1)],
    ['longer', `${cursor}A`],
    ['padded', `${cursor}=`],
    ['of another alphabet', `+${cursor.slice(1)}`],
    ['with white space', ` ${cursor.slice(1)}`],
    ['enormous', 'A'.repeat(1_000_000)],
  ])('when it is %s', (_name, text) => {
    expect(decodePageCursor(list, text)).toEqual(notOurs);
  });
});

describe('rotation of keys', () => {
  test('a cursor stays valid after the signing key changes while the old key verifies, and no longer', () => {
    const during = { ...list, keys: createCursorKeys([second, first]) };
    const after = { ...list, keys: createCursorKeys([second]) };
    expect(decodePageCursor(during, cursor)).toEqual({ ok: true, value: position });
    expect(decodePageCursor(after, cursor)).toEqual(notOurs);
    expect(decodePageCursor(after, encodePageCursor(during, position))).toEqual({
      ok: true,
      value: position,
    });
  });

  test('a process that only verifies the new key already reads its cursors', () => {
    const behind = { ...list, keys: createCursorKeys([first, second]) };
    const ahead = { ...list, keys: createCursorKeys([second, first]) };
    expect(decodePageCursor(behind, encodePageCursor(ahead, position))).toEqual({
      ok: true,
      value: position,
    });
  });

  test('keys derived from other secrets are the same on every process, and not those secrets', () => {
    const derived = { ...list, keys: createCursorKeys(deriveCursorSecrets([first, second])) };
    const again = { ...list, keys: createCursorKeys(deriveCursorSecrets([second, first])) };
    const written = encodePageCursor(derived, position);
    expect(decodePageCursor(again, written)).toEqual({ ok: true, value: position });
    expect(decodePageCursor(list, written)).toEqual(notOurs);
  });

  test.each<[string, readonly Uint8Array[]]>([
    ['no key', []],
    ['a short one', [randomBytes(31)]],
    ['one twice', [first, second, first]],
  ])('%s is refused at start', (_name, secrets) => {
    expect(() => createCursorKeys(secrets)).toThrow(RangeError);
  });
});
