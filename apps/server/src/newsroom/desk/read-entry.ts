import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EntryId } from '../../ingest/index.ts';
import type { Category } from '../../record/index.ts';
import { copyByRule, judgeEntry } from '../publication/prepare-entry.ts';
import { readPublishedEntry } from '../publication/unpublished-entry-store.ts';
import { readEntryStates } from './entry-state-store.ts';
import type { EntryState } from './journal.ts';
import { versionOf } from './journal.ts';

/** An entry as the desk shows it before its publication. */
export interface DeskEntry {
  readonly id: EntryId;
  readonly state: EntryState;
  /** What a form about it is based on. */
  readonly version: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly url: string;
  /** ISO 8601. */
  readonly discoveredAt: string;
  /** The words of the publisher. */
  readonly title: string;
  readonly text: string;
  /** What the rules would publish. */
  readonly byRule: { readonly title: string; readonly summary: string; readonly category: Category };
  readonly isOffTopic: boolean;
}

const textCharsMax = 8_000;

/** Null if it is withdrawn or unknown. */
export async function readDeskEntry(database: Database, id: EntryId): Promise<DeskEntry | null> {
  const state = (await readEntryStates(database, [id])).get(id);
  if (state === undefined) return null;
  const entry = await database.transaction().execute((transaction) => readPublishedEntry(transaction, id));
  if (entry === null) return null;
  const { rows } = await sql<{ at: string }>`
    SELECT to_char(discovered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM newsroom.entry WHERE id = ${id}`.execute(database);
  const judged = judgeEntry(entry);
  const { title, summary } = copyByRule(entry, judged);
  return {
    id,
    state,
    version: versionOf(state),
    sourceId: entry.source.id,
    sourceName: entry.source.name,
    url: entry.url,
    discoveredAt: rows[0]?.at ?? '',
    title: entry.title,
    text: entry.text.slice(0, textCharsMax),
    byRule: { title, summary, category: judged.category },
    isOffTopic: judged.relevance.isOffTopic,
  };
}
