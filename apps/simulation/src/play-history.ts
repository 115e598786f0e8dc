import { createHash, randomBytes } from 'node:crypto';

import { startPublishers } from '@daybook/newswire';

import { hourMs } from '../../server/src/foundation/clock.ts';
import type { CalendarClock } from '../../server/src/foundation/clock.ts';
import type { Database } from '../../server/src/foundation/database/database.ts';
import { connectDatabase } from '../../server/src/foundation/database/database.ts';
import { fromTimestamptz } from '../../server/src/foundation/database/timestamptz.ts';
import { createIdSource } from '../../server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { addMs, instantFromMs, instantToMs } from '../../server/src/foundation/instant.ts';
import type { ReaderLanguage } from '../../server/src/foundation/reader-language.ts';
import { createFetcher } from '../../server/src/ingest/index.ts';
import { createPublisher } from '../../server/src/record/wiring.ts';
import { InlineNewsroom } from './inline-newsroom.ts';
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
  const newsroom = new InlineNewsroom(deps, seed === undefined ? runningMax : 1);
  try {
    if (last === null) await newsroom.addSources(simulatedSources(world));
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
