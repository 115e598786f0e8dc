import type { Database } from '../../foundation/database/database.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { FetchedDocument } from '../fetch/fetch-outcome.ts';
import { readKnownKeys } from '../land/entry-store.ts';
import { firstImportMax, keysOf, newestFirst, storedUnder } from '../land/land-feed.ts';
import type { ParsedEntry, ParsedFeed } from '../parse/feed.ts';
import type { FoundFeed } from '../sources/discover-feeds.ts';
import { feedsNamedBy } from '../sources/discover-feeds.ts';
import type { Source, SourceId, SourceSettings } from '../sources/source.ts';
import type { PollDeps, Poller } from './poll-source.ts';
import { askForFeed, failureOf, parseAnswer } from './poll-source.ts';
import { withTurns } from './request-now.ts';

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
  poller: Poller,
  database: Database,
  settings: SourceSettings,
  stored: Pick<Source, 'id' | 'health'> | null,
): Promise<Result<FeedPreview, string>> {
  const fetched = await fetchList(deps, poller, settings);
  if (!fetched.ok) return fetched;
  return previewDocument(deps, database, { settings, stored, document: fetched.value });
}

/** Of an address that a person pasted: a list, or a page with the lists that it names. One request. */
export type InspectedAddress =
  | { readonly kind: 'feed'; readonly preview: FeedPreview }
  | { readonly kind: 'page'; readonly feeds: readonly FoundFeed[] };

export async function inspectAddress(
  deps: PollDeps,
  poller: Poller,
  database: Database,
  settings: SourceSettings,
): Promise<Result<InspectedAddress, string>> {
  const fetched = await fetchList(deps, poller, settings);
  if (!fetched.ok) return fetched;
  const document = fetched.value;
  const preview = await previewDocument(deps, database, { settings, stored: null, document });
  if (preview.ok) return accepted({ kind: 'feed', preview: preview.value });
  const feeds = feedsNamedBy(document);
  return feeds.length === 0 ? preview : accepted({ kind: 'page', feeds });
}

async function fetchList(
  deps: PollDeps,
  poller: Poller,
  settings: SourceSettings,
): Promise<Result<FetchedDocument, string>> {
  const { feedUrl: url, spacingMs } = settings;
  const asked = await withTurns(deps, poller, { url, spacingMs }, (options) =>
    askForFeed(deps, { settings, validators: null, ...options }),
  );
  if (!asked.ok) return asked;
  const outcome = asked.value;
  if (outcome.kind === 'document') return accepted(outcome);
  const failure = failureOf(outcome);
  return refused(failure?.kind === 'failed' ? failure.detail : outcome.kind);
}

async function previewDocument(
  deps: PollDeps,
  database: Database,
  {
    settings,
    stored,
    document,
  }: {
    readonly settings: SourceSettings;
    readonly stored: Pick<Source, 'id' | 'health'> | null;
    readonly document: FetchedDocument;
  },
): Promise<Result<FeedPreview, string>> {
  const parsed = parseAnswer(document, settings, deps.clock.now());
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
