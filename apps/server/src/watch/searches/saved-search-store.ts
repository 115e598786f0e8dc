import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { accounts } from '../../identity/index.ts';
import type {
  ComparedQuery,
  MailFrequency,
  SavedSearch,
  SavedSearchId,
  SearchQuery,
} from './saved-search.ts';
import { comparedQuery } from './saved-search.ts';

const columns = [
  'id',
  'account_id',
  'name',
  'q',
  'without',
  'mode',
  'category',
  'source_id',
  'language',
  'hidden_sources',
  'hidden_categories',
  'sources_min',
  'mail',
  'wording',
  'on_front_page',
  'created_at',
  'updated_at',
] as const;

function searches(database: Database) {
  return database.selectFrom('watch.saved_search').select(columns);
}

type Row = Awaited<ReturnType<ReturnType<typeof searches>['executeTakeFirstOrThrow']>>;

function searchOf(row: Row): SavedSearch {
  return {
    id: row.id as SavedSearchId,
    accountId: row.account_id as accounts.AccountId,
    name: row.name,
    query: {
      q: row.q,
      without: row.without,
      mode: row.mode as SearchQuery['mode'],
      category: row.category,
      source: row.source_id as SearchQuery['source'],
      language: row.language,
      hiddenSources: row.hidden_sources.map((id) => id as Id<'source'>),
      hiddenCategories: row.hidden_categories,
      minSources: row.sources_min,
    },
    mail: row.mail as MailFrequency,
    wording: row.wording as ReaderLanguage,
    onFrontPage: row.on_front_page,
    createdAt: fromTimestamptz(row.created_at),
    updatedAt: fromTimestamptz(row.updated_at),
  };
}

/** All of an account, in a page or in the order of a list. */
export async function selectSearches(
  database: Database,
  accountId: accounts.AccountId,
  request?: PageRequest<SavedSearchId>,
): Promise<readonly SavedSearch[]> {
  const own = searches(database).where('account_id', '=', accountId);
  const order = { createdAt: 'created_at', id: 'id' } as const;
  const query =
    request === undefined
      ? own.orderBy('created_at', 'desc').orderBy('id', 'desc')
      : selectPage(own, request, order);
  return (await query.execute()).map(searchOf);
}

export async function findSearch(
  database: Database,
  accountId: accounts.AccountId,
  id: string,
): Promise<SavedSearch | null> {
  const row = await searches(database)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? null : searchOf(row);
}

/** For the worker and the feed, which know no account. */
export async function findAnySearch(database: Database, id: SavedSearchId): Promise<SavedSearch | null> {
  const row = await searches(database).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : searchOf(row);
}

