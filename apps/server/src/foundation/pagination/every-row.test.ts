import { expect, test } from 'vitest';

import { everyRow } from './every-row.ts';

test.each([0, 1, 499, 500, 501, 1_000, 1_250])('returns %d rows once each, in order', async (count) => {
  const rows = Array.from({ length: count }, (_, number) => ({ id: String(number).padStart(5, '0') }));
  let largest = 0;
  const read = async ({ limit, after = '' }: { limit: number; after?: string }) => {
    largest = Math.max(largest, limit);
    return rows.filter(({ id }) => id > after).slice(0, limit);
  };
  expect(await Array.fromAsync(everyRow(read))).toEqual(rows);
  expect(largest).toBe(500);
});
