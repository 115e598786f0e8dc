import { existsSync, readFileSync } from 'node:fs';

import { readBenchmarks } from '@daybook/evidence';
import { describe, expect, test } from 'vitest';

import type { Constants } from './constants.ts';
import { constantSources, listMissingSuites, readConstants, readLargestError } from './constants.ts';
import type { Demand } from './model.ts';
import { planCapacity } from './model.ts';

const constants: Constants = {
  unchangedPerCpuSecond: 30_000,
  listsPerCpuSecond: 20_000,
  edgePerCpuSecond: 40_000,
  forwardedPercent: 0.5,
  entryMs: 20,
  entryWorkerMs: 12,
  entryBytes: 5_000,
  pollsPerSecond: 100,
  signInsPerSecond: 40,
};
const small: Demand = { clients: 1_000, entriesPerDay: 1_000, accounts: 100, sources: 350 };
const large: Demand = {
  clients: 1_000_000,
  entriesPerDay: 1_000_000,
  accounts: 10_000_000,
  sources: 100_000,
};

test('every constant is a figure of a suite that exists; a missing one names its suite', () => {
  const recorded = readBenchmarks(
    readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8'),
  );
  const read = readConstants(recorded);
  expect(read.signInsPerSecond).toBeGreaterThan(0);
  for (const { suite } of Object.values(constantSources))
    expect([suite, existsSync(new URL(`../suites/${suite}.ts`, import.meta.url))]).toEqual([suite, true]);
  const without = readConstants(recorded.filter(({ suite }) => suite !== 'login'));
  expect(listMissingSuites(without)).toEqual([...listMissingSuites(read), 'login']);
});

test('what depends on a missing constant is unknown, the rest is not', () => {
  const plan = planCapacity(large, { ...constants, entryMs: NaN });
  expect(plan.database.processors).toBeNaN();
  expect(plan.workers.processes).toBe(4);
});

describe('the plan', () => {
  test('has two processes of each kind, and no edge, for a small installation', () => {
    expect(planCapacity(small, constants)).toMatchObject({
      edge: { processors: null },
      api: { processes: 2, requestsPerSecond: 1_000 / 60 },
      workers: { processes: 2 },
      database: { processors: 1, gigabytesPerYear: 1.825, connections: 84, needsPooler: false },
    });
  });

  test('sends renewals and the polls during them to the processes, once an edge caches', () => {
    const demands = [12_000_000, 120_000_000].map((clients) => ({ ...small, clients }));
    const [one, ten] = demands.map((demand) => planCapacity(demand, constants));
    expect(one?.edge.processors).toBeGreaterThan(0);
    // 600 copies every two seconds, and one of 200 polls.
    expect([one?.api.requestsPerSecond, ten?.api.requestsPerSecond]).toEqual([1_300, 10_300]);
    expect(ten?.edge.processors).toBeGreaterThan(one?.edge.processors ?? 0);
  });

  test('grows with entries and with sign-ins', () => {
    const plan = planCapacity(large, constants);
    // 58 entries a second at the peak, of 12 ms each, and 111 polls a second: 0.7 + 1.1 processors at 60 %.
    expect(plan.workers.processes).toBe(4);
    // 116 sign-ins a second at the peak, of two processors for 40, and the polls: 5.8 + 0.6 processors at 60 %.
    expect(plan.api.processes).toBe(11);
    expect(plan.database).toMatchObject({ processors: 1, gigabytesPerYear: 1_825, needsPooler: true });
  });
});

test('the largest error is that of the configuration furthest from its prediction', () => {
  const document = `|---|
| capacity | measured beside predicted: one | 110 ms | 100 ms | 1.100 |  | 2026-11-19 |
| capacity | measured beside predicted: two | 80 ms | 100 ms | 0.800 |  | 2026-11-19 |
`;
  expect(readLargestError(readBenchmarks(document))).toBeCloseTo(0.2);
  expect(readLargestError([])).toBeNull();
});
