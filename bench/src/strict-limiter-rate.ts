import type { SuiteContext } from '@daybook/evidence';
import { median, seededRandom } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import type { DatabaseConnection } from '../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../apps/server/src/foundation/database/migration-files.ts';
import { decideStrictLimit } from '../../apps/server/src/foundation/limits/strict-limit-store.ts';
import { createStrictLimiter } from '../../apps/server/src/foundation/limits/strict-limiter.ts';

const connections = 4;
const random = seededRandom(2);

/** Calls a second over all connections, each waiting for its response. */
async function rate(durationMs: number, ask: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  let answered = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - startMs < durationMs) {
      await ask();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return (answered * 1_000) / (performance.now() - startMs);
}

export async function benchStrictLimiter(context: SuiteContext): Promise<void> {
  const cluster = await startCluster();
  const connection = connectDatabase({
    url: cluster.url('daybook'),
    name: 'bench limits',
    connectionsMax: connections,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
  });
  try {
    const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'bench' });
    await migrate(urls.owner, await readMigrations());
    await connection.pool.query(
      `CREATE TABLE public.counter (key text PRIMARY KEY, hits bigint NOT NULL);
       INSERT INTO public.counter SELECT 'key-' || n, 0 FROM generate_series(0, 999) AS n`,
    );
    for (const keys of [1, 30, 1_000]) await benchDecisions(context, connection, keys);
    await benchRefusals(context, connection);
  } finally {
    await connection.close();
    await cluster.remove();
  }
}

async function benchDecisions(
  context: SuiteContext,
  { database, pool }: DatabaseConnection,
  keys: number,
): Promise<void> {
  const key = (): string => `key-${Math.floor(random() * keys)}`;
  const ours = (): Promise<unknown> =>
    decideStrictLimit(database, { key: key(), admittedMax: 10, windowMs: 1_000 });
  const bare = (): Promise<unknown> =>
    pool.query('UPDATE public.counter SET hits = hits + 1 WHERE key = $1 RETURNING hits', [key()]);
  const durationMs = context.quick ? 100 : 800;
  await rate(durationMs, ours);
  await rate(durationMs, bare);
  const [oursRates, bareRates]: [number[], number[]] = [[], []];
  for (let round = 0; round < (context.quick ? 9 : 15); round += 1) {
    oursRates.push(await rate(durationMs, ours));
    bareRates.push(await rate(durationMs, bare));
  }
  context.ratio({
    name: `strict limiter, ${keys === 1 ? 'one row' : `${keys.toLocaleString('en-US')} rows`}, beside UPDATE … RETURNING`,
    unit: 'decisions/s',
    ours: oursRates,
    bare: bareRates,
  });
}

/** The cost of a flood once its key is refused: no call reaches the database. */
async function benchRefusals(context: SuiteContext, { database }: DatabaseConnection): Promise<void> {
  const limiter = createStrictLimiter({ database, name: 'bench', admittedMax: 1, windowMs: 600_000 });
  await limiter.admit('192.0.2.1');
  const costs: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const startMs = performance.now();
    for (let call = 0; call < 5_000; call += 1) await limiter.admit('192.0.2.1');
    costs.push(((performance.now() - startMs) * 1_000) / 5_000);
  }
  context.figure({
    name: 'strict limiter, a refusal remembered',
    value: median(costs),
    unit: 'µs a call',
    goal: { atMost: 5 },
  });
}
