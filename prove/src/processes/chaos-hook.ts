import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

import { clockHookPort } from '../chaos/hook-variables.ts';

/** Loaded before `daybook` in the suite's own processes: moves the system clock that the process reads. */
function hook(port: number): void {
  let aheadMs = 0;
  const { now: realNowMs } = Date;
  const RealDate = Date;
  const realInstant = Temporal.Now.instant.bind(Temporal.Now);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [realNowMs() + aheadMs] : given, newTarget) as object,
    get: (target, name) => (name === 'now' ? () => realNowMs() + aheadMs : Reflect.get(target, name)),
  });
  Temporal.Now.instant = () => realInstant().add({ milliseconds: aheadMs });
  const server = createServer((request, response) => {
    aheadMs = Number(request.url?.slice(1));
    response.end();
  });
  server.listen(port, '127.0.0.1').unref();
}

const port = process.env[clockHookPort];
// Threads of the process load this file too.
if (isMainThread && port !== undefined) hook(Number(port));
