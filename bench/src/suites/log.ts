import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { isIncluded, leafHash, TileTree } from '@daybook/client/log';
import type { ReadTile } from '@daybook/client/log';
import { growTiles } from '@daybook/client/log/append';
import { quantile } from '@daybook/evidence';
import type { Suite, SuiteContext } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import type { PublisherDeps } from '../../../apps/server/src/record/decision.ts';
import { decide } from '../../../apps/server/src/record/decision.ts';
import type { ItemToPublish } from '../../../apps/server/src/record/item-decisions/publish-items.ts';
import { publishItems } from '../../../apps/server/src/record/item-decisions/publish-items.ts';
import { readSignedHead } from '../../../apps/server/src/record/log/log-store.ts';
import { logKeyFile, rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';
import { withMeasuredDatabase } from '../measured-database.ts';

/** About the batch that publication reaches by itself. */
const batchSize = 100;
const rounds = { quick: 6, full: 20 };
const batchesPerRound = { quick: 5, full: 20 };
/** Of the worker. */
const [sweepSeconds, checkpointSeconds] = [1, 60];
const spedUp = 10;
const latencyForMs = { quick: 14_000, full: 120_000 };
const treeSizes = { quick: [10_000, 100_000], full: [10_000, 1_000_000, 10_000_000] };

export const suite: Suite = {
  name: 'log',
  nightly: true,
  summary: 'publishing with the public log beside publishing without it; storage and proofs as the log grows',
  promise:
    'Batches of items with new stories are written to the record by the code of the publisher, alternately with their entries of the public log and without any. The newsroom that decides about the items is left out, so the share of the log is larger here than in an installation. Then all entries are sequenced, and the size of the tables of the log is divided by the entries. The time until a signed checkpoint contains a decision is measured with the intervals of the worker divided by ten, and multiplied by ten, so that the work itself counts ten times. Proofs are computed from tiles in memory.',
  run: async (context) => {
    await withMeasuredDatabase({ shared_buffers: '512MB' }, async (owner, application) => {
      await rollWindow(application.database, systemClock.now());
      await measurePublishing(context, application);
      await measureSequencing(context, owner, application);
      await measureCheckpoints(context, application);
    });
    for (const size of treeSizes[context.quick ? 'quick' : 'full']) await measureProofs(context, size);
  },
};

async function measurePublishing(context: SuiteContext, { database }: DatabaseConnection): Promise<void> {
  const kind = context.quick ? 'quick' : 'full';
  const factory = createRecordFactory({ database, clock: systemClock, randomBytes });
  const deps: PublisherDeps = { database, clock: systemClock, ids: factory.ids };
  const publish = async (isLogged: boolean): Promise<void> => {
    const stories = Array.from({ length: batchSize / 4 }, () => ({
      id: factory.ids.next<'story'>(),
      title: 'A story',
    }));
    const items = Array.from({ length: batchSize }, (_, at): ItemToPublish => ({
      ...factory.draft({ title: words(12), summary: words(60) }),
      storyId: stories[Math.floor(at / 4)]?.id ?? null,
    }));
    await decide(deps, async (decision) => {
      const published = await publishItems(decision, { items, stories });
      if (!isLogged) decision.log.length = 0;
      return published;
    });
  };
  const perSecond = async (isLogged: boolean): Promise<number> => {
    const startedMs = performance.now();
    for (let batch = 0; batch < batchesPerRound[kind]; batch += 1) await publish(isLogged);
    return (1_000 * batchesPerRound[kind] * batchSize) / (performance.now() - startedMs);
  };
  await perSecond(true);
  await perSecond(false);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds[kind]; round += 1) {
    const isFirst = round % 2 === 0;
    if (isFirst) ours.push(await perSecond(true));
    bare.push(await perSecond(false));
    if (!isFirst) ours.push(await perSecond(true));
  }
  context.ratio({
    name: 'items written with the log',
    unit: 'a second',
    ours,
    bare,
    goal: { atLeast: 0.95 },
  });
}

const vocabulary = [
  'model',
  'release',
  'weights',
  'inference',
  'funding',
  'chip',
  'paper',
  'agent',
  'licence',
  '模型',
];

function words(count: number): string {
  return Array.from({ length: count }, () => vocabulary[randomBytes(1).readUInt8() % vocabulary.length]).join(
    ' ',
  );
}

