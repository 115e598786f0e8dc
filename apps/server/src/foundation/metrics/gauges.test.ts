import { Registry } from 'prom-client';
import { expect, test } from 'vitest';

import { registerGauge, registerGauges } from './gauges.ts';

const described = {
  daybook_test_total: { help: 'A number.' },
  daybook_test_waiting: { help: 'Numbers.', label: 'queue' },
} as const;

async function valuesOf(registry: Registry): Promise<readonly string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('daybook_'));
}

test('returns every gauge of a reading in the first response, with one reading for all of them', async () => {
  const registry = new Registry();
  let readings = 0;
  registerGauges(registry, described, async () => {
    readings += 1;
    return { daybook_test_total: readings, daybook_test_waiting: new Map([['mail', 3]]) };
  });
  expect(await valuesOf(registry)).toEqual(['daybook_test_total 1', 'daybook_test_waiting{queue="mail"} 3']);
  expect(readings).toBe(1);
});

test('omits a label that has no value any more', async () => {
  const registry = new Registry();
  const waiting = new Map([['mail', 3]]);
  registerGauges(registry, described, async () => ({
    daybook_test_total: 0,
    daybook_test_waiting: new Map(waiting),
  }));
  await valuesOf(registry);
  waiting.delete('mail');
  expect(await valuesOf(registry)).toEqual(['daybook_test_total 0']);
});

test('counts a failed reading and still returns the other metrics', async () => {
  const registry = new Registry();
  registerGauge(registry, 'daybook_other', 'Another number.', () => 7);
  registerGauges(registry, described, async () => {
    throw new Error('the database is away');
  });
  await valuesOf(registry);
  expect(await valuesOf(registry)).toEqual([
    'daybook_other 7',
    expect.stringMatching(/^daybook_metrics_reading_failures_total\{gauges="daybook_test_total"\} [12]$/),
  ]);
});
