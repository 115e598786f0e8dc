import type { SuiteContext } from '@daybook/evidence';
import { median, seededRandom } from '@daybook/evidence';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { LocalLimiter } from '../../apps/server/src/foundation/limits/local-limiter.ts';
import { createLocalLimiter } from '../../apps/server/src/foundation/limits/local-limiter.ts';

const counts = [1, 1_000, 1_000_000] as const;
/** Few enough that the addresses are in the CPU cache, like that of a request just read. */
const callsPerBatch = 1_024;
const warmBatches = 200;
/** An interval of the limit per call, so that every call is admitted, whether from one address or from many. */
const stepMs = 100;

interface Contest {
  readonly count: number;
  readonly ours: LocalLimiter;
  readonly bare: RateLimiterMemory;
  readonly oursUs: number[];
  readonly bareUs: number[];
  nowMs: number;
}

const random = seededRandom(1);

/** Spread over all of IPv4, so that addresses are as long as usual whatever their number. */
function address(index: number): string {
  const bits = Math.imul(index + 1, 0x9e3779b1);
  const text = `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
  // A flat string of its own, as the runtime gives a socket's address.
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** With one address, another one in each batch, lest its length decide. */
function drawKeys(count: number, batch: number): readonly string[] {
  const first = count === 1 ? batch : 0;
  return Array.from({ length: callsPerBatch }, () => address(first + Math.floor(random() * count)));
}

function timeOurs(contest: Contest, batch: number): number {
  const keys = drawKeys(contest.count, batch);
  const { take } = contest.ours;
  let { nowMs } = contest;
  let refused = 0;
  const startMs = performance.now();
  for (const key of keys) {
    nowMs += stepMs;
    refused += take(key, nowMs);
  }
  const us = ((performance.now() - startMs) * 1_000) / callsPerBatch;
  if (refused > 0) throw new Error('a paced call was refused');
  contest.nowMs = nowMs;
  return us;
}

/** The middle one of several batches: a neighbour's time slice falls into one of them, not into the figure. */
function timeRound(contest: Contest, round: number): number {
  return median([0, 1, 2, 3, 4, 5, 6, 7, 8].map((batch) => timeOurs(contest, round * 9 + batch)));
}

async function timeBare(contest: Contest, batch: number): Promise<number> {
  const keys = drawKeys(contest.count, batch);
  const startMs = performance.now();
  for (const key of keys) await contest.bare.consume(key);
  return ((performance.now() - startMs) * 1_000) / callsPerBatch;
}

export async function benchLocalLimiter(context: SuiteContext): Promise<void> {
  const contests = counts.map((count): Contest => ({
    count,
    ours: createLocalLimiter({ requestsPerMinute: 600, burst: 100 }),
    bare: new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 3_600 }),
    oursUs: [],
    bareUs: [],
    nowMs: 0,
  }));
  const rounds = context.quick ? 15 : 61;
  for (let batch = 0; batch < warmBatches; batch += 1) {
    for (const contest of contests) timeOurs(contest, batch);
  }
  const bareBytes = await fillBare(contests.at(-1)?.bare);
  for (const contest of contests) {
    for (let batch = 0; batch < 20; batch += 1) await timeBare(contest, batch);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const contest of contests) {
      contest.oursUs.push(timeRound(contest, round));
      contest.bareUs.push(await timeBare(contest, round));
    }
  }
  report(context, contests, bareBytes);
}

function report(context: SuiteContext, contests: readonly Contest[], bareBytes: number): void {
  for (const { count, oursUs, bareUs } of contests) {
    const name = `local limiter, ${count.toLocaleString('en-US')} ${count === 1 ? 'address' : 'addresses'}`;
    context.figure({ name, value: median(oursUs), unit: 'µs a call', goal: { atMost: 5 } });
    context.ratio({ name: `${name}, beside the library`, unit: 'µs a call', ours: oursUs, bare: bareUs });
  }
  const [one, , million] = contests;
  if (one === undefined || million === undefined) return;
  context.ratio({
    name: 'local limiter, growth from one address (bare) to 1 M',
    unit: 'µs a call',
    ours: million.oursUs,
    bare: one.oursUs,
    goal: { atMost: 1.5 },
  });
  context.ratio({
    name: 'the library, growth from one address (bare) to 1 M',
    unit: 'µs a call',
    ours: million.bareUs,
    bare: one.bareUs,
  });
  context.figure({
    name: 'local limiter, memory at any number',
    value: one.ours.bytes / 2 ** 20,
    unit: 'MiB',
  });
  context.figure({ name: 'the library, memory for 1 M addresses', value: bareBytes / 2 ** 20, unit: 'MiB' });
}

async function fillBare(bare: RateLimiterMemory | undefined): Promise<number> {
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 1_000_000; index += 1) await bare?.consume(address(index));
  return process.memoryUsage().heapUsed - before;
}
