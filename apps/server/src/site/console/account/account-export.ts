import { groups, platformTokens, shares } from '../../../access/index.ts';
import { agents, answers } from '../../../agents/index.ts';
import { presentSchedule, selectSchedules } from '../../../agents/schedules/index.ts';
import { readAccountEvents } from '../../../audit/index.ts';
import { instantOfId } from '../../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { isoMicroseconds } from '../../../foundation/instant.ts';
import { requireEmailAddress } from '../../../foundation/mail/email-address.ts';
import { everyRow } from '../../../foundation/pagination/every-row.ts';
import type { Identity, accounts } from '../../../identity/index.ts';
import { useCases } from '../../../identity/index.ts';
import { findSubscriptionByEmail } from '../../../mailing/index.ts';
import { folders, links } from '../../../storage/index.ts';
import { privateFeeds, savedSearches, webhooks } from '../../../watch/index.ts';
import { activitySentence } from './activity-sentences.ts';

type Deps = Pick<Identity, 'database' | 'clock'>;
type Account = accounts.Account;
type Rows = Iterable<object> | AsyncIterable<object>;

/** Long lists are streamed. */
const lists: Readonly<Record<string, (deps: Deps, account: Account) => Rows | Promise<Rows>>> = {
  emailChanges,
  organizations: membershipsOf,
  sessions: ({ database, clock }, { id }) => useCases.listSessions(database, id, clock.now()),
  apiKeys,
  passkeys,
  externalIdentities: ({ database }, { id }) => useCases.listExternalIdentities(database, id),
  mailSubscriptions,
  savedSearches: searchesOf,
  webhooks: webhooksOf,
  platformTokens: tokensOf,
  agents: agentsOf,
  answers: answersOf,
  schedules: schedulesOf,
  filesAndFolders: entriesOf,
  sharedWithYou: sharesOf,
  links: linksOf,
  activity,
};

/**
 * All stored data of an account, as one JSON document without secrets: hashes and sealed values are useless to a
 * person, and would help a thief of the file.
 */
export async function* writeAccountExport(deps: Deps, account: Account): AsyncGenerator<string> {
  const head = { exportedAt: isoMicroseconds(deps.clock.now()), profile: await profileOf(deps, account) };
  yield JSON.stringify(head, null, 1).slice(0, -2);
  for (const [name, read] of Object.entries(lists)) {
    yield `,\n ${JSON.stringify(name)}: [`;
    let separator = '\n  ';
    for await (const row of await read(deps, account)) {
      yield separator + JSON.stringify(row);
      separator = ',\n  ';
    }
    yield ']';
  }
  yield '\n}\n';
}

async function profileOf({ database }: Deps, account: Account): Promise<object> {
  const { id, username, name, email, imageUrl, superuser } = account;
  return {
    id,
    username,
    name,
    email,
    imageUrl,
    superuser,
    picture: await pictureOf(database, id),
    createdAt: isoMicroseconds(instantOfId(id)),
    hasPassword: await useCases.hasPassword(database, id),
    hasSecondFactor: await useCases.hasSecondFactor(database, id),
    recoveryCodesLeft: await useCases.countRecoveryCodes(database, id),
  };
}

async function pictureOf(database: Deps['database'], id: Account['id']): Promise<object | null> {
  const picture = await useCases.findPictureOf(database, id);
  if (picture === null) return null;
  const { mediaType, width, height, createdAt, bytes } = picture;
  return {
    mediaType,
    width,
    height,
    createdAt: isoMicroseconds(createdAt),
    base64: bytes.toString('base64'),
  };
}

async function emailChanges({ database }: Deps, { id }: Account): Promise<readonly object[]> {
  const changes = await useCases.listEmailChanges(database, id);
  return changes.map(({ createdAt, confirmedAt, ...rest }) => ({
    ...rest,
    createdAt: isoMicroseconds(createdAt),
    confirmedAt: isoOrNull(confirmedAt),
  }));
}

async function* membershipsOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId, organizationKey: key, organizationName: name, role } of account.memberships) {
    const inGroups = await groups.selectGroupsOf(database, organizationId, [account.id]);
    yield {
      id: organizationId,
      key,
      name,
      role,
      current: organizationId === account.organizationId,
      workspaces: account.workspaces
        .filter((workspace) => workspace.organizationId === organizationId)
        .map(({ workspaceName, role: workspaceRole }) => ({ name: workspaceName, role: workspaceRole })),
      groups: inGroups.map((group) => group.name),
    };
  }
}

async function apiKeys({ database, clock }: Deps, account: Account): Promise<readonly object[]> {
  const keys = await useCases.listLiveApiKeys(database, account.id, clock.now());
  return keys.map(({ id, name, organizations, limit, createdAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    organizations,
    permissions: limit ?? 'everything',
    createdAt: isoMicroseconds(createdAt),
    expiresAt: isoOrNull(expiresAt),
    lastUsedAt: isoOrNull(lastUsedAt),
  }));
}

async function passkeys({ database }: Deps, account: Account): Promise<readonly object[]> {
  const held = await useCases.listPasskeys(database, account.id);
  return held.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }));
}

