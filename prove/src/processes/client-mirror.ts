import { createClient } from '@daybook/client';
import { follow, MirrorDifferentError, MirrorRefusedError } from '@daybook/client/mirror';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { sqliteStore } from '@daybook/client/mirror/sqlite';

import type { FollowerDemand } from '../mirror/follower.ts';

// A mirror that follows for ever and says each time that it is exact. It is killed at random moments.
const demand = JSON.parse(process.argv[2] ?? '') as FollowerDemand;
const store = demand.store === 'sqlite' ? sqliteStore(demand.path) : jsonLinesStore(demand.path);
/** An hour of polling passes in a few seconds: only the clock is another. */
const world = {
  now: () => performance.now() * demand.speed,
  wait: (milliseconds: number) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, milliseconds / demand.speed);
    }),
};
const client = createClient({
  baseUrl: demand.address,
  userAgent: `mirror-${process.pid}`,
  world,
  patience: { retriesMax: 20, waitMsMax: 3_600_000 },
});
const pageSize = { snapshot: 7, changes: 5 };
process.stdout.write('{"started":true}\n');
for (;;) {
  try {
    for await (const event of follow({ client, store, world, pageSize })) {
      const { kind, ...rest } = event;
      process.stdout.write(`${JSON.stringify(kind === 'exact' ? { kind, ...rest } : { kind })}\n`);
    }
  } catch (error) {
    if (!(error instanceof MirrorDifferentError) && !(error instanceof MirrorRefusedError)) throw error;
    process.stdout.write(`${JSON.stringify({ kind: 'error', message: error.message })}\n`);
  }
}
