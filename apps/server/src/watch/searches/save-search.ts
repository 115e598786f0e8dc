import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict, invalidField, notFound } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { gramsOfTerms } from '../../foundation/search-text.ts';
import { accounts, credentials } from '../../identity/index.ts';
import { comparedItems } from '../../record/comparing/index.ts';
import { readGramFrequencies } from './gram-frequency-store.ts';
import { cancelMailOf, deleteMatches, insertMatches } from './match-store.ts';
import {
  countSearches,
  deleteSearch,
  findSearch,
  insertSearch,
  selectSearches,
  updateSearch,
} from './saved-search-store.ts';
import type { SavedSearch, SearchQuery, SearchSettings } from './saved-search.ts';
import { comparedQuery, filingKey, isMatch } from './saved-search.ts';

export interface SavedSearchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

const searchesMax = 50;
/** Items of the window that are compared when a search is saved, and matches that are shown of them. */
const earlier = { itemsMax: 500, matchesMax: 50 } as const;

type AccountId = accounts.AccountId;

export async function createSearch(
  deps: SavedSearchDeps,
  accountId: AccountId,
  settings: SearchSettings,
): Promise<SavedSearch> {
  const { database, clock, ids } = deps;
  const now = clock.now();
  const search: SavedSearch = { ...settings, id: ids.next(), accountId, createdAt: now, updatedAt: now };
  const filedUnder = await requireFilingKey(database, settings.query);
  await database.transaction().execute(async (transaction) => {
    // Without the lock, concurrent requests would not count each other's searches.
    await accounts.lockAccount(transaction, accountId);
    if ((await countSearches(transaction, accountId)) >= searchesMax)
      throw new ProblemError(conflict, `An account can have at most ${searchesMax} saved searches.`);
    await insertSearch(transaction, search, filedUnder);
  });
  await insertEarlierMatches(database, search);
  return search;
}

/** Null if the account has no such search. */
export async function changeSearch(
  deps: SavedSearchDeps,
  accountId: AccountId,
  id: string,
  change: Partial<SearchSettings>,
): Promise<SavedSearch | null> {
  const { database, clock } = deps;
  const changed = await database.transaction().execute(async (transaction) => {
    await accounts.lockAccount(transaction, accountId);
    const before = await findSearch(transaction, accountId, id);
    if (before === null) return null;
    const search: SavedSearch = { ...before, ...change, updatedAt: clock.now() };
    await updateSearch(transaction, search, await requireFilingKey(transaction, search.query));
    const isOther = !isSameQuery(search.query, before.query);
    if (isOther) await deleteMatches(transaction, search.id);
    // What matched before mail was chosen is not mailed.
    if (search.mail === 'never' || before.mail === 'never') await cancelMailOf(transaction, search.id);
    return { search, isOther };
  });
  if (changed === null) return null;
  if (changed.isOther) await insertEarlierMatches(database, changed.search);
  return changed.search;
}

export async function removeSearch(
  { database }: SavedSearchDeps,
  accountId: AccountId,
  id: string,
): Promise<boolean> {
  return deleteSearch(database, accountId, id);
}

export async function requireSearch(
  { database }: Pick<SavedSearchDeps, 'database'>,
  accountId: AccountId,
  id: string,
): Promise<SavedSearch> {
  const search = await findSearch(database, accountId, id);
  if (search === null) throw new ProblemError(notFound, 'Saved search not found.');
  return search;
}

export { selectSearches };

/** The owner of a search, and the session or API key of the request. */
export interface SearchOwner {
  readonly accountId: AccountId;
  readonly credential: { readonly sessionId: string } | { readonly keyId: string };
}

/** The API key with which something ends that acts without it. */
export function keyIdOf(credential: SearchOwner['credential']): string | null {
  return 'keyId' in credential ? credential.keyId : null;
}

/**
 * Before something is created that acts without the credential of the request: a recovery locks the account too, and may
 * have ended the credential since the request arrived.
 */
export async function requireLiveOwner(
  transaction: Database,
  owner: SearchOwner,
  now: EpochMicroseconds,
): Promise<void> {
  await accounts.lockAccount(transaction, owner.accountId);
  if (!(await credentials.isLiveCredential(transaction, owner, now)))
    throw new ProblemError(notFound, 'Saved search not found.');
}

function isSameQuery(one: SearchQuery, other: SearchQuery): boolean {
  const textOf = ({ hiddenSources, hiddenCategories, ...query }: SearchQuery): string =>
    canonicalJson({ ...query, hiddenSources: [...hiddenSources], hiddenCategories: [...hiddenCategories] });
  return textOf(one) === textOf(other);
}

async function requireFilingKey(database: Database, query: SearchQuery): Promise<bigint> {
  const compared = comparedQuery(query);
  const frequencies = await readGramFrequencies(database, gramsOfTerms(compared.terms));
  const key = filingKey(compared, (gram) => frequencies.get(gram) ?? 0);
  if (key === null)
    throw invalidField(
      'q',
      'A saved search requires a word of at least two characters, a source or a category.',
    );
  return key;
}

/**
 * What a reader of the search would have found before. After the commit of the search: an item that is published from then
 * on is compared by the worker.
 */
async function insertEarlierMatches(database: Database, { id, query }: SavedSearch): Promise<void> {
  const compared = comparedQuery(query);
  const { mode, category, source, language, minSources } = query;
  const found = await comparedItems.readComparedItems(database, {
    mode,
    category,
    sourceId: source,
    language,
    grams: gramsOfTerms(compared.terms),
    rowsMax: earlier.itemsMax,
  });
  const matches = found
    .filter((item) => item.sourceCount >= minSources && isMatch(compared, item))
    .slice(0, earlier.matchesMax)
    .map(({ id: itemId, storyId, timelineAt }) => ({
      searchId: id,
      itemId,
      storyId,
      matchedAt: timelineAt,
      awaitsSources: null,
      isEarlier: true,
      isToMail: false,
    }));
  await insertMatches(database, matches);
}
