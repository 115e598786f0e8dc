import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EntryId } from '../../ingest/index.ts';
import { isHeldByEditor } from './entry-hold-store.ts';
import type { PreparedEntry } from './prepare-entry.ts';

/** Stores what was removed from these entries, for an editor; deletes reviews of entries that need none any more. */
export async function recordReviews(
  transaction: Transaction<DB>,
  entries: readonly Pick<PreparedEntry, 'entry' | 'judged' | 'removed'>[],
  at: EpochMicroseconds,
): Promise<void> {
  const isReviewed = ({ entry, removed }: (typeof entries)[number]): boolean =>
    removed.length > 0 && !entry.isWithdrawn;
  const settled = entries.filter((one) => !isReviewed(one)).map(({ entry }) => entry.id);
  const withdrawn = entries.filter(({ entry }) => entry.isWithdrawn).map(({ entry }) => entry.id);
  await sql`
    DELETE FROM newsroom.entry_review
    WHERE entry_id = ANY(${withdrawn}::uuid[]) OR (entry_id = ANY(${settled}::uuid[]) AND decision IS NULL)`.execute(
    transaction,
  );
  for (const { entry, removed } of entries.filter(isReviewed)) {
    // A decision stays as long as nothing else had to be removed.
    await sql`
      INSERT INTO newsroom.entry_review AS review (entry_id, removed, found_at)
      VALUES (${entry.id}, ${[...removed]}::text[], ${toTimestamptz(at)})
      ON CONFLICT (entry_id) DO UPDATE
      SET removed = excluded.removed, found_at = excluded.found_at, decision = NULL, decided_at = NULL
      WHERE NOT excluded.removed <@ review.removed`.execute(transaction);
  }
}

/** An entry that an editor has to decide about. */
export interface EntryReview {
  readonly id: EntryId;
  /** `held`: not published because of its title. `unselected`: published, but not selected. */
  readonly state: 'held' | 'unselected';
  readonly sourceName: string;
  readonly title: string;
  readonly url: string;
  /** ISO 8601. */
  readonly discoveredAt: string;
  readonly removed: readonly string[];
}

/** Entries that were held before reviews existed are listed as well. */
const openReviews = sql`
  FROM newsroom.entry JOIN newsroom.source ON source.id = entry.source_id
  LEFT JOIN newsroom.entry_review AS review ON review.entry_id = entry.id
  WHERE entry.withdrawn_at IS NULL AND review.decision IS NULL
    AND (review.entry_id IS NOT NULL OR entry.outcome = 'held') AND NOT ${isHeldByEditor}`;

/** Oldest first. */
export async function listReviews(database: Database, countMax: number): Promise<readonly EntryReview[]> {
  const { rows } = await sql<EntryReview>`
    SELECT entry.id, CASE WHEN entry.outcome = 'held' THEN 'held' ELSE 'unselected' END AS state,
      source.name AS "sourceName", entry.title, entry.url,
      to_char(entry.discovered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "discoveredAt",
      coalesce(review.removed, ARRAY[btrim(entry.title)]) AS removed
    ${openReviews} ORDER BY entry.id LIMIT ${countMax}`.execute(database);
  return rows;
}

/** Locks the entry. Null if no review of it is open. */
export async function lockReview(
  transaction: Transaction<DB>,
  id: EntryId,
): Promise<Pick<EntryReview, 'state'> | null> {
  const { rows } = await sql<Pick<EntryReview, 'state'>>`
    SELECT CASE WHEN entry.outcome = 'held' THEN 'held' ELSE 'unselected' END AS state
    ${openReviews} AND entry.id = ${id} FOR UPDATE OF entry`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Publication of a held entry continues if it is accepted, as discovered now, so that clients that poll by time see
 * it; a rejected one keeps the editor's reason.
 */
export async function decideReview(
  transaction: Transaction<DB>,
  id: EntryId,
  decided: {
    readonly decision: 'accepted' | 'rejected';
    readonly reason: string | null;
    readonly at: EpochMicroseconds;
  },
): Promise<void> {
  const { decision, reason, at } = decided;
  await sql`
    INSERT INTO newsroom.entry_review (entry_id, removed, found_at, decision, decided_at)
    SELECT id, ARRAY[btrim(title)], discovered_at, ${decision}, ${toTimestamptz(at)}::timestamptz
    FROM newsroom.entry WHERE id = ${id}
    ON CONFLICT (entry_id) DO UPDATE SET decision = excluded.decision, decided_at = excluded.decided_at`.execute(
    transaction,
  );
  if (decision === 'accepted')
    await sql`
      UPDATE newsroom.entry SET outcome = NULL, outcome_reason = NULL, outcome_at = NULL, outcome_release = NULL,
        subject_accepted = true, discovered_at = greatest(discovered_at, ${toTimestamptz(at)}::timestamptz)
      WHERE id = ${id} AND outcome = 'held'`.execute(transaction);
  else
    await sql`
      UPDATE newsroom.entry SET outcome_reason = ${reason} WHERE id = ${id} AND outcome = 'held'`.execute(
      transaction,
    );
}

/** Undoes an acceptance; an unpublished entry is held again. False if the review is not accepted. */
export async function undecideReview(
  transaction: Transaction<DB>,
  id: EntryId,
  held: { readonly reason: string; readonly at: EpochMicroseconds },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE newsroom.entry_review SET decision = NULL, decided_at = NULL
    WHERE entry_id = ${id} AND decision = 'accepted'`.execute(transaction);
  await sql`
    UPDATE newsroom.entry SET outcome = 'held', outcome_reason = ${held.reason},
      outcome_at = ${toTimestamptz(held.at)}, outcome_release = NULL
    WHERE id = ${id} AND NOT EXISTS (SELECT FROM record.item WHERE item.id = entry.id)`.execute(transaction);
  return numAffectedRows === 1n;
}
