import type { Goal, SuiteContext } from '@daybook/evidence';
import { collectGarbage } from '@daybook/evidence';

import { createLocalLimiter } from '../../apps/server/src/foundation/limits/local-limiter.ts';

const addresses = 2_000_000;
const limit = { requestsPerMinute: 600, burst: 100 };
const intervalMs = 100;

interface Flood {
  readonly spentGained: number;
  readonly newcomersRefused: number;
  readonly grownBytes: number;
  readonly tableBytes: number;
}

/** Two million addresses, while a client that has spent its allowance continues to send requests. */
function flood(nowAt: (request: number) => number, requestsPerAddress: number): Flood {
  const limiter = createLocalLimiter(limit);
  while (limiter.take('spent', 0) === 0);
  collectGarbage();
  const before = heapBytes();
  let spentAdmitted = 0;
  let newcomersRefused = 0;
  const requests = addresses * requestsPerAddress;
  for (let request = 1; request <= requests; request += 1) {
    const address = `2001:db8:${(request % addresses).toString(16)}::`;
    if (limiter.take(address, nowAt(request)) !== 0) newcomersRefused += 1;
    if (limiter.take('spent', nowAt(request)) === 0) spentAdmitted += 1;
  }
  collectGarbage();
  return {
    spentGained: Math.max(0, spentAdmitted - Math.floor(nowAt(requests) / intervalMs)),
    newcomersRefused,
    grownBytes: heapBytes() - before,
    tableBytes: limiter.bytes,
  };
}

function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function proveLocalLimiter(context: SuiteContext): void {
  const spray = flood((request) => request / 50, 1);
  const crush = flood(() => 0, 5);
  const figure = (name: string, value: number, unit: string, goal?: Goal): void =>
    context.figure({ name: `local limiter: ${name}`, value, unit, ...(goal && { goal }) });
  figure('its table', spray.tableBytes / 2 ** 20, 'MiB');
  const grownMiB = Math.max(spray.grownBytes, crush.grownBytes) / 2 ** 20;
  figure('memory grown by 2 M addresses', grownMiB, 'MiB', { atMost: 1 });
  figure('newcomers refused, 2 M addresses at 50,000 requests a second', spray.newcomersRefused, 'requests', {
    exactly: 0,
  });
  figure('requests a spent client gained meanwhile', spray.spentGained, 'requests', { exactly: 0 });
  figure(
    'requests a spent client gained from 10 M requests of 2 M addresses at one instant',
    crush.spentGained,
    'requests',
    { exactly: 0 },
  );
  figure(
    'newcomers refused at that instant, which no process can receive',
    crush.newcomersRefused,
    'requests',
  );
}
