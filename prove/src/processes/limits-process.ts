import { setTimeout as delay } from 'node:timers/promises';

import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createStrictLimiter } from '../../../apps/server/src/foundation/limits/strict-limiter.ts';
import type { LimitsDemand, LimitsReport } from '../limits-demand.ts';

// One of several api processes that call the strict limiter as fast as it responds; prints the responses.
const demand = JSON.parse(process.argv[2] ?? '') as LimitsDemand;
const now = (): number => performance.timeOrigin + performance.now();
const connection = connectDatabase({
  url: demand.url,
  name: 'prove limits',
  connectionsMax: 10,
  statementTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
});
const limiter = createStrictLimiter({
  database: connection.database,
  name: demand.name,
  admittedMax: demand.admittedMax,
  windowMs: demand.windowMs,
});
const report: LimitsReport = { admitted: [], refused: 0 };

async function ask(key: string): Promise<void> {
  const sentMs = now();
  const { admitted } = await limiter.admit(key);
  if (admitted) report.admitted.push({ key, sentMs, receivedMs: now() });
  else {
    report.refused += 1;
    await delay(2);
  }
}

async function askAllTheTime(key: string): Promise<void> {
  while (now() < demand.endMs) await ask(key);
}

/** One request opens what would be a fixed window; the crowd comes just before its end and stays beyond it. */
async function askAcrossEdges(key: string): Promise<void> {
  const cycleMs = demand.windowMs * 2.5;
  for (let cycle = 0; ; cycle += 1) {
    const openMs = demand.startMs + cycle * cycleMs;
    const crowdMs = openMs + demand.windowMs * 0.9;
    if (crowdMs > demand.endMs) return;
    if (demand.opensWindows) {
      await delay(Math.max(0, openMs - now()));
      await ask(key);
    }
    await delay(Math.max(0, crowdMs - now()));
    while (now() < Math.min(demand.endMs, openMs + demand.windowMs * 1.3)) await ask(key);
  }
}

await delay(Math.max(0, demand.startMs - now()));
await Promise.all([
  ...demand.constantKeys.flatMap((key) => [askAllTheTime(key), askAllTheTime(key)]),
  ...demand.edgeKeys.map(askAcrossEdges),
]);
await connection.close();
process.stdout.write(JSON.stringify(report));
