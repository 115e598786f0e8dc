import { sql } from 'kysely';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { IdSource } from '../../../apps/server/src/foundation/ids.ts';
import { gramsOfTerms, searchTermsOf } from '../../../apps/server/src/foundation/search-text.ts';
import { readGramFrequencies } from '../../../apps/server/src/watch/searches/gram-frequency-store.ts';
import { filingKey } from '../../../apps/server/src/watch/searches/saved-search.ts';
import type { WatchedTexts } from './watched-texts.ts';

/** Together, searches for one word match about this many times for each item; the others have two or three words. */
const oneWordMatches = 9;
const shareMax = 0.02;
/** A reader who looks for several words names something that few items mention. */
const rarestShareMax = 0.0005;

/** Draws searches, the ones for one word first. */
export function drawSearches(
  { nextSearchWords, shareOf, random }: WatchedTexts,
  count: number,
): readonly string[] {
  const searches: string[] = [];
  let matches = 0;
  while (searches.length < count) {
    const words = nextSearchWords();
    const at = Math.floor(random() * words.length);
    const length = matches < oneWordMatches ? 1 : random() < 0.7 ? 2 : 3;
    const found = words.slice(at, at + length);
    const share = Math.min(...found.map(shareOf));
    if (found.length < length || share > (length === 1 ? shareMax : rarestShareMax)) continue;
    if (length === 1) matches += share;
    searches.push(found.join(' '));
  }
  return searches;
}

const rowsAtOnce = 5_000;

/** Inserts them as the API does: filed under their rarest gram. Fifty of an account. */
export async function insertSearches(
  database: Database,
  ids: IdSource,
  searches: readonly string[],
  accountIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < searches.length; from += rowsAtOnce) {
    const part = searches.slice(from, from + rowsAtOnce).map((q) => ({ q, terms: searchTermsOf(q) }));
    const grams = [...new Set(part.flatMap(({ terms }) => gramsOfTerms(terms)))];
    const frequencies = await readGramFrequencies(database, grams);
    const rows = part.map(({ q, terms }, at) => ({
      id: ids.next(),
      account_id: accountIds[(from + at) % accountIds.length],
      q,
      terms,
      filed_under: String(
        filingKey({ terms, source: null, category: null }, (gram) => frequencies.get(gram) ?? 0),
      ),
    }));
    await sql`
      INSERT INTO watch.saved_search (id, account_id, name, q, terms, excluded_terms, mode, hidden_sources,
        hidden_categories, sources_min, filed_under, mail, wording, on_front_page, created_at, updated_at)
      SELECT id, account_id, left(q, 100), q, terms, '{}', 'all', '{}', '{}', 1, filed_under, 'daily', 'en', false,
        now(), now()
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS row (id uuid, account_id uuid, q text, terms text[], filed_under bigint)`.execute(database);
  }
}
