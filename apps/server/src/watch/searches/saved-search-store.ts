import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
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

/** What a search compares. */
export interface ComparedSearch {
  readonly id: SavedSearchId;
  readonly query: ComparedQuery;
  readonly isMailed: boolean;
}

/** A search that may match the items that have this key. Read for many more items than match: with its terms only. */
export interface FiledSearch {
  readonly id: SavedSearchId;
  readonly terms: readonly string[];
  readonly filedUnder: bigint;
}

/** Arrays are joined: many rows are read for each item, and the parser of arrays takes longer than all else. */
interface ComparedRow {
  readonly id: string;
  readonly terms: string;
  readonly excluded_terms: string;
  readonly mode: SearchQuery['mode'];
  readonly category: string | null;
  readonly source_id: string | null;
  readonly language: string | null;
  readonly hidden_sources: string;
  readonly hidden_categories: string;
  readonly sources_min: number;
  readonly mail: MailFrequency;
}

/** Terms, ids and categories contain no line break. */
const joined = (column: string) => sql`array_to_string(${sql.ref(column)}, E'\n') AS ${sql.ref(column)}`;

const comparedColumns = sql`search.id, ${joined('terms')}, ${joined('excluded_terms')}, mode, category, source_id,
  language, ${joined('hidden_sources')}, ${joined('hidden_categories')}, sources_min, mail`;

function partsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

function comparedSearch(row: ComparedRow): ComparedSearch {
  return {
    id: row.id as SavedSearchId,
    isMailed: row.mail !== 'never',
    query: {
      terms: partsOf(row.terms),
      excludedTerms: partsOf(row.excluded_terms),
      mode: row.mode,
      category: row.category,
      source: row.source_id as SearchQuery['source'],
      language: row.language,
      hiddenSources: partsOf(row.hidden_sources).map((id) => id as Id<'source'>),
      hiddenCategories: partsOf(row.hidden_categories),
      minSources: row.sources_min,
    },
  };
}

/**
 * The searches filed under any of these keys, each once. With the keys in a subquery, PostgreSQL looks each of them up in
 * the index: with thousands of them as a constant, planning takes longer than reading. With a text, only those all of whose
 * terms it contains: most searches filed under a key have another term that an item lacks.
 */
export async function findFiledSearches(
  database: Database,
  keys: readonly bigint[],
  text: string | null,
): Promise<readonly FiledSearch[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly terms: string;
    readonly filed_under: bigint;
  }>`${preparedAs('find-filed-searches')}
    SELECT id, ${joined('terms')}, filed_under FROM watch.saved_search AS search
    WHERE filed_under = ANY (ARRAY(SELECT unnest(${keys.map(String)}::bigint[])))
      AND (${text}::text IS NULL OR NOT EXISTS (
        SELECT FROM unnest(search.terms) AS term WHERE strpos(${text}::text, term) = 0))`.execute(database);
  return rows.map(({ id, terms, filed_under: filedUnder }) => ({
    id: id as SavedSearchId,
    terms: partsOf(terms),
    filedUnder,
  }));
}

/**
 * These searches as they are now; until the transaction ends, none of them changes or is deleted. In the order of ids, as
 * every statement that locks several, so that two of them cannot wait for each other.
 */
export async function lockSearches(
  database: Database,
  ids: readonly SavedSearchId[],
): Promise<ReadonlyMap<SavedSearchId, ComparedSearch>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ComparedRow>`${preparedAs('lock-searches')}
    SELECT ${comparedColumns} FROM watch.saved_search AS search
    WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR SHARE`.execute(database);
  return new Map(rows.map((row) => [row.id as SavedSearchId, comparedSearch(row)]));
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
  const ids = filings.map(({ id }) => id);
  await sql`
    WITH locked AS (
      SELECT id FROM watch.saved_search WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE)
    UPDATE watch.saved_search SET filed_under = moved.key
    FROM locked JOIN unnest(
      ${ids}::uuid[],
      ${filings.map(({ filedUnder }) => String(filedUnder))}::bigint[],
      ${filings.map(({ moveTo }) => String(moveTo))}::bigint[])
      AS moved (id, former, key) USING (id)
    WHERE saved_search.id = moved.id AND saved_search.filed_under = moved.former`.execute(database);
}

/** Ends mail of a frequency; the waiting mail of it is cancelled by the sweep. Returns how many searches had it. */
export async function endMailOf(
  database: Database,
  accountId: accounts.AccountId,
  frequency: MailFrequency,
  now: EpochMicroseconds,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE watch.saved_search SET mail = 'never', updated_at = ${isoMicroseconds(now)}
    WHERE id IN (SELECT id FROM watch.saved_search
      WHERE account_id = ${accountId} AND mail = ${frequency} ORDER BY id FOR NO KEY UPDATE)`.execute(
    database,
  );
  return Number(numAffectedRows);
}
