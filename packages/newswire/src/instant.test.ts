import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';

import { dayPath, isoMicros, weekday } from './instant.ts';

test('writes an instant like the runtime, with three more digits', () => {
  const millis = integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2200, 0, 1) });
  assert(
    property(millis, integer({ min: 0, max: 999 }), (ms, micros) => {
      const date = new Date(ms);
      const iso = date.toISOString();
      expect(isoMicros(ms * 1000 + micros)).toBe(iso.replace('Z', `${String(micros).padStart(3, '0')}Z`));
      expect(dayPath(ms * 1000 + micros)).toBe(iso.slice(0, 10).replaceAll('-', '/'));
      expect(weekday(ms * 1000 + micros) % 7).toBe(date.getUTCDay());
    }),
  );
});
