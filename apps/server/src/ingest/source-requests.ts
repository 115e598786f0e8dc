import type { Result } from '../foundation/result.ts';
import type { IngestDeps } from './ingest-work.ts';
import { createPollDeps } from './ingest-work.ts';
import { pollNow } from './schedule/poll-now.ts';
import type { Poller, PollReport } from './schedule/poll-source.ts';
import type { FeedPreview, InspectedAddress } from './schedule/preview-feed.ts';
import { inspectAddress, previewFeed } from './schedule/preview-feed.ts';
import { withTurns } from './schedule/request-now.ts';
import type { FoundFeed } from './sources/discover-feeds.ts';
import { discoverFeeds } from './sources/discover-feeds.ts';
import type { Source, SourceSettings } from './sources/source.ts';

export interface SourceDeskDeps extends IngestDeps {
  readonly poller: Poller;
}

export type SourceRequests = ReturnType<typeof createSourceRequests>;

/** The actions of the source desk that request publishers. */
export function createSourceRequests(deps: SourceDeskDeps) {
  const { database, poller } = deps;
  const polls = createPollDeps(deps);
  return {
    poll: (sources: readonly Source[], onPoll: (source: Source, report: PollReport) => void): Promise<void> =>
      pollNow(polls, poller, database, sources, onPoll),
    discover: async (url: string): Promise<Result<readonly FoundFeed[], string>> => {
      const asked = await withTurns(polls, poller, { url }, (options) =>
        discoverFeeds(polls.fetcher, url, options),
      );
      return asked.ok ? asked.value : asked;
    },
    preview: (settings: SourceSettings, stored: Source | null): Promise<Result<FeedPreview, string>> =>
      previewFeed(polls, poller, database, settings, stored),
    inspect: (settings: SourceSettings): Promise<Result<InspectedAddress, string>> =>
      inspectAddress(polls, poller, database, settings),
  };
}