async function mailSubscriptions({ database }: Deps, { email }: Account): Promise<readonly object[]> {
  const found = await findSubscriptionByEmail(database, requireEmailAddress(email).normalised);
  if (found === null) return [];
  const { choices, language, requestedAt, confirmedAt } = found;
  return [
    {
      email,
      ...choices,
      language,
      requestedAt: isoMicroseconds(requestedAt),
      confirmedAt: isoOrNull(confirmedAt),
    },
  ];
}

/** With the times of their private feeds. */
async function searchesOf({ database }: Deps, { id }: Account): Promise<readonly object[]> {
  const addresses = await privateFeeds.selectFeedAddresses(database, id);
  const feeds = new Map(
    addresses.map(({ searchId, createdAt, lastUsedAt }) => [searchId, { createdAt, lastUsedAt }]),
  );
  return (await savedSearches.selectSearches(database, id)).map((search) => {
    const feed = feeds.get(search.id);
    return {
      ...savedSearches.presentSearch(search),
      privateFeed:
        feed === undefined
          ? null
          : { createdAt: isoMicroseconds(feed.createdAt), lastUsedAt: isoOrNull(feed.lastUsedAt) },
    };
  });
}

async function webhooksOf({ database }: Deps, { id }: Account): Promise<readonly object[]> {
  return (await webhooks.selectWebhooks(database, id, null)).map(({ searchId, ...webhook }) => ({
    searchId,
    ...webhooks.presentWebhook({ ...webhook, searchId }),
  }));
}

async function* tokensOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for await (const token of everyRow((page) =>
    platformTokens.selectTokensMadeBy(database, account.id, page),
  )) {
    const { id, organizationId, name, mode, createdAt, expiresAt, lastUsedAt } = token;
    yield {
      id,
      organizationId,
      name,
      mode,
      createdAt: isoMicroseconds(createdAt),
      expiresAt: isoOrNull(expiresAt),
      lastUsedAt: isoOrNull(lastUsedAt),
    };
  }
}

async function* agentsOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId: id, organizationKey: organization } of account.memberships) {
    const made = everyRow((page) => agents.selectAgentsMadeBy(database, { id }, account.id, page));
    for await (const agent of made) yield { organization, ...agents.presentAgent(agent) };
  }
}

/** Questions, and which sentences of which sources the answers quote. */
async function* answersOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId: id, organizationKey: organization } of account.memberships) {
    const given = everyRow((page) => answers.selectAnswersTo(database, { id }, account.id, page));
    for await (const { createdAt, sentences, ...answer } of given) {
      // Without the words of a model: their source may have been withdrawn.
      const cites = sentences.map(({ kind, id, hash }) => ({ kind, id, hash }));
      yield { organization, ...answer, sentences: cites, createdAt: isoMicroseconds(createdAt) };
    }
  }
}

async function* schedulesOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId: id, organizationKey: organization } of account.memberships) {
    // At most a few: the number of a member is limited.
    for (const schedule of await selectSchedules(database, { id }, account.id))
      yield { organization, ...presentSchedule(schedule) };
  }
}

async function* entriesOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId, organizationKey: organization } of account.memberships) {
    const made = folders.listMadeEntries(database, { organizationId, accountId: account.id });
    for await (const { project, entry } of made) {
      const { id, parentId, kind, name, content, createdAt, trashedAt } = entry;
      yield {
        organization,
        project: project.name,
        id,
        parentId,
        kind,
        name,
        ...(content !== null && { size: content.size, mediaType: content.mediaType }),
        createdAt: isoMicroseconds(createdAt),
        trashedAt: isoOrNull(trashedAt),
      };
    }
  }
}

async function* sharesOf({ database }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId, organizationKey: organization } of account.memberships) {
    const given = everyRow((page) =>
      shares.selectSharesOfAccount(database, organizationId, account.id, page),
    );
    for await (const { id, resource, level, createdAt } of given)
      yield { organization, id, resource, level, createdAt: isoMicroseconds(createdAt) };
  }
}

async function* linksOf({ database, clock }: Deps, account: Account): AsyncGenerator<object> {
  for (const { organizationId, organizationKey: organization } of account.memberships) {
    const maker = { accountId: account.id, organizationId };
    const made = everyRow((page) => links.selectLinksMadeBy(database, maker, clock.now(), page));
    for await (const { id, entryId, kind, name, createdAt, expiresAt, openedCount } of made)
      yield {
        organization,
        id,
        entryId,
        kind,
        name,
        createdAt: isoMicroseconds(createdAt),
        expiresAt: isoMicroseconds(expiresAt),
        openedCount,
      };
  }
}

async function* activity({ database }: Deps, { id }: Account): AsyncGenerator<object> {
  for await (const event of everyRow((page) => readAccountEvents(database, id, page))) {
    const { createdAt, kind, address, userAgent, detail } = event;
    const at = isoMicroseconds(createdAt);
    yield { at, kind, sentence: activitySentence(event), address, userAgent, detail };
  }
}

function isoOrNull(instant: EpochMicroseconds | null): string | null {
  return instant === null ? null : isoMicroseconds(instant);
}
