import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';
import type pg from 'pg';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { withMeasuredDatabase } from '../measured-database.ts';
import { postgresCpuSeconds } from '../postgres-usage.ts';
import type { IdSpan } from '../publication/bare-inserts.ts';
import { insertBare, readBareBatches } from '../publication/bare-inserts.ts';
import { LandedEntries } from '../publication/landed-entries.ts';
import { OpenStories } from '../publication/open-stories.ts';
import type { ServerChild } from '../server-child.ts';
import { startServerChild } from '../server-child.ts';

interface Size {
  readonly stories: number;
  /** Items of the archive in all. */
  readonly items: number;
}

const sizes: Readonly<Record<'quick' | 'full', readonly Size[]>> = {
  quick: [
    { stories: 1_000, items: 1_000 },
    { stories: 5_000, items: 20_000 },
  ],
  full: [
    { stories: 10_000, items: 10_000 },
    { stories: 50_000, items: 200_000 },
    { stories: 200_000, items: 1_000_000 },
  ],
};
const rounds = { quick: 2, full: 5 };
const entriesPerRound = { quick: 200, full: 1_000 };
/** The batch of the bare inserts: about the batch size that publication reaches by itself. */
const bareBatch = 100;
const program = fileURLToPath(new URL('../processes/publication-worker.ts', import.meta.url));

export const suite: Suite = {
  name: 'publication',
  nightly: true,
  summary: 'entries published per second and what each costs, beside the bare batch inserts of the same rows',
  promise:
    'One worker process, and then two, publish entries with full texts of a simulated world: write, judge, place among open stories, insert. The comparison inserts the same rows with other ids into the same database, by one INSERT for each table and batch, without any decision. Processor time is that of the worker and of PostgreSQL together.',
  run: async (context) => {
    const of = sizes[context.quick ? 'quick' : 'full'];
    const costs: number[] = [];
    for (const size of of)
      await withMeasuredDatabase(
        { shared_buffers: '1GB' },
        async (owner, application, urls) => {
          const entries = new LandedEntries(application.database);
          await rollWindow(application.database, systemClock.now());
          await fill(owner, application, size);
          const stage = { context, application, urls, entries, isLast: size === of.at(-1) };
          costs.push(await measureSize(stage, size));
        },
        4,
      );
    context.figure({
      name: `growth of the processor time for an entry from ${label(of[0]?.items ?? 0)} to ${label(of.at(-1)?.items ?? 0)} items`,
      value: (costs.at(-1) ?? 0) / (costs[0] ?? 1),
      unit: '×',
      goal: { atMost: 1.3 },
    });
  },
};

async function fill(
  owner: DatabaseConnection,
  application: DatabaseConnection,
  { stories, items }: Size,
): Promise<void> {
  const open = new OpenStories(application, stories);
  await open.fillTo(stories);
  await open.addArchive(items - stories);
  await owner.pool.query('VACUUM (ANALYZE)');
}

interface Stage {
  readonly context: SuiteContext;
  readonly application: DatabaseConnection;
  readonly urls: DatabaseUrls;
  readonly entries: LandedEntries;
  readonly isLast: boolean;
}

interface Round {
  readonly perSecond: number;
  /** Of the workers and PostgreSQL, for an entry. */
  readonly cpuMs: number;
  readonly workerMs: number;
}

async function measureSize(stage: Stage, size: Size): Promise<number> {
  const { context, application, urls } = stage;
  const workers = [await startServerChild(program, ['publication'], urls, { isPinned: false })];
  const kind = context.quick ? 'quick' : 'full';
  await publishRound(stage, workers, entriesPerRound[kind] / 2);
  const fromId = await nextId(application.pool);
  const bytesBefore = await databaseBytes(application.pool);
  const ours: Round[] = [];
  const waits = watchLocks(application.pool);
  for (let round = 0; round < rounds[kind]; round += 1)
    ours.push(await publishRound(stage, workers, entriesPerRound[kind]));
  const waited = await waits.stop();
  const toId = await nextId(application.pool);
  const published = rounds[kind] * entriesPerRound[kind];
  context.figure({
    name: `bytes of the database for an entry, among ${label(size.items)} items`,
    value: ((await databaseBytes(application.pool)) - bytesBefore) / published,
    unit: 'bytes',
    isRecorded: true,
  });
  const two = stage.isLast ? await measureTwo(stage, workers, entriesPerRound[kind]) : null;
  await Promise.all(workers.map((worker) => worker.stop()));
  const bare = await measureBare(application, { fromId, toId }, rounds[kind]);
  tellSize(context, size, ours, bare);
  if (two !== null) tellTwo(context, ours, two);
  context.figure({
    name: `share of the time that publication waited for a lock, ${label(size.items)} items`,
    value: 100 * waited.share,
    unit: '%',
    goal: { atMost: 5 },
  });
  return median(ours.map(({ cpuMs }) => cpuMs));
}

async function measureTwo(stage: Stage, workers: ServerChild[], count: number): Promise<readonly Round[]> {
  workers.push(await startServerChild(program, ['publication'], stage.urls, { isPinned: false }));
  await publishRound(stage, workers, count / 2);
  return [await publishRound(stage, workers, count), await publishRound(stage, workers, count)];
}

