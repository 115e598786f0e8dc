import { createServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

import { collectGarbage } from '@daybook/evidence';

import type { HookReport } from '../soak/hook-report.ts';
import { hookVariables } from '../soak/hook-report.ts';

const leakedNumbersPerSecond = 32 * 1024;
const leaked: unknown[] = [];
const leaks: Readonly<Record<string, () => unknown>> = {
  memory: () => Array.from({ length: leakedNumbersPerSecond }, Math.random),
  descriptors: () => createNetServer().listen(0, '127.0.0.1').unref(),
};

/** Loaded before `daybook` in the suite's own processes: reports memory, and leaks if the suite is asked to fail. */
function hook(port: number, leak: string): void {
  const server = createServer((_request, response) => {
    collectGarbage();
    const { rss, heapUsed } = process.memoryUsage();
    const report: HookReport = { rssBytes: rss, heapBytes: heapUsed };
    response.end(JSON.stringify(report));
  });
  // Longer than the time between two samples: a connection must not end while it is used again.
  server.keepAliveTimeout = 600_000;
  server.listen(port, '127.0.0.1').unref();
  const makeLeak = leaks[leak];
  if (makeLeak !== undefined) setInterval(() => leaked.push(makeLeak()), 1_000).unref();
}

const port = process.env[hookVariables.port];
// Threads of the process load this file too.
if (isMainThread && port !== undefined) hook(Number(port), process.env[hookVariables.leak] ?? '');
