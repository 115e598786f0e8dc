import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SourceAlertKind } from './queue-entry.ts';

/** Failures of a day are common: publishers restart and move their servers. */
const failingForMs = dayMs;
const failuresMin = 3;
/** As the health of a source: after so many of its usual gaps, and at least a week. */
const silentAfterGaps = 8;
const silentAfterMs = 7 * dayMs;
/** Entries of one day, against an average day of up to eight weeks before. */
const busyEntriesMin = 20;
const busyTimes = 4;
const usualDays = 56;

/** Stores which sources are unusual now; an alert whose cause ended is deleted. One statement. */
export async function renewSourceAlerts(database: Database, now: EpochMicroseconds): Promise<void> {
  const ago = (ms: number) => sql`${toTimestamptz(addMs(now, -ms))}::timestamptz`;
  await sql`
    WITH verdict AS (
      SELECT source.id, lately.entries, lately.usual,
        CASE WHEN source.state IN ('suspended', 'stopped') THEN source.state
          WHEN source.state <> 'active' THEN NULL
          WHEN source.failures >= ${failuresMin} AND source.failing_since < ${ago(failingForMs)} THEN 'failing'
          WHEN source.failures = 0 AND source.newest_entry_at < ${ago(silentAfterMs)}
            AND source.newest_entry_at < ${ago(0)} - ${silentAfterGaps} * source.usual_gap_ms * interval '1 millisecond'
            THEN 'silent'
          WHEN source.created_at < ${ago(8 * dayMs)} AND lately.entries >= ${busyEntriesMin}
            AND lately.entries > ${busyTimes} * lately.usual THEN 'busy' END AS kind
      FROM newsroom.source CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE entry.discovered_at >= ${ago(dayMs)})::int AS entries,
          (count(*) FILTER (WHERE entry.discovered_at < ${ago(dayMs)})
            / least(${usualDays}, extract(epoch FROM ${ago(dayMs)} - source.created_at) / 86400))::real AS usual
        FROM newsroom.entry
        WHERE entry.source_id = source.id AND NOT entry.first_import
          AND entry.discovered_at >= ${ago((usualDays + 1) * dayMs)}) AS lately
      WHERE source.created_at < ${ago(2 * dayMs)}),
    ended AS (
      DELETE FROM newsroom.source_alert AS alert
      WHERE NOT EXISTS (SELECT FROM verdict WHERE verdict.id = alert.source_id AND verdict.kind IS NOT NULL))
    INSERT INTO newsroom.source_alert AS alert (source_id, kind, since, entries, usual)
    SELECT id, kind, ${ago(0)}, entries, usual FROM verdict WHERE kind IS NOT NULL
    ON CONFLICT (source_id) DO UPDATE SET kind = excluded.kind, entries = excluded.entries, usual = excluded.usual,
      since = CASE WHEN alert.kind = excluded.kind THEN alert.since ELSE excluded.since END,
      mailed_at = CASE WHEN alert.kind = excluded.kind THEN alert.mailed_at END`.execute(database);
}

export interface AlertToMail {
  readonly name: string;
  readonly kind: SourceAlertKind;
}

/** Marks alerts that no mail has named, and returns them by name. A busy source needs no mail. */
export async function claimAlertsToMail(
  database: Database,
  now: EpochMicroseconds,
): Promise<readonly AlertToMail[]> {
  const { rows } = await sql<AlertToMail>`
    WITH claimed AS (
      UPDATE newsroom.source_alert SET mailed_at = ${toTimestamptz(now)}
      WHERE mailed_at IS NULL AND kind <> 'busy' RETURNING source_id, kind)
    SELECT source.name, claimed.kind FROM claimed JOIN newsroom.source ON source.id = claimed.source_id
    ORDER BY source.name, source.id`.execute(database);
  return rows;
}
