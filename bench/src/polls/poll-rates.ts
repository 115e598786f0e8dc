import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { SuiteContext } from '@daybook/evidence';
import { collectGarbage } from '@daybook/evidence';
import { Agent, buildConnector, request } from 'undici';

import { hourMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import type { SweepContext } from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import { createEpochFence } from '../../../apps/server/src/foundation/engine/epoch-fence.ts';
import { runFenced } from '../../../apps/server/src/foundation/engine/fenced-transaction.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createFetcher } from '../../../apps/server/src/ingest/index.ts';
import { createPollDeps } from '../../../apps/server/src/ingest/ingest-work.ts';
import { parseFeed } from '../../../apps/server/src/ingest/parse/parse-feed.ts';
import { createPollSweep } from '../../../apps/server/src/ingest/schedule/poll-sweep.ts';
import { addSources } from '../../../apps/server/src/ingest/sources/add-sources.ts';
import { settingsFor } from '../../../apps/server/src/ingest/sources/source.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import { startServerChild } from '../server-child.ts';

interface FeedServer {
  readonly port: number;
  readonly sources: readonly { readonly feedUrl: string; readonly language: string }[];
}

const program = fileURLToPath(new URL('../processes/feed-server.ts', import.meta.url));
/** As many as a worker polls at the same time. */
const atOnce = 100;

/** Polls of the worker's own sweep beside a loop that only fetches and parses the same feeds. */
export async function measurePollRates(
  context: SuiteContext,
  owner: DatabaseConnection,
  application: DatabaseConnection,
): Promise<void> {
  const outlets = context.quick ? 120 : 600;
  const server = await startServerChild<FeedServer>(program, [String(outlets)]);
  const ours = await openWire(application, server.hello);
  const fetchAll = bareLoop(server.hello);
  try {
    const firstPerSecond = outlets / (await ours.pollAll());
    await fetchAll();
    // As autovacuum would.
    await owner.pool.query('VACUUM (ANALYZE)');
    await ours.pollAll();
    const before = heapAfterCollection();
    const rates = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < (context.quick ? 4 : 12); round += 1) {
      const first = round % 2 === 0;
      if (first) rates.bare.push(outlets / (await fetchAll()));
      rates.ours.push(outlets / (await ours.pollAll()));
      if (!first) rates.bare.push(outlets / (await fetchAll()));
    }
    context.figure({
      name: 'first polls, every entry stored',
      value: firstPerSecond,
      unit: 'polls/s',
      isRecorded: true,
    });
    context.ratio({
      name: 'polls without news',
      unit: 'polls/s',
      ...rates,
      goal: { atLeast: 0.5 },
      reached: 0.3,
    });
    context.figure({
      name: 'memory in use after these polls, of that before',
      value: heapAfterCollection() / before,
      unit: 'times',
      goal: { atMost: 1.2 },
    });
  } finally {
    await ours.close();
    await server.stop();
  }
}

async function openWire(application: DatabaseConnection, { port, sources }: FeedServer) {
  const { database, pool } = application;
  const context = await sweepContext(application);
  const clock = systemClock;
  const ids = createIdSource({ clock, randomBytes });
  const publisher = createPublisher({ database, clock, ids });
  const settings = sources.map(({ feedUrl, language }) => settingsFor(new URL(feedUrl), { language }));
  await addSources({ database, clock, ids, publisher }, settings);
  const fetcher = createFetcher({ userAgent: 'Daybook/bench', clock, examplePort: port });
  const pace = { intervalMinMs: hourMs, intervalMaxMs: hourMs, spacingMs: 0 };
  const deps = createPollDeps({ database, clock, ids, publisher, fetcher, random: Math.random, pace });
  return {
    /** Makes every source due and polls until each has been polled; returns the seconds. */
    pollAll: async (): Promise<number> => {
      await pool.query(`UPDATE newsroom.source SET due_at = now() - interval '1 second'`);
      await pool.query(`UPDATE newsroom.domain SET due_at = now() - interval '1 second'`);
      let left = sources.length;
      const logger = createLogger('error', 'bench');
      const sweep = createPollSweep({
        ...deps,
        clock,
        database,
        logger,
        domainsMax: atOnce,
        onPoll: (_, { isAnswered, outcome }) => {
          if (!isAnswered) throw new Error(`a poll ended with ${outcome}`);
          left -= 1;
          if (left === 0) endedAt = performance.now();
        },
      });
      const beganAt = performance.now();
      let endedAt = beganAt;
      await sweep.run(context);
      if (left > 0) throw new Error(`${left} sources were not polled`);
      return (endedAt - beganAt) / 1_000;
    },
    close: () => fetcher.close(),
  };
}

/** Fenced like a worker's; enqueues nothing, as polls without news do not. */
async function sweepContext({ database, pool }: DatabaseConnection): Promise<SweepContext> {
  const { rows } = await pool.query<{ epoch: string }>(
    `INSERT INTO foundation.executor (host, process_id, application_version) VALUES ('bench', 1, '1') RETURNING epoch`,
  );
  const epoch = Number(rows[0]?.epoch);
  const fence = createEpochFence(epoch, () => undefined);
  return {
    epoch,
    transaction: (work) => runFenced({ database, epoch, fence }, work),
    enqueue: () => Promise.resolve(),
    signal: new AbortController().signal,
  };
}

/** Every host has its own connection here too, opened again for each round. */
function bareLoop({ port, sources }: FeedServer): () => Promise<number> {
  const connect = buildConnector({});
  const openAgent = (): Agent =>
    new Agent({
      connect: (options, ready) => {
        connect({ ...options, hostname: '127.0.0.1', port: String(port) }, ready);
      },
    });
  const fetchOne = async (dispatcher: Agent, feedUrl: string): Promise<void> => {
    const answer = await request(feedUrl, { dispatcher });
    const parsed = parseFeed({
      bytes: new Uint8Array(await answer.body.arrayBuffer()),
      contentType: String(answer.headers['content-type']),
      url: feedUrl,
      receivedAt: systemClock.now(),
      language: null,
      assumedOffset: null,
    });
    if (!parsed.ok) throw new Error(`${feedUrl}: ${parsed.reason}`);
  };
  return async () => {
    const beganAt = performance.now();
    const [agent, queue] = [openAgent(), [...sources]];
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop())
        await fetchOne(agent, next.feedUrl);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const seconds = (performance.now() - beganAt) / 1_000;
    await agent.close();
    return seconds;
  };
}

function heapAfterCollection(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
