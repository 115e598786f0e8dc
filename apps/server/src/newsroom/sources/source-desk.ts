import type { Result } from '../../foundation/result.ts';
import { readSubscription } from '../wire/hubs/hub-subscription-store.ts';
import { describeSubscription } from '../wire/hubs/hub-subscription.ts';
import { pollNow } from '../wire/schedule/poll-now.ts';
import type { PollDeps, Poller, PollReport } from '../wire/schedule/poll-source.ts';
import type { FeedPreview } from '../wire/schedule/preview-feed.ts';
import { previewFeed } from '../wire/schedule/preview-feed.ts';
import type { AddedSource, RegistryDeps, SourceToAdd } from './add-sources.ts';
import { addSources } from './add-sources.ts';
import { changeSourceState } from './change-source-state.ts';
import type { FoundFeed } from './discover-feeds.ts';
import { discoverFeeds } from './discover-feeds.ts';
import type { SourceSignIn } from './source-authorization.ts';
import { authorizationHeader, sealAuthorization } from './source-authorization.ts';
import { findSources, readSource, readSources } from './source-store.ts';
import type { Source, SourceId, SourceSettings } from './source.ts';

export interface SourceDeskDeps extends RegistryDeps {
  readonly polls: PollDeps;
  readonly poller: Poller;
}

/** What a person does with sources from a terminal. Its polls are a worker's, under the same leases. */
export type SourceDesk = ReturnType<typeof createSourceDesk>;

export function createSourceDesk(deps: SourceDeskDeps) {
  const { database, polls, poller } = deps;
  return {
    nowMs: () => deps.clock.nowMs(),
    list: (): Promise<readonly Source[]> => readSources(database),
    /** By id, address or name. */
    find: async (text: string): Promise<Source> => {
      const [found, ...others] = await findSources(database, text);
      if (found === undefined)
        throw new Error(`no source has the id, address or name "${text}": daybook sources list`);
      if (others.length > 0)
        throw new Error(`${others.length + 1} sources are called "${text}": use the id or the address`);
      return found;
    },
    /** Where its hub stands; null: its feed names none. */
    pushes: async ({ id, hub }: Source): Promise<string | null> => {
      if (hub === null) return null;
      const subscription = await readSubscription(database, id);
      return subscription === null ? 'not subscribed' : describeSubscription(subscription, deps.clock.now());
    },
    read: (id: SourceId): Promise<Source | null> => readSource(database, id),
    /** What a source behind a password is stored and asked with. */
    sealSignIn: (feedUrl: string, signIn: SourceSignIn): Buffer => {
      const { protocol, hostname } = new URL(feedUrl);
      if (protocol !== 'https:' && !hostname.endsWith('.example'))
        throw new Error('a password goes to https addresses only');
      if (polls.secretBox === null)
        throw new Error('passwords are stored sealed: set DAYBOOK_SECRET_KEY first');
      const header = authorizationHeader(signIn);
      if (header === null)
        throw new Error(
          'no header can carry this user name, password or token: it is too long or has signs that none allows',
        );
      return sealAuthorization(polls.secretBox, feedUrl, header);
    },
    add: (sources: readonly SourceToAdd[]): Promise<readonly AddedSource[]> => addSources(deps, sources),
    changeState: (id: SourceId, state: 'active' | 'paused' | 'removed', reason: string | null) =>
      changeSourceState(deps, id, state, reason),
    poll: (sources: readonly Source[], onPoll: (source: Source, report: PollReport) => void) =>
      pollNow(polls, poller, database, sources, onPoll),
    discover: (url: string): Promise<Result<readonly FoundFeed[], string>> =>
      discoverFeeds(polls.fetcher, url, poller.signal),
    preview: (settings: SourceSettings, stored: Source | null): Promise<Result<FeedPreview, string>> =>
      previewFeed(polls, database, settings, stored, poller.signal),
  };
}
