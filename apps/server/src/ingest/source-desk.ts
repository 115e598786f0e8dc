import type { Transaction } from 'kysely';

import { retryConcurrentChanges } from '../foundation/database/concurrent-change.ts';
import type { DB } from '../foundation/database/generated/database-types.ts';
import type { Result } from '../foundation/result.ts';
import type { Decisions } from '../record/index.ts';
import { readSubscription, setWantedHub } from './hubs/hub-subscription-store.ts';
import { describeSubscription } from './hubs/hub-subscription.ts';
import type { PollReport } from './schedule/poll-source.ts';
import type { FeedPreview, InspectedAddress } from './schedule/preview-feed.ts';
import type { SourceDeskDeps, SourceRequests } from './source-requests.ts';
import type { AddedSource, SourceToAdd } from './sources/add-sources.ts';
import { addSources, addSourceWithin } from './sources/add-sources.ts';
import { describeBy } from './sources/describe-to-readers.ts';
import type { FoundFeed } from './sources/discover-feeds.ts';
import type { OpmlExport } from './sources/opml.ts';
import { readOpml, writeOpml } from './sources/opml.ts';
import type { SourceSignIn } from './sources/source-authorization.ts';
import { authorizationHeader, sealAuthorization } from './sources/source-authorization.ts';
import {
  countSourcesByHealth,
  findSources,
  readSource,
  readSources,
  readSourcesPage,
  updateSourceState,
  updateSourceSettings,
} from './sources/source-store.ts';
import type { HealthVerdict, Source, SourceId, SourceSettings } from './sources/source.ts';
import { healthVerdict } from './sources/source.ts';
import { readStarterPack } from './sources/starter-pack.ts';

/** The actions of `daybook sources`. Polls take the same domain leases as a worker's polls. */
export type SourceDesk = ReturnType<typeof createSourceDesk>;

export function createSourceDesk(deps: SourceDeskDeps) {
  const { database, secretBox = null } = deps;
  // Fetching and parsing are half of what this module depends on. An api process loads them with its first request.
  let opened: Promise<SourceRequests> | null = null;
  const requests = (): Promise<SourceRequests> =>
    (opened ??= import('./source-requests.ts').then(({ createSourceRequests }) =>
      createSourceRequests(deps),
    ));
  return {
    countByHealth: (): Promise<ReadonlyMap<string, number>> =>
      countSourcesByHealth(database, deps.clock.now()),
    health: (source: Source): HealthVerdict => healthVerdict(source, deps.clock.nowMs()),
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
    /** The state of its hub subscription; null: the feed names no hub. */
    pushes: async ({ id, hub }: Source): Promise<string | null> => {
      if (hub === null) return null;
      const subscription = await readSubscription(database, id);
      return subscription === null ? 'not subscribed' : describeSubscription(subscription, deps.clock.now());
    },
    read: (id: SourceId): Promise<Source | null> => readSource(database, id),
    readPage: (asked: Parameters<typeof readSourcesPage>[1]) => readSourcesPage(database, asked),
    within: (transaction: Transaction<DB>, decisions: Decisions) =>
      changesWithin(deps, transaction, decisions),
    /** The sealed Authorization header of a source behind a password. */
    sealSignIn: (feedUrl: string, signIn: SourceSignIn): Buffer => {
      const { protocol, hostname } = new URL(feedUrl);
      if (protocol !== 'https:' && !hostname.endsWith('.example'))
        throw new Error('a password goes to https addresses only');
      if (secretBox === null) throw new Error('passwords are stored sealed: set DAYBOOK_SECRET_KEY first');
      const header = authorizationHeader(signIn);
      if (header === null)
        throw new Error(
          'no header can carry this user name, password or token: it is too long or has signs that none allows',
        );
      return sealAuthorization(secretBox, feedUrl, header);
    },
    readOpml,
    readStarterPack,
    /** All feeds as OPML, and the names of the sources that OPML cannot hold. */
    exportOpml: async (): Promise<OpmlExport> => writeOpml(await readSources(database)),
    add: (sources: readonly SourceToAdd[]): Promise<readonly AddedSource[]> => addSources(deps, sources),
    changeState: (id: SourceId, state: ChosenState, reason: string | null) =>
      changeSourceState(deps, id, state, reason),
    poll: async (
      sources: readonly Source[],
      onPoll: (source: Source, report: PollReport) => void,
    ): Promise<void> => (await requests()).poll(sources, onPoll),
    discover: async (url: string): Promise<Result<readonly FoundFeed[], string>> =>
      (await requests()).discover(url),
    preview: async (settings: SourceSettings, stored: Source | null): Promise<Result<FeedPreview, string>> =>
      (await requests()).preview(settings, stored),
    inspect: async (settings: SourceSettings): Promise<Result<InspectedAddress, string>> =>
      (await requests()).inspect(settings),
  };
}

async function changeSourceState(
  deps: SourceDeskDeps,
  id: SourceId,
  state: ChosenState,
  reason: string | null,
): Promise<void> {
  await retryConcurrentChanges(deps.database, () =>
    deps.database
      .transaction()
      .execute((transaction) =>
        deps.publisher.within(transaction, (decisions) =>
          changesWithin(deps, transaction, decisions).changeState(id, state, reason),
        ),
      ),
  );
}

type ChosenState = 'active' | 'paused' | 'removed';

/** Changes in the transaction of a decision. */
function changesWithin(deps: SourceDeskDeps, transaction: Transaction<DB>, decisions: Decisions) {
  return {
    read: (id: SourceId) => readSource(transaction, id),
    /** Resuming makes a source due at once. Removing frees its address; its entries stay stored. */
    changeState: async (id: SourceId, state: ChosenState, reason: string | null): Promise<void> => {
      const source = await readSource(transaction, id);
      if (source === null || source.state === 'removed') return;
      const now = deps.clock.now();
      await updateSourceState(transaction, source, { state, reason, now });
      const hub = state === 'active' ? source.hub : null;
      await setWantedHub(transaction, id, hub, { id: deps.ids.next(), now });
      await describeBy(decisions, { ...source, state });
    },
    /** For entries that are published from now on. */
    changeSettings: (id: SourceId, settings: Partial<Pick<Source, 'tier' | 'holds'>>) =>
      updateSourceSettings(transaction, id, settings),
    /** The owner is part of the public record: published items count for the new one from now on. */
    changeOwner: async (id: SourceId, owners: Pick<Source, 'owner' | 'syndicate'>): Promise<void> => {
      await updateSourceSettings(transaction, id, owners);
      const source = await readSource(transaction, id);
      if (source !== null) await describeBy(decisions, source);
    },
    /** False: another source has this address. */
    add: (source: SourceToAdd & { readonly id: SourceId }) =>
      addSourceWithin(deps, transaction, decisions, source),
  };
}
