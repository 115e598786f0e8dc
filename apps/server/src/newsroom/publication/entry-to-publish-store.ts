import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Source } from '../sources/source.ts';
import type { EntryId } from '../wire/land/entry-store.ts';

export interface EntryToPublish {
  readonly id: EntryId;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly firstImport: boolean;
  readonly revision: number;
  /** Which one its item shows; null while there is no item. */
  readonly shownRevision: number | null;
  /** Its publisher has taken it back. */
  readonly isWithdrawn: boolean;
  readonly source: Pick<
    Source,
    'id' | 'name' | 'owner' | 'firstParty' | 'tier' | 'language' | 'categoryHint' | 'participation'
  >;
}

/** Those whose newest revision is not shown yet, locked against a revision that lands meanwhile. */
export async function lockEntriesToPublish(
  transaction: Transaction<DB>,
  ids: readonly EntryId[],
): Promise<readonly EntryToPublish[]> {
  const rows = await selectEntries(transaction)
    .where('entry.id', 'in', [...ids])
    .where(
      (where) =>
        sql<boolean>`${where.ref('entry.shown_revision')} IS DISTINCT FROM ${where.ref('entry.revision')}`,
    )
    .orderBy('entry.id')
    .forUpdate('entry')
    .execute();
  return rows.map(entryOf);
}

/** Those of a reading group whose items stand and could be selected, the best sources first, at most so many. */
export async function readStandingEntries(
  transaction: Transaction<DB>,
  groupId: Id<'reading-group'>,
  countMax: number,
): Promise<readonly EntryToPublish[]> {
  const rows = await selectEntries(transaction)
    .innerJoin('record.item as item', 'item.id', 'entry.id')
    .where('item.group_id', '=', groupId)
    .where('item.withdrawn_at', 'is', null)
    .where('entry.withdrawn_at', 'is', null)
    .where('source.participation', '=', 'editorial')
    .orderBy('source.first_party', 'desc')
    .orderBy('source.tier')
    .orderBy('entry.discovered_at')
    .orderBy('entry.id')
    .limit(countMax)
    .execute();
  return rows.map(entryOf);
}

function selectEntries(transaction: Transaction<DB>) {
  return transaction
    .selectFrom('newsroom.entry as entry')
    .innerJoin('newsroom.source as source', 'source.id', 'entry.source_id')
    .selectAll('entry')
    .select([
      'source.name',
      'source.owner',
      'source.first_party',
      'source.tier',
      'source.language as source_language',
      'source.category_hint',
      'source.participation',
    ]);
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number];

function entryOf(row: EntryRow): EntryToPublish {
  return {
    id: row.id as EntryId,
    url: row.url,
    title: row.title,
    text: row.text,
    language: row.language,
    publishedAt: row.published_at === null ? null : fromTimestamptz(row.published_at),
    discoveredAt: fromTimestamptz(row.discovered_at),
    firstImport: row.first_import,
    revision: row.revision,
    shownRevision: row.shown_revision,
    isWithdrawn: row.withdrawn_at !== null,
    source: {
      id: row.source_id as Source['id'],
      name: row.name,
      owner: row.owner,
      firstParty: row.first_party,
      tier: row.tier as Source['tier'],
      language: row.source_language,
      categoryHint: row.category_hint as Source['categoryHint'],
      participation: row.participation as Source['participation'],
    },
  };
}

/** What a writer is given of an entry, and of which revision it is. */
export interface EntryToWrite {
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly sourceName: string;
  readonly revision: number;
  readonly isWithdrawn: boolean;
}

/** Null where its newest revision is shown already. A text is cut after so many characters. */
export async function readEntryToWrite(
  database: Database,
  id: EntryId,
  textCharsMax: number,
): Promise<EntryToWrite | null> {
  const row = await database
    .selectFrom('newsroom.entry as entry')
    .innerJoin('newsroom.source as source', 'source.id', 'entry.source_id')
    .select(['entry.title', 'entry.language', 'entry.revision', 'entry.shown_revision', 'source.name'])
    .select('entry.withdrawn_at')
    .select(sql<string>`left(entry.text, ${textCharsMax})`.as('text'))
    .where('entry.id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.shown_revision === row.revision) return null;
  const { title, text, language, revision, name: sourceName } = row;
  return { title, text, language, revision, sourceName, isWithdrawn: row.withdrawn_at !== null };
}

export async function markShown(
  transaction: Transaction<DB>,
  entries: readonly Pick<EntryToPublish, 'id'>[],
): Promise<void> {
  if (entries.length === 0) return;
  await transaction
    .updateTable('newsroom.entry')
    .set((set) => ({ shown_revision: set.ref('revision') }))
    .where(
      'id',
      'in',
      entries.map(({ id }) => id),
    )
    .execute();
}
