import type { CursorPosition } from '../../foundation/cursor.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { dayMicroseconds, epochMicroseconds } from '../../foundation/instant.ts';
import { searchTermsOf, searchTextOf } from '../../foundation/search-text.ts';
import type { ArchiveFilter, ArchiveRow } from './archive-reading-store.ts';
import { readArchiveRows, termsInSourceNames } from './archive-reading-store.ts';
import type { ItemSpan, ListedItem } from './item-reading-store.ts';

/** One request reads no more of the archive than this. */
const daysMax = 366n;
const rowsMax = 1_000;

export interface ArchiveRequest {
  readonly filter: ArchiveFilter;
  /** Every term must occur, as in a search. */
  readonly q: string | null;
  readonly span: ItemSpan;
  readonly position: CursorPosition<'item'> | null;
  readonly limit: number;
}

export interface ArchivePage {
  readonly items: readonly ListedItem[];
  /** Where the next page begins; a page may be short although more follow. */
  readonly next: CursorPosition<'item'> | null;
  /** When the oldest selected item of all was received; null in an empty archive. */
  readonly oldestAt: EpochMicroseconds | null;
}

/** Matching items of at most 366 days and 1,000 selected items, or items with the words, newest first. */
export async function readArchivePage(database: Database, request: ArchiveRequest): Promise<ArchivePage> {
  const { filter, q, position, limit } = request;
  const until = position === null || position.key > request.span.until ? request.span.until : position.key;
  const yearBefore = epochMicroseconds(until - daysMax * dayMicroseconds);
  const after = yearBefore > request.span.after ? yearBefore : request.span.after;
  const { words, terms } = await lookupOf(database, q === null ? [] : searchTermsOf(q));
  const { rows, oldestAt } = await readArchiveRows(database, {
    filter,
    span: { after, until },
    position,
    words,
    rowsMax: rowsMax + 1,
  });
  const looked = rows.slice(0, rowsMax);
  const items: ListedItem[] = [];
  let last: ArchiveRow | null = null;
  for (const row of looked) {
    if (items.length === limit) break;
    last = row;
    if (row.match !== null && hasTerms(row.match.fields, terms)) items.push(row.match);
  }
  const isEveryRowRead = last === (looked.at(-1) ?? null) && rows.length <= rowsMax;
  if (!isEveryRowRead && last !== null) return { items, next: { key: last.key, id: last.id }, oldestAt };
  const hasOlder = after > request.span.after && oldestAt !== null && oldestAt <= after;
  return { items, next: hasOlder ? beginningAt(after) : null, oldestAt };
}

interface Lookup {
  /** For the index; null if it has none of the terms. */
  readonly words: string | null;
  /** Those that the text of an item must contain as they are. */
  readonly terms: readonly string[];
}

/** As the index divides texts: words in letters, and pairs of characters of scripts without spaces. */
const letters = String.raw`[a-z0-9\u00c0-\u02af\u0370-\u1fff]+`;
const ideographs = String.raw`[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]`;
const word = new RegExp(`^${letters}$`, 'u');
const indexed = new RegExp(`${letters}|${ideographs}{2,}`, 'u');
const singleIdeograph = new RegExp(`(?<!${ideographs})${ideographs}(?!${ideographs})`, 'u');

/** The index has titles and summaries; a term that the name of a source contains is compared with the text of each item. */
async function lookupOf(database: Database, terms: readonly string[]): Promise<Lookup> {
  const candidates = terms.filter((term) => indexed.test(term) && !singleIdeograph.test(term));
  if (candidates.length === 0) return { words: null, terms };
  const ofSources = await termsInSourceNames(database, candidates);
  const found = candidates.filter((term) => !ofSources.has(term));
  if (found.length === 0) return { words: null, terms };
  return {
    words: found.join(' '),
    terms: terms.filter((term) => !found.includes(term) || !word.test(term)),
  };
}

function hasTerms(fields: readonly (string | null)[], terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const text = searchTextOf(fields);
  return terms.every((term) => text.includes(term));
}

/** Before every item that was received at this instant. */
function beginningAt(instant: ItemSpan['after']): CursorPosition<'item'> {
  return { key: epochMicroseconds(instant + 1n), id: leastId };
}

const leastId = '00000000-0000-7000-8000-000000000000' as Id<'item'>;