async function publishRound(
  { application, entries }: Stage,
  workers: readonly ServerChild[],
  count: number,
): Promise<Round> {
  const cpuOf = async (): Promise<[number, number]> => {
    const used = await Promise.all(workers.map((worker) => worker.usage()));
    return [
      used.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      await postgresCpuSeconds(application.pool),
    ];
  };
  const before = await cpuOf();
  const startedMs = performance.now();
  await entries.land(count);
  while ((await countUnpublished(application.pool)) > 0) await delay(20);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await cpuOf();
  const workerMs = (1_000 * (after[0] - before[0])) / count;
  const serverMs = (1_000 * (after[1] - before[1])) / count;
  return { perSecond: count / seconds, cpuMs: workerMs + serverMs, workerMs };
}

async function countUnpublished(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM newsroom.entry
     WHERE shown_revision IS DISTINCT FROM revision AND outcome IS NULL AND page_domain IS NULL`,
  );
  return rows[0]?.count ?? 0;
}

/** Tables and indexes, with the text that entries keep. */
async function databaseBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database())::text AS bytes',
  );
  return Number(rows[0]?.bytes ?? 0);
}

async function nextId(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('SELECT uuidv7() AS id');
  return rows[0]?.id ?? '';
}

async function measureBare(
  { pool }: DatabaseConnection,
  span: IdSpan,
  count: number,
): Promise<readonly Round[]> {
  const batches = await readBareBatches(pool, span, bareBatch);
  const client = await pool.connect();
  const measured: Round[] = [];
  const perRound = Math.max(1, Math.floor(batches.length / count));
  try {
    for (let at = 0; at + perRound <= batches.length; at += perRound) {
      const some = batches.slice(at, at + perRound);
      const rows = some.reduce(
        (sum, batch) => sum + (batch.rows.get('record.item')?.values[0]?.length ?? 0),
        0,
      );
      const cpuBefore = process.cpuUsage();
      const serverBefore = await postgresCpuSeconds(pool);
      const startedMs = performance.now();
      for (const batch of some) await insertBare(client, batch);
      const seconds = (performance.now() - startedMs) / 1_000;
      const { user, system } = process.cpuUsage(cpuBefore);
      const workerMs = (user + system) / 1_000 / rows;
      const serverMs = (1_000 * ((await postgresCpuSeconds(pool)) - serverBefore)) / rows;
      measured.push({ perSecond: rows / seconds, cpuMs: workerMs + serverMs, workerMs });
    }
  } finally {
    client.release();
  }
  return measured.slice(0, count);
}

/** Looks every 10 ms whether a backend of a worker waits for a lock. */
function watchLocks(pool: pg.Pool): { readonly stop: () => Promise<{ readonly share: number }> } {
  let stopped = false;
  let [looks, waiting] = [0, 0];
  const watching = (async () => {
    for (;;) {
      if (stopped) return;
      const { rows } = await pool.query<{ waiting: boolean }>(
        `SELECT bool_or(wait_event_type = 'Lock') AS waiting FROM pg_stat_activity
         WHERE application_name = 'bench publication' AND state = 'active'`,
      );
      looks += 1;
      if (rows[0]?.waiting === true) waiting += 1;
      await delay(10);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await watching;
      return { share: waiting / Math.max(1, looks) };
    },
  };
}

function tellSize(
  { figure, ratio, note }: SuiteContext,
  { items, stories }: Size,
  ours: readonly Round[],
  bare: readonly Round[],
): void {
  const among = `${label(items)} items and ${label(stories)} open stories`;
  ratio({
    name: `entries a second, among ${among}, beside the bare batch inserts`,
    unit: 'entries/s',
    ours: ours.map(({ perSecond }) => perSecond),
    bare: bare.map(({ perSecond }) => perSecond),
    goal: { atLeast: 0.5 },
    reached: 0.35,
  });
  figure({
    name: `entries a second, among ${among}`,
    value: median(ours.map(({ perSecond }) => perSecond)),
    unit: 'entries/s',
    goal: { atLeast: 80 },
    reached: 40,
  });
  figure({
    name: `processor time of worker and PostgreSQL for an entry, among ${among}`,
    value: median(ours.map(({ cpuMs }) => cpuMs)),
    unit: 'ms',
    goal: { atMost: 25 },
  });
  figure({
    name: `of this the worker, among ${among}`,
    value: median(ours.map(({ workerMs }) => workerMs)),
    unit: 'ms',
    isRecorded: true,
  });
  note(`bare ${median(bare.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms in all`);
}

function tellTwo({ ratio }: SuiteContext, one: readonly Round[], two: readonly Round[]): void {
  ratio({
    name: 'entries a second of two workers, beside one (bare)',
    unit: 'entries/s',
    ours: two.map(({ perSecond }) => perSecond),
    bare: one.slice(0, two.length).map(({ perSecond }) => perSecond),
    goal: { atLeast: 1 },
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function label(count: number): string {
  return count.toLocaleString('en-US');
}
