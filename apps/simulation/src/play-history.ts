import { createHash, randomBytes } from 'node:crypto';

import type { World } from '@daybook/newswire';
import { startPublishers } from '@daybook/newswire';

import { hourMs } from '../../server/src/foundation/clock.ts';
import type { CalendarClock } from '../../server/src/foundation/clock.ts';
import type { Database } from '../../server/src/foundation/database/database.ts';
import { connectDatabase } from '../../server/src/foundation/database/database.ts';
import { fromTimestamptz } from '../../server/src/foundation/database/timestamptz.ts';
import type { Sweep } from '../../server/src/foundation/engine/engine-declarations.ts';
import { createIdSource } from '../../server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { addMs, instantFromMs, instantToMs } from '../../server/src/foundation/instant.ts';
import { createLogger } from '../../server/src/foundation/logger.ts';
import type { ReaderLanguage } from '../../server/src/foundation/reader-language.ts';
import type { IngestDeps, Source } from '../../server/src/ingest/index.ts';
import { createFetcher, createSourceDesk, ingestWork } from '../../server/src/ingest/index.ts';
import type { NewsroomDeps } from '../../server/src/newsroom/index.ts';
import { newsroomWork } from '../../server/src/newsroom/index.ts';
import { createPublisher } from '../../server/src/record/wiring.ts';
import { InlineEngine } from './inline-engine.ts';
import type { SimulatedWorld } from './simulated-world.ts';
import { openWorld, simulatedSources } from './simulated-world.ts';

/** Monthlies are due at half past an hour. */
const stepMs = hourMs / 2;
/** The number of times per day at which a share of the publishers is polled. */
const pollsPerDay = 8;
const pollEveryMs = (24 * hourMs) / pollsPerDay;
/** Digests are written a few seconds after their items. */
const settledMs = 10_000;
/** While the database works on one task, the next is prepared. */
const runningMax = 4;
/** No delays: the publishers of a history run in this process. Afterwards all are due within the hour. */
const pace = { intervalMinMs: hourMs / 6, intervalMaxMs: hourMs, spacingMs: 0 };

export interface HistorySettings {
  readonly until: EpochMicroseconds;
  readonly language: ReaderLanguage;
  /** With a seed every run writes the same rows: ids are derived from it, and one task runs at a time. */
  readonly seed?: string;
  /** Stops after the current hour; the next call resumes from there. */
  readonly signal?: AbortSignal;
  /** Called after each simulated hour. */
  readonly onProgress?: (hours: { readonly played: number; readonly total: number }) => void;
}

/**
 * Advances the clock quickly from the newsroom's last poll: each publisher is polled over HTTP once a day, at an hour
 * of its own, and the code of a worker does all other work: items, stories, digests, hourly rankings, and editions at
 * their hours.
 */
export async function playHistory(
  database: Database,
  { world, startsAt }: SimulatedWorld,
  settings: HistorySettings,
): Promise<void> {
  const { until, language, seed, signal } = settings;
  const last = await lastPoll(database);
  let now = last ?? startsAt;
  const total = Math.floor((instantToMs(until) - instantToMs(now)) / hourMs);
  if (total < 1) return;
  const clock: CalendarClock = { now: () => now, nowMs: () => instantToMs(now), speed: 1 };
  const publishers = await startPublishers({ world, nowMs: clock.nowMs, spacingMs: 0 });
  const fetcher = createFetcher({ userAgent: 'Daybook/history', clock, examplePort: publishers.port });
  const ids = createIdSource({ clock, randomBytes: seed === undefined ? randomBytes : bytesOf(seed) });
  const publisher = createPublisher({ database, clock, ids });
  const deps = { database, clock, ids, publisher, fetcher, language, random: () => 0, pace };
  const newsroom = new Newsroom(deps, seed === undefined ? runningMax : 1);
  try {
    if (last === null) await newsroom.addSources(world);
    const sources = await newsroom.sources();
    const first = instantToMs(now) - (instantToMs(now) % stepMs) + stepMs;
    for (let atMs = first; atMs <= instantToMs(until); atMs += stepMs) {
      if (signal?.aborted === true) return;
      now = instantFromMs(atMs);
      await newsroom.issueDue();
      if (atMs % hourMs !== 0) continue;
      if (atMs % pollEveryMs === 0) {
        const turn = atMs / pollEveryMs;
        const asked = sources.filter((_, index) => index % pollsPerDay === turn % pollsPerDay);
        await newsroom.poll(seed === undefined ? [asked] : asked.map((source) => [source]));
        now = addMs(now, settledMs);
        await newsroom.sweep();
      }
      await newsroom.workOfTheHour();
      settings.onProgress?.({ played: Math.floor((atMs - first) / hourMs) + 1, total });
    }
  } finally {
    await fetcher.close();
    await publishers.close();
  }
}