async function measureSequencing(
  context: SuiteContext,
  owner: DatabaseConnection,
  { database }: DatabaseConnection,
): Promise<void> {
  const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('bench.example/log'));
  const startedMs = performance.now();
  let entries = 0;
  for (let sequenced = 1; sequenced > 0; entries += sequenced)
    sequenced = await sequenceLog(database, signer);
  const seconds = (performance.now() - startedMs) / 1_000;
  context.figure({
    name: 'entries sequenced',
    value: entries / seconds,
    unit: 'a second',
    goal: { atLeast: 1_000 },
  });
  await owner.pool.query('VACUUM FULL record.log_entry, record.log_content, record.log_tile');
  const { rows } = await owner.pool.query<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(name))::float8 AS bytes
     FROM unnest(ARRAY['record.log_entry', 'record.log_content', 'record.log_tile']::regclass[]) AS name`,
  );
  context.figure({
    name: 'storage for an entry, with its salt and body',
    value: (rows[0]?.bytes ?? 0) / entries,
    unit: 'bytes',
  });
}

/** Decisions are published one after the other while a worker sequences them and signs, all ten times as fast as in an installation. */
async function measureCheckpoints(context: SuiteContext, { database }: DatabaseConnection): Promise<void> {
  const factory = createRecordFactory({ database, clock: systemClock, randomBytes });
  const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('bench.example/log'));
  const endMs = performance.now() + latencyForMs[context.quick ? 'quick' : 'full'];
  const latencies: number[] = [];
  let waiting: number[] = [];
  let checkpointSize = (await readSignedHead(database))?.size ?? 0;
  for (let tick = 0; performance.now() < endMs || waiting.length > 0; tick += 1) {
    if (performance.now() < endMs && tick % 3 === 0) {
      await factory.publish({ title: words(12) });
      waiting.push(performance.now());
    }
    await sequenceLog(database, signer, checkpointSeconds / spedUp);
    const size = (await readSignedHead(database))?.size ?? 0;
    if (size > checkpointSize) {
      latencies.push(...waiting.map((publishedMs) => performance.now() - publishedMs));
      waiting = [];
      checkpointSize = size;
    }
    await delay((1_000 * sweepSeconds) / spedUp);
  }
  context.figure({
    name: 'until a checkpoint contains a decision, 95th percentile',
    value: (spedUp * quantile(latencies, 0.95)) / 1_000,
    unit: 's',
    goal: { atMost: 90 },
  });
}

const appendedAtOnce = 65_536;
const proofsMeasured = 200;

async function measureProofs(context: SuiteContext, size: number): Promise<void> {
  const tiles = new Map<string, Uint8Array>();
  const readTile: ReadTile = async ({ level, index, width }) =>
    (tiles.get(`${level} ${index}`) ?? new Uint8Array()).slice(0, width * 32);
  const leafOf = (at: number): Uint8Array => new TextEncoder().encode(`leaf ${at}`);
  for (let from = 0; from < size; from += appendedAtOnce) {
    const count = Math.min(appendedAtOnce, size - from);
    const hashes = await Promise.all(Array.from({ length: count }, (_, at) => leafHash(leafOf(from + at))));
    for (const { level, index, hashes: grown } of await growTiles(from, hashes, readTile))
      tiles.set(`${level} ${index}`, grown);
  }
  const root = await new TileTree(size, readTile).root();
  let [bytes, valid, spentMs] = [0, 0, 0];
  for (let count = 0; count < proofsMeasured; count += 1) {
    const index = Math.floor((size / proofsMeasured) * count);
    const startedMs = performance.now();
    const proof = await new TileTree(size, readTile).inclusionProof(index);
    spentMs += performance.now() - startedMs;
    bytes += proof.length * 32;
    if (await isIncluded({ index, size, leaf: leafOf(index), proof }, root)) valid += 1;
  }
  const label = size.toLocaleString('en-US');
  context.figure({
    name: `valid proofs, ${label} leaves`,
    value: valid,
    unit: 'proofs',
    goal: { exactly: proofsMeasured },
  });
  context.figure({
    name: `size of a proof, ${label} leaves`,
    value: bytes / proofsMeasured,
    unit: 'bytes',
    goal: { atMost: 32 * Math.ceil(Math.log2(size)) },
  });
  context.figure({
    name: `time for a proof, ${label} leaves`,
    value: spentMs / proofsMeasured,
    unit: 'ms',
  });
}
