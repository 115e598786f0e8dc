import { randomBytes } from 'node:crypto';

import type * as databaseModule from '../../../apps/server/src/foundation/database/database.ts';
import type * as idsModule from '../../../apps/server/src/foundation/ids.ts';
import { epochMicroseconds, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import type * as compileModule from '../../../apps/server/src/newsroom/editions/compile-edition.ts';
import type * as replayModule from '../../../apps/server/src/newsroom/editions/replay-edition.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import type * as recordModule from '../../../apps/server/src/record/wiring.ts';

export interface ReleasedEditions {
  /** Of the release's source. */
  readonly root: string;
  readonly databaseUrl: string;
  readonly action: 'issue' | 'replay';
  readonly editions: readonly (editions.EditionKey & { readonly dueAt: string })[];
}

// Issues editions, or replays them, with the code of an older release; prints the outcomes of the replays as JSON.
const { root, databaseUrl, action, editions: keys } = JSON.parse(process.argv[2] ?? '') as ReleasedEditions;
const load = async <Module>(path: string): Promise<Module> =>
  (await import(`${root}/apps/server/src/${path}`)) as Module;
const { connectDatabase } = await load<typeof databaseModule>('foundation/database/database.ts');
const { createIdSource } = await load<typeof idsModule>('foundation/ids.ts');
const { issueEdition } = await load<typeof compileModule>('newsroom/editions/compile-edition.ts');
const { replayEdition } = await load<typeof replayModule>('newsroom/editions/replay-edition.ts');
const { createPublisher } = await load<typeof recordModule>('record/wiring.ts');
const connection = connectDatabase({
  url: databaseUrl,
  name: 'prove release',
  connectionsMax: 2,
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 5_000,
});
const { database } = connection;
const settings = { language: 'en', aliases: [] } as const;
const outcomes: string[] = [];
for (const { kind, period, dueAt } of keys) {
  const now = epochMicroseconds(BigInt(dueAt));
  const clock = { now: () => now, nowMs: () => instantToMs(now) };
  if (action === 'replay') outcomes.push((await replayEdition(database, settings, { kind, period })).outcome);
  else {
    const publisher = createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) });
    await database
      .transaction()
      .execute((transaction) =>
        issueEdition({ clock, publisher, ...settings }, transaction, { kind, period }),
      );
  }
}
await connection.close();
process.stdout.write(JSON.stringify(outcomes));
