import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz, toTimestamptzOrNull } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EntryId } from '../../ingest/index.ts';
import { markReleased } from './entry-edit-store.ts';

/** A person holds back or drops the entry: it is not published, also after an edit. */
export const isHeldByEditor = sql<boolean>`
  EXISTS (SELECT FROM newsroom.entry_hold AS hold WHERE hold.entry_id = entry.id)`;

/** Why the rules hold an entry of a source whose new entries wait for an editor. */
export const heldBecauseOfSource = 'New entries of the source wait for an editor.';

/** The reason is for operators. */
export async function holdEntry(
  transaction: Transaction<DB>,
  id: EntryId,
  hold: {
    readonly state: 'held' | 'dropped';
    readonly until: EpochMicroseconds | null;
    readonly reason: string;
    readonly at: EpochMicroseconds;
  },
): Promise<void> {
  await sql`
    INSERT INTO newsroom.entry_hold (entry_id, state, until)
    VALUES (${id}, ${hold.state}, ${toTimestamptzOrNull(hold.until)})
    ON CONFLICT (entry_id) DO UPDATE SET state = excluded.state, until = excluded.until`.execute(transaction);
  await sql`
    UPDATE newsroom.entry SET outcome = 'held', outcome_reason = ${hold.reason},
      outcome_at = ${toTimestamptz(hold.at)}, outcome_release = NULL
    WHERE id = ${id}`.execute(transaction);
}

const releasedColumns = sql`
  outcome = NULL, outcome_reason = NULL, outcome_at = NULL, outcome_release = NULL, subject_accepted = true`;

/** The next worker publishes it, as discovered now: clients that poll by time see it. */
export async function releaseEntry(
  transaction: Transaction<DB>,
  id: EntryId,
  at: EpochMicroseconds,
): Promise<void> {
  await sql`DELETE FROM newsroom.entry_hold WHERE entry_id = ${id}`.execute(transaction);
  await markReleased(transaction, id);
  await sql`
    UPDATE newsroom.entry SET ${releasedColumns}, discovered_at = greatest(discovered_at, ${toTimestamptz(at)})
    WHERE id = ${id}`.execute(transaction);
}

/** An undo: the entry has the hold and the outcome of before. One that waits again is published as discovered now. */
export async function restoreUnpublished(
  transaction: Transaction<DB>,
  id: EntryId,
  before: {
    readonly hold: 'held' | 'dropped' | null;
    readonly until: string | null;
    readonly outcome: string | null;
    readonly reason: string | null;
    readonly since: string | null;
  },
  now: EpochMicroseconds,
): Promise<void> {
  const { hold, until, outcome, reason, since } = before;
  await sql`DELETE FROM newsroom.entry_hold WHERE entry_id = ${id}`.execute(transaction);
  if (hold !== null)
    await sql`
      INSERT INTO newsroom.entry_hold (entry_id, state, until)
      VALUES (${id}, ${hold}, ${until}::timestamptz)`.execute(transaction);
  await sql`
    UPDATE newsroom.entry SET outcome = ${outcome}, outcome_reason = ${reason}, outcome_release = NULL,
      outcome_at = ${since}::timestamptz,
      discovered_at = CASE WHEN ${outcome}::text IS NULL THEN greatest(discovered_at, ${toTimestamptz(now)}::timestamptz)
        ELSE discovered_at END
    WHERE id = ${id}`.execute(transaction);
}

/** Releases entries whose embargo has ended, each with an entry in the journal; one statement. */
export async function releaseEmbargoed(database: Database, now: EpochMicroseconds): Promise<void> {
  const at = sql`${toTimestamptz(now)}::timestamptz`;
  await sql`
    WITH ended AS (DELETE FROM newsroom.entry_hold WHERE until <= ${at} RETURNING entry_id),
    released AS (
      UPDATE newsroom.entry SET ${releasedColumns}, discovered_at = greatest(discovered_at, ${at})
      FROM ended WHERE entry.id = ended.entry_id RETURNING entry.id),
    marked AS (
      INSERT INTO newsroom.entry_edit AS edit (entry_id, released) SELECT id, true FROM released
      ON CONFLICT (entry_id) DO UPDATE SET released = true)
    INSERT INTO newsroom.journal_entry (at, action, subject_kind, subject, decided_by, rule, detail)
    SELECT ${at}, 'release', 'entry', id::text, 'rule', 'embargo', '{}' FROM released`.execute(database);
}
