import { sql } from 'kysely';

import type { WatchNewsroom } from './watch-newsroom.ts';
import type { WatchOracle } from './watch-oracle.ts';
import type { Person, Search, WatchPeople } from './watch-people.ts';
import { isSigned } from './watch-receivers.ts';
import type { WatchStage } from './watch-stage.ts';

/** A mail or request that had been claimed before something ended may arrive this much later. */
const underWayMs = 1_000;

interface World {
  readonly stage: WatchStage;
  readonly oracle: WatchOracle;
  readonly people: WatchPeople;
  readonly newsroom: WatchNewsroom;
}

/** Compares the stored matches with the oracle, once everything was compared. */
export async function judgeMatches(
  { stage, oracle, people }: World,
  faults: { readonly lost: Set<string>; readonly wrong: Set<string> },
): Promise<void> {
  const { rows } = await sql<{ search: string; item: string }>`
    SELECT search_id AS search, item_id AS item FROM watch.match WHERE awaits_sources IS NULL`.execute(
    stage.database,
  );
  const shown = Map.groupBy(rows, ({ search }) => search);
  for (const { search, item } of rows)
    if (!oracle.mayShow(search, item)) faults.wrong.add(`${search} ${item}`);
  for (const id of people.searches.keys()) {
    const found = new Set(shown.get(id)?.map(({ item }) => item));
    for (const item of oracle.requiredOf(id)) if (!found.has(item)) faults.lost.add(`${id} ${item}`);
  }
}

export interface MailVerdict {
  due: number;
  lost: number;
  mailedTwice: number;
  arrivedTwice: number;
  afterEnd: number;
  withdrawn: number;
}

export async function judgeMails(world: World): Promise<MailVerdict> {
  const { stage, oracle, people, newsroom } = world;
  const { mails } = stage;
  const listed = await listedAsUndelivered(stage);
  const verdict = { due: 0, lost: 0, mailedTwice: 0, arrivedTwice: 0, afterEnd: 0, withdrawn: 0 };
  const byId = Map.groupBy(mails, ({ messageId }) => messageId);
  verdict.arrivedTwice = mails.length - byId.size;
  const byReader = Map.groupBy(mails, ({ to }) => to);
  for (const person of people.people)
    verdict.afterEnd += (byReader.get(person.email) ?? []).filter(({ at }) =>
      isAfter(at, person.endedAt),
    ).length;
  for (const search of people.searches.values()) {
    const sections = (byReader.get(search.person.email) ?? []).flatMap(({ sections: all, at }) =>
      all.filter(({ name }) => name === search.name).map((section) => ({ ...section, at })),
    );
    verdict.afterEnd += sections.filter(({ at }) => isAfter(at, search.deletedAt)).length;
    const items = sections.flatMap(({ itemIds }) => itemIds);
    verdict.mailedTwice += items.length - new Set(items).size;
    for (const { itemIds, at } of sections)
      verdict.withdrawn += itemIds.filter((id) => isAfter(at, newsroom.withdrawnAt.get(id) ?? null)).length;
    if (!isMailed(search, search.person)) continue;
    const due = oracle.sentOf(search.id, 0).filter((id) => !oracle.isWithdrawn(id));
    const missing = due.filter((id) => !items.includes(id) && !listed.has(`${search.id} ${id}`));
    verdict.due += due.length;
    // A mail shows twenty items of a search and the number of the others.
    const unnamed = sections.reduce((sum, { more }) => sum + more, 0);
    verdict.lost += Math.max(0, missing.length - unnamed);
  }
  return verdict;
}

function isMailed({ deletedAt }: Search, { mail, endedAt }: Person): boolean {
  return mail !== 'never' && endedAt === null && deletedAt === null;
}

/** Matches whose mail is listed as undelivered. */
async function listedAsUndelivered({ database }: WatchStage): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ search: string; item: string }>`
    SELECT search_id AS search, item_id AS item FROM watch.match JOIN watch.mail ON mail.id = mail_id
    WHERE mail.state = 'undelivered'`.execute(database);
  return new Set(rows.map(({ search, item }) => `${search} ${item}`));
}

export interface PostVerdict {
  due: number;
  lost: number;
  /** An item that one receiver got under two ids, or an id with two items. */
  secondIds: number;
  repeated: number;
  unsigned: number;
  afterEnd: number;
  withdrawn: number;
}

export function judgePosts({ stage, oracle, people, newsroom }: World): PostVerdict {
  const verdict = { due: 0, lost: 0, secondIds: 0, repeated: 0, unsigned: 0, afterEnd: 0, withdrawn: 0 };
  const posts = stage.receivers.posts.map((post) => ({ ...post, item: itemOf(post.body) }));
  const byHost = Map.groupBy(posts, ({ host }) => host);
  verdict.repeated = posts.length - new Set(posts.map(({ id }) => id)).size;
  const itemsOfIds = Map.groupBy(posts, ({ id }) => id);
  for (const same of itemsOfIds.values())
    if (new Set(same.map(({ host, item }) => `${host} ${item}`)).size > 1) verdict.secondIds += 1;
  for (const { host, kind, searchId, secret, createdAt, endedAt } of people.webhooks) {
    const own = byHost.get(host) ?? [];
    const deleted = people.searches.get(searchId)?.deletedAt ?? null;
    for (const same of Map.groupBy(own, ({ item }) => item).values())
      if (new Set(same.map(({ id }) => id)).size > 1) verdict.secondIds += 1;
    verdict.unsigned += secret === '' ? 0 : own.filter((post) => !isSigned(post, secret)).length;
    verdict.afterEnd += own.filter(({ at }) => isAfter(at, endedAt) || isAfter(at, deleted)).length;
    verdict.withdrawn += own.filter(({ at, item }) =>
      isAfter(at, newsroom.withdrawnAt.get(item) ?? null),
    ).length;
    if (endedAt !== null || !isReached(kind)) continue;
    const accepted = new Set(own.filter((post) => post.accepted).map(({ item }) => item));
    const due = oracle.sentOf(searchId, createdAt).filter((id) => !oracle.isWithdrawn(id));
    verdict.due += due.length;
    verdict.lost += due.filter((id) => !accepted.has(id)).length;
  }
  return verdict;
}

/** Whether every delivery to this receiver arrives in the end. */
export function isReached(kind: string): boolean {
  return kind === 'takes' || kind === 'fails twice' || kind === 'cuts once';
}

function itemOf(body: string): string {
  return /\/items\/([0-9a-f-]{36})/u.exec(body)?.[1] ?? '';
}

function isAfter(at: number, end: number | null): boolean {
  return end !== null && at > end + underWayMs;
}
