import type { Database } from '../../foundation/database/database.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted } from '../../foundation/result.ts';
import { readKnownKeys } from '../land/entry-store.ts';
import { firstImportMax, keysOf, newestFirst, storedUnder } from '../land/land-feed.ts';
import type { ParsedEntry, ParsedFeed } from '../parse/feed.ts';
import type { Source, SourceId, SourceSettings } from '../sources/source.ts';
import type { PollDeps } from './poll-source.ts';
import { askForFeed, failureOf, parseAnswer } from './poll-source.ts';

export interface FeedPreview {
  readonly feed: ParsedFeed;
  readonly entries: readonly {
    readonly entry: ParsedEntry;
    /** What the next poll would do with it. */
    readonly verdict: 'would be stored' | 'known' | 'left out of the first import';
  }[];
}

/** Fetches a list and returns what a poll would store, without storing anything. */
export async function previewFeed(
  deps: PollDeps,
  database: Database,
  settings: SourceSettings,
  stored: Pick<Source, 'id' | 'health'> | null,
  signal: AbortSignal,
): Promise<Result<FeedPreview, string>> {
  const outcome = await askForFeed(deps, { settings, validators: null, signal });
  if (outcome.kind !== 'document') {
    const failure = failureOf(outcome);
    return { ok: false, reason: failure?.kind === 'failed' ? failure.detail : outcome.kind };
  }
  const parsed = parseAnswer(outcome, settings, deps.clock.now());
  if (!parsed.ok) return parsed;
  const feed = parsed.value;
  const known = stored === null ? new Map() : await knownKeys(database, stored.id, feed);
  const fresh = feed.entries.filter((entry) => storedUnder(entry, known) === undefined);
  const isFirstImport = stored === null || stored.health.succeededAt === null;
  const [toStore] = isFirstImport ? newestFirst(fresh, firstImportMax) : [fresh];
  const storing = new Set(toStore);
  const entries = feed.entries.map((entry) => {
    const isKnown = storedUnder(entry, known) !== undefined;
    const verdict = storing.has(entry)
      ? 'would be stored'
      : isKnown
        ? 'known'
        : 'left out of the first import';
    return { entry, verdict } as const;
  });
  return accepted({ feed, entries });
}

async function knownKeys(database: Database, id: SourceId, feed: ParsedFeed) {
  return readKnownKeys(database, id, feed.entries.flatMap(keysOf));
}
