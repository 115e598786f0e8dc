import { randomBytes, randomUUIDv7 } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { Id, IdSource } from './ids.ts';
import { createIdSource, idFromBytes, instantOfId, parseId, uuidToBytes } from './ids.ts';

const many = (ids: IdSource, count: number): Id<'item'>[] =>
  Array.from({ length: count }, () => ids.next<'item'>());

describe('generated ids', () => {
  test('are UUIDv7 of the given clock', () => {
    const clock = createTestClock('2026-11-15T01:02:03.456Z');
    const id = createIdSource({ clock, randomBytes }).next<'item'>();
    expect(parseId(id)).toEqual({ ok: true, value: id });
    expect(instantOfId(id)).toBe(clock.now());
  });

  test('rise strictly within a millisecond, across milliseconds and when the clock steps back', () => {
    const clock = createTestClock('2026-11-15T00:00:00.000Z');
    const ids = createIdSource({ clock, randomBytes });
    const made = many(ids, 5000);
    clock.advance({ milliseconds: 1 });
    made.push(...many(ids, 100));
    clock.advance({ hours: -1 });
    made.push(...many(ids, 100));
    expect(made).toEqual([...new Set(made)].sort());
  });

  test('rise within a millisecond whatever the random bytes are', () => {
    for (const byte of [0x00, 0xff]) {
      const randomBytes = (size: number): Buffer => Buffer.alloc(size, byte);
      const made = many(
        createIdSource({ clock: createTestClock('2026-11-15T00:00:00.000Z'), randomBytes }),
        1000,
      );
      expect(made).toEqual([...new Set(made)].sort());
      expect(made.every((id) => parseId(id).ok)).toBe(true);
    }
  });

  test('of two sources at the same time differ', () => {
    const clock = createTestClock('2026-11-15T00:00:00.000Z');
    const made = Array.from({ length: 1000 }, () => createIdSource({ clock, randomBytes }).next());
    expect(new Set(made).size).toBe(1000);
  });

  test('are not generated for times that UUIDv7 cannot represent', () => {
    const clock = createTestClock('1969-12-31T23:59:59.999Z');
    expect(() => createIdSource({ clock, randomBytes }).next()).toThrow(RangeError);
  });
});

describe('parsed ids', () => {
  test('accept UUIDv7 of the platform, with their time', () => {
    const before = Date.now();
    const parsed = parseId(randomUUIDv7());
    if (!parsed.ok) throw new Error(parsed.reason);
    const milliseconds = Number(instantOfId(parsed.value) / 1000n);
    expect(milliseconds).toBeGreaterThanOrEqual(before - 1);
    expect(milliseconds).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('sixteen bytes and back are the same id', () => {
    const clock = createTestClock('2026-11-15T00:00:00.000Z');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
        const id = createIdSource({ clock, randomBytes: () => bytes }).next();
        expect(idFromBytes(uuidToBytes(id))).toEqual({ ok: true, value: id });
      }),
    );
  });

  test.each([
    '',
    '019A8590-0000-7000-8000-000000000000',
    '019a8590-0000-4000-8000-000000000000',
    '019a8590-0000-7000-c000-000000000000',
    '019a8590000070008000000000000000',
    '{019a8590-0000-7000-8000-000000000000}',
    '019a8590-0000-7000-8000-000000000000\n',
    '019a8590-0000-7000-8000-00000000000g',
  ])('%j is refused', (text) => {
    expect(parseId(text)).toEqual({ ok: false, reason: 'malformed' });
  });
});