export async function countSearches(database: Database, accountId: accounts.AccountId): Promise<number> {
  const { count } = await database
    .selectFrom('watch.saved_search')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

function valuesOf({ name, query, mail, wording, onFrontPage, updatedAt }: SavedSearch, filedUnder: bigint) {
  const { terms, excludedTerms } = comparedQuery(query);
  return {
    name,
    q: query.q,
    terms: [...terms],
    without: query.without,
    excluded_terms: [...excludedTerms],
    mode: query.mode,
    category: query.category,
    source_id: query.source,
    language: query.language,
    hidden_sources: [...query.hiddenSources],
    hidden_categories: [...query.hiddenCategories],
    sources_min: query.minSources,
    filed_under: filedUnder,
    mail,
    wording,
    on_front_page: onFrontPage,
    updated_at: isoMicroseconds(updatedAt),
  };
}

export async function insertSearch(
  database: Database,
  search: SavedSearch,
  filedUnder: bigint,
): Promise<void> {
  await database
    .insertInto('watch.saved_search')
    .values({
      id: search.id,
      account_id: search.accountId,
      created_at: isoMicroseconds(search.createdAt),
      ...valuesOf(search, filedUnder),
    })
    .execute();
}

export async function updateSearch(
  database: Database,
  search: SavedSearch,
  filedUnder: bigint,
): Promise<void> {
  await database
    .updateTable('watch.saved_search')
    .set(valuesOf(search, filedUnder))
    .where('id', '=', search.id)
    .execute();
}

export async function deleteSearch(
  database: Database,
  accountId: accounts.AccountId,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('watch.saved_search')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** A search that may match one of the items: it is filed under one of their keys. */
export interface FiledSearch {
  readonly id: SavedSearchId;
  readonly query: ComparedQuery;
  readonly isMailed: boolean;
  /** The place of the item among those asked about. */
  readonly itemAt: number;
}

/** The searches filed under any key of each item, in one statement. */
export async function findFiledSearches(
  database: Database,
  keysOfItems: readonly (readonly bigint[])[],
): Promise<readonly FiledSearch[]> {
  const places = keysOfItems.flatMap((keys, at) => keys.map(() => at));
  const keys = keysOfItems.flat().map(String);
  const { rows } = await sql<{
    item_at: number;
    id: string;
    terms: string[];
    excluded_terms: string[];
    mode: SearchQuery['mode'];
    category: string | null;
    source_id: string | null;
    language: string | null;
    hidden_sources: string[];
    hidden_categories: string[];
    sources_min: number;
    mail: MailFrequency;
  }>`
    SELECT asked.item_at, search.id, terms, excluded_terms, mode, category, source_id, language, hidden_sources,
      hidden_categories, sources_min, mail
    FROM unnest(${places}::integer[], ${keys}::bigint[]) AS asked (item_at, key)
    JOIN watch.saved_search AS search ON search.filed_under = asked.key`.execute(database);
  return rows.map((row) => ({
    id: row.id as SavedSearchId,
    itemAt: row.item_at,
    isMailed: row.mail !== 'never',
    query: {
      terms: row.terms,
      excludedTerms: row.excluded_terms,
      mode: row.mode,
      category: row.category,
      source: row.source_id as SearchQuery['source'],
      language: row.language,
      hiddenSources: row.hidden_sources.map((id) => id as Id<'source'>),
      hiddenCategories: row.hidden_categories,
      minSources: row.sources_min,
    },
  }));
}

export interface Filing {
  readonly id: SavedSearchId;
  readonly query: Pick<ComparedQuery, 'terms' | 'source' | 'category'>;
  readonly filedUnder: bigint;
}

/** In the order of ids. */
export async function readFilings(
  database: Database,
  after: string | null,
  rowsMax: number,
): Promise<readonly Filing[]> {
  let query = database
    .selectFrom('watch.saved_search')
    .select(['id', 'terms', 'source_id', 'category', 'filed_under']);
  if (after !== null) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(rowsMax).execute();
  return rows.map((row) => ({
    id: row.id as SavedSearchId,
    query: { terms: row.terms, source: row.source_id as SearchQuery['source'], category: row.category },
    filedUnder: row.filed_under,
  }));
}

/** One whose query changed meanwhile stays where its new query is filed. */
export async function writeFilings(
  database: Database,
  filings: readonly (Filing & { readonly moveTo: bigint })[],
): Promise<void> {
  await sql`
    UPDATE watch.saved_search SET filed_under = moved.key
    FROM unnest(
      ${filings.map(({ id }) => id)}::uuid[],
      ${filings.map(({ filedUnder }) => String(filedUnder))}::bigint[],
      ${filings.map(({ moveTo }) => String(moveTo))}::bigint[])
      AS moved (id, former, key)
    WHERE saved_search.id = moved.id AND saved_search.filed_under = moved.former`.execute(database);
}

/** Ends mail of a frequency; the waiting mail of it is cancelled by the sweep. Returns how many searches had it. */
export async function endMailOf(
  database: Database,
  accountId: accounts.AccountId,
  frequency: MailFrequency,
  now: EpochMicroseconds,
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('watch.saved_search')
    .set({ mail: 'never', updated_at: isoMicroseconds(now) })
    .where('account_id', '=', accountId)
    .where('mail', '=', frequency)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
