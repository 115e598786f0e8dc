import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SourceId } from '../sources/source.ts';
import type { EntryId } from './entry-store.ts';

/** Older entries are not checked. */
const lookedForMs = 30 * dayMs;
const leavingAtOnceMax = 50;

/** Marks entries that are listed again. Runs before their other changes. */
export async function markListedAgain(
  transaction: Transaction<DB>,
  returned: readonly EntryId[],
): Promise<void> {
  if (returned.length === 0) return;
  await sql`
    UPDATE newsroom.entry SET left_list_at = NULL, page_domain = NULL
    WHERE id = ANY(${[...returned]}::uuid[]) AND left_list_at IS NOT NULL`.execute(transaction);
}

/**
 * Entries of a source that are missing from its list while the list still contains an older entry. Each is returned once,
 * until it is listed again.
 */
export async function markLeftEntries(
  transaction: Transaction<DB>,
  request: {
    readonly sourceId: SourceId;
    readonly listed: readonly EntryId[];
    readonly now: EpochMicroseconds;
  },
): Promise<readonly { readonly id: EntryId; readonly url: string }[]> {
  const listed = [...request.listed];
  if (listed.length === 0) return [];
  const { rows } = await sql<{ id: EntryId; url: string }>`
    UPDATE newsroom.entry SET left_list_at = ${toTimestamptz(request.now)}
    WHERE id IN (
      SELECT id FROM newsroom.entry
      WHERE source_id = ${request.sourceId} AND discovered_at > ${toTimestamptz(addMs(request.now, -lookedForMs))}
        AND id <> ALL(${listed}::uuid[])
        AND left_list_at IS NULL AND withdrawn_at IS NULL AND page_domain IS NULL
        AND coalesce(published_at, discovered_at) > (
          SELECT min(coalesce(published_at, discovered_at)) FROM newsroom.entry WHERE id = ANY(${listed}::uuid[]))
      ORDER BY discovered_at DESC LIMIT ${leavingAtOnceMax})
    RETURNING id, url`.execute(transaction);
  return rows;
}

export async function requestPages(
  transaction: Transaction<DB>,
  ids: readonly EntryId[],
  domain: string,
): Promise<void> {
  await sql`
    UPDATE newsroom.entry SET page_domain = ${domain} WHERE id = ANY(${[...ids]}::uuid[])`.execute(
    transaction,
  );
}

/** Adds a revision in which the entry is withdrawn. Changes nothing if it is withdrawn already. */
export async function markEntryWithdrawn(
  transaction: Transaction<DB>,
  id: EntryId,
  at: EpochMicroseconds,
): Promise<void> {
  await transaction
    .updateTable('newsroom.entry')
    .set((set) => ({
      title: '',
      text: '',
      page_domain: null,
      withdrawn_at: toTimestamptz(at),
      outcome: null,
      outcome_reason: null,
      outcome_at: null,
      outcome_release: null,
      revision: set('revision', '+', 1),
    }))
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .execute();
  // They quote the text.
  await transaction.deleteFrom('newsroom.entry_review').where('entry_id', '=', id).execute();
  await transaction.deleteFrom('newsroom.entry_edit').where('entry_id', '=', id).execute();
}
