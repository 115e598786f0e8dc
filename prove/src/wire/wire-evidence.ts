import type { StandingEntry, World } from '@daybook/newswire';

import type { EngineStage } from '../engine/engine-stage.ts';

interface StoredEntry {
  readonly id: string;
  readonly url: string;
  readonly feed_url: string;
  readonly revision: number;
}

export interface WireEvidence {
  readonly stored: number;
  /** Entries that were in their feed long enough to be seen. */
  readonly expected: number;
  readonly appearedMeanwhile: number;
  /** Not stored though a poll of their source was committed while they were listed. */
  readonly lost: readonly string[];
  /** Not stored because their source was not polled in time. */
  readonly askedTooLate: number;
  readonly doubled: readonly string[];
  /** Whose edited wording was listed long enough to be seen. */
  readonly edited: number;
  readonly notRevised: readonly string[];
  readonly unpublished: number;
  readonly items: number;
}

export interface WireSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** How long an entry must have been in its feed to be expected. */
  readonly longEnoughMs: number;
}

const firstImportMax = 30;
/** A poll is dated when its answer has been read; an entry that appeared just before need not have been in it. */
const answerMs = 3_000;

/** Compares the stored entries with those of the world's feeds. `sound` are outlets whose responses had no fault. */
export async function compareWithWorld(
  { query }: EngineStage,
  world: World,
  span: WireSpan,
  isSound: (outletKey: string) => boolean,
): Promise<WireEvidence> {
  const entries = await query<StoredEntry>(
    'SELECT entry.id, entry.url, source.feed_url, entry.revision FROM newsroom.entry JOIN newsroom.source ON source.id = entry.source_id',
  );
  const feeds = new Map(world.sources().map(({ key, feedUrl }) => [feedUrl, key]));
  const keyed = entries.map((entry) => ({
    ...entry,
    key: world.keyOf(entry.url),
    outlet: feeds.get(entry.feed_url),
  }));
  const storedKeys = new Set(keyed.map(({ key }) => key));
  const byOutlet = Map.groupBy(keyed, ({ key, outlet }) => `${outlet} ${key}`);
  const standing = [...world.standing(span)].filter(({ outlet }) => isSound(outlet.key));
  const expected = longEnough(standing, span);
  const edited = expected.filter(
    (entry) => byOutlet.has(`${entry.outlet.key} ${entry.dispatchKey}`) && wasSeenEdited(entry, span),
  );
  const answered = new Map(
    (
      await query<{ feed_url: string; at: number }>(
        'SELECT feed_url, extract(epoch FROM succeeded_at)::float8 * 1000 AS at FROM newsroom.source WHERE succeeded_at IS NOT NULL',
      )
    ).map(({ feed_url, at }) => [feeds.get(feed_url), at]),
  );
  const missing = expected.filter(({ dispatchKey }) => !storedKeys.has(dispatchKey));
  const lost = missing.filter(({ outlet, fromMs, untilMs }) => {
    const answeredMs = answered.get(outlet.key) ?? 0;
    return answeredMs >= fromMs + answerMs && answeredMs < untilMs;
  });
  const name = ({ outlet, dispatchKey }: StandingEntry): string => `${dispatchKey} of ${outlet.name}`;
  const [published] = await query<{ unpublished: number; items: number }>(
    `SELECT (SELECT count(*) FROM newsroom.entry WHERE shown_revision IS DISTINCT FROM revision)::int AS unpublished,
      (SELECT count(*) FROM record.item)::int AS items`,
  );
  return {
    stored: entries.length,
    expected: expected.length,
    appearedMeanwhile: expected.filter(({ fromMs }) => fromMs > span.fromMs).length,
    lost: lost.map(name),
    askedTooLate: missing.length - lost.length,
    doubled: [...byOutlet].flatMap(([key, rows]) =>
      rows.length > 1 && rows[0]?.key !== undefined ? [key] : [],
    ),
    edited: edited.length,
    notRevised: edited
      .filter(
        ({ outlet, dispatchKey }) => (byOutlet.get(`${outlet.key} ${dispatchKey}`)?.[0]?.revision ?? 0) < 2,
      )
      .map(name),
    unpublished: published?.unpublished ?? 0,
    items: published?.items ?? 0,
  };
}

/** Both wordings were listed long enough to be seen. */
function wasSeenEdited({ untilMs, editedMs }: StandingEntry, span: WireSpan): boolean {
  const { fromMs, toMs, longEnoughMs } = span;
  return editedMs.some((at) => at > fromMs + longEnoughMs && Math.min(untilMs, toMs) - at > longEnoughMs);
}

/** A first import takes 30 of the entries listed at the first poll; longer feeds are counted from then on. */
function longEnough(
  standing: readonly StandingEntry[],
  { fromMs, toMs, longEnoughMs }: WireSpan,
): readonly StandingEntry[] {
  const atFirst = Map.groupBy(
    standing.filter((entry) => entry.fromMs <= fromMs + longEnoughMs),
    ({ outlet }) => outlet.key,
  );
  return standing.filter((entry) => {
    if (entry.fromMs <= fromMs && (atFirst.get(entry.outlet.key)?.length ?? 0) > firstImportMax) return false;
    return Math.min(entry.untilMs, toMs) - Math.max(entry.fromMs, fromMs) >= longEnoughMs;
  });
}
