import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createModelBudget } from './model-budget.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('two processes together make no more calls than each window allows', async () => {
  let ms = Date.parse('2026-03-01T00:00:00Z');
  const open = () =>
    createModelBudget({
      database: database.database,
      callsPerMinute: 3,
      callsPerHour: 5,
      callsPerDay: 6,
      now: () => new Date(ms).toISOString(),
    });
  const granted = async (attempts: number): Promise<number> => {
    // New processes each time: their cached refusals follow the real clock, not this one.
    const processes = [open(), open()];
    const taken = await Promise.all(Array.from({ length: attempts }, (_, at) => processes[at % 2]!.take()));
    return taken.filter((one) => one.granted).length;
  };
  expect(await granted(10)).toBe(3);
  ms += 61_000;
  expect(await granted(10)).toBe(2);
  ms += 61_000;
  expect(await granted(10)).toBe(0);
  ms += 3_600_000;
  expect(await granted(10)).toBe(1);
});
