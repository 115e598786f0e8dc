import { sql } from 'kysely';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { fromTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { dayMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { RawItemsQuery } from '../../../apps/server/src/news/items/items-schema.ts';

/** One item as a reader of one query would see it at one moment. */
interface Seen {
  readonly key: EpochMicroseconds;
  readonly matches: boolean;
}

interface Row {
  readonly id: string;
  readonly timeline_key: string;
  readonly published_key: string;
  readonly category: string;
  readonly selected: boolean;
  readonly search_text: string;
}

const windowMicroseconds = { '24h': dayMicroseconds, '7d': 7n * dayMicroseconds };

/** Decides for every item whether it matches, from the rules alone: no index, no cursor, no page. */
export async function readAllSurfaces(
  database: Database,
  query: RawItemsQuery,
  now: EpochMicroseconds,
): Promise<ReadonlyMap<string, Seen>> {
  const { rows } = await sql<Row>`
    SELECT id, timeline_key, published_key, category, selected, search_text FROM record.window_item`.execute(
    database,
  );
  const seen = new Map<string, Seen>();
  for (const row of rows) {
    const key = fromTimestamptz(query.by === 'published' ? row.published_key : row.timeline_key);
    const matches =
      key > now - windowMicroseconds[query.window] &&
      key <= now &&
      (query.mode === 'all' || row.selected) &&
      (query.category === undefined || row.category === query.category) &&
      (query.q === undefined || row.search_text.includes(query.q));
    seen.set(row.id, { key, matches });
  }
  return seen;
}

/** What a walk through the pages owes its reader, whatever happens between two pages. */
export class WalkModel {
  /** Matched at every moment so far, with the key it began with. */
  readonly #throughout = new Map<string, EpochMicroseconds>();
  /** The key of every item whose key never changed. */
  readonly #steady = new Map<string, EpochMicroseconds | 'changed'>();
  #begun = false;

  observe(seen: ReadonlyMap<string, Seen>): void {
    for (const [id, { key, matches }] of seen) {
      const known = this.#steady.get(id);
      this.#steady.set(id, known === undefined || known === key ? key : 'changed');
      if (!this.#begun && matches) this.#throughout.set(id, key);
    }
    this.#begun = true;
    for (const [id, key] of this.#throughout) {
      const now = seen.get(id);
      if (now === undefined || !now.matches || now.key !== key) this.#throughout.delete(id);
    }
  }

  get expected(): number {
    return this.#throughout.size;
  }

  skipped(shown: readonly string[]): readonly string[] {
    const set = new Set(shown);
    return [...this.#throughout.keys()].filter((id) => !set.has(id));
  }

  repeated(shown: readonly string[]): readonly string[] {
    return shown.filter((id, at) => shown.indexOf(id) !== at && this.#steady.get(id) !== 'changed');
  }
}