function bytesOf(seed: string): (size: number) => Uint8Array {
  let drawn = 0;
  return (size) =>
    createHash('sha256')
      .update(`${seed} ${(drawn += 1)}`)
      .digest()
      .subarray(0, size);
}

/** Data lost in a crash of the database is simulated again at the next start, so no commit waits for the disk. */
export async function fillWithHistory(applicationUrl: string, settings: HistorySettings): Promise<void> {
  const relaxed = new URL(applicationUrl);
  relaxed.searchParams.set('options', '-c synchronous_commit=off');
  const { database, close } = connectDatabase({
    url: relaxed.href,
    name: 'daybook history',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 30_000,
  });
  try {
    await playHistory(database, await openWorld(database, settings.until), settings);
  } finally {
    await close();
  }
}

async function lastPoll(database: Database): Promise<EpochMicroseconds | null> {
  const row = await database
    .selectFrom('newsroom.source')
    .select((select) => select.fn.max('polled_at').as('last'))
    .executeTakeFirst();
  const last = row?.last ?? null;
  return last === null ? null : fromTimestamptz(last);
}

/** A worker's newsroom whose work runs when called. */
class Newsroom {
  readonly #engine: InlineEngine;
  readonly #desk: ReturnType<typeof createSourceDesk>;
  readonly #work: ReturnType<typeof newsroomWork>;
  readonly #sweeps: readonly Sweep[];
  readonly #clock: CalendarClock;

  constructor(deps: NewsroomDeps & IngestDeps, runningMax: number) {
    const { database, clock } = deps;
    const engine = new InlineEngine(database, runningMax);
    const poller = { transaction: engine.transaction, signal: new AbortController().signal };
    this.#clock = clock;
    this.#engine = engine;
    this.#desk = createSourceDesk({ ...deps, poller });
    const logger = createLogger('silent', 'history');
    this.#work = newsroomWork({ ...deps, logger });
    this.#sweeps = [...ingestWork({ ...deps, logger, domainsMax: 1 }).sweeps, ...(this.#work.sweeps ?? [])];
  }

  async addSources(world: World): Promise<void> {
    await this.#desk.add(simulatedSources(world));
  }

  sources(): Promise<readonly Source[]> {
    return this.#desk.list();
  }

  /** Sources of one group are polled at the same time. */
  async poll(groups: readonly (readonly Source[])[]): Promise<void> {
    for (const sources of groups) await this.#desk.poll(sources, () => {});
    await this.#sweep((name) => name === 'publish-entries');
  }

  async issueDue(): Promise<void> {
    for (const set of this.#work.editions ?? []) await this.#engine.reconcile(set, this.#clock.nowMs());
  }

  /** All sweeps except polling. */
  sweep(): Promise<void> {
    return this.#sweep((name) => name !== 'poll-sources');
  }

  async #sweep(isWanted: (name: string) => boolean): Promise<void> {
    const { transaction, enqueue } = this.#engine;
    const context = { epoch: 0, transaction, enqueue, signal: new AbortController().signal };
    for (const { name, run } of this.#sweeps) if (isWanted(name)) await run(context);
    await this.#engine.drain();
  }

  /** Runs each recurring task once. */
  async workOfTheHour(): Promise<void> {
    for (const { name, run } of this.#work.recurringTasks ?? []) await run(this.#engine.context(name));
  }
}
