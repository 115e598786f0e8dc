import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { EntryId, Source } from '../../ingest/index.ts';

/** What a source contributes, by its entries of the last weeks. */
export interface SourceHabits {
  /** Entries of the last seven days. */
  readonly thisWeek: number;
  /** Entries in an average week of up to eight before; null for a source of less than a week before. */
  readonly usualWeek: number | null;
  /** Of the published items of these weeks, 0 to 1; null without any. */
  readonly selectedShare: number | null;
  readonly withdrawnShare: number | null;
}

/** Weeks before the current one. */
const weeksMax = 8;
const weekMs = 7 * dayMs;

interface HabitsRow {
  readonly id: Source['id'];
  readonly this_week: number;
  readonly before: number;
  readonly weeks: number;
  readonly published: number;
  readonly selected: number;
  readonly withdrawn: number;
}

export async function readSourceHabits(
  database: Database,
  now: EpochMicroseconds,
  ids: readonly Source['id'][],
): Promise<ReadonlyMap<Source['id'], SourceHabits>> {
  const since = toTimestamptz(addMs(now, -weekMs));
  const from = toTimestamptz(addMs(now, -(weeksMax + 1) * weekMs));
  const { rows } = await sql<HabitsRow>`
    SELECT source.id, habits.*,
      least(${weeksMax}, extract(epoch FROM ${since}::timestamptz - source.created_at) / 604800)::float8 AS weeks
    FROM newsroom.source
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE entry.discovered_at >= ${since}::timestamptz)::int AS this_week,
        count(*) FILTER (WHERE entry.discovered_at < ${since}::timestamptz AND NOT entry.first_import)::int AS before,
        count(item.id)::int AS published,
        count(*) FILTER (WHERE item.selected)::int AS selected,
        count(*) FILTER (WHERE item.withdrawn_at IS NOT NULL)::int AS withdrawn
      FROM newsroom.entry LEFT JOIN record.item ON item.id = entry.id
      WHERE entry.source_id = source.id AND entry.discovered_at >= ${from}::timestamptz
    ) AS habits
    WHERE source.id = ANY (${[...ids]}::uuid[])`.execute(database);
  return new Map(rows.map((row) => [row.id, habitsOf(row)]));
}

function habitsOf({ this_week, before, weeks, published, selected, withdrawn }: HabitsRow): SourceHabits {
  return {
    thisWeek: this_week,
    usualWeek: weeks < 1 ? null : before / weeks,
    selectedShare: published === 0 ? null : selected / published,
    withdrawnShare: published === 0 ? null : withdrawn / published,
  };
}

/** Published entries of the last week, newest first. */
export async function readRecentEntries(
  database: Database,
  sourceId: Source['id'],
  { now, countMax }: { readonly now: EpochMicroseconds; readonly countMax: number },
): Promise<readonly EntryId[]> {
  const { rows } = await sql<{ id: EntryId }>`
    SELECT entry.id FROM newsroom.entry JOIN record.item ON item.id = entry.id AND item.withdrawn_at IS NULL
    WHERE entry.source_id = ${sourceId} AND entry.discovered_at >= ${toTimestamptz(addMs(now, -weekMs))}
    ORDER BY entry.discovered_at DESC LIMIT ${countMax}`.execute(database);
  return rows.map(({ id }) => id);
}

/** More names than a person chooses from are not suggested. */
const namesMax = 1_000;

/** The owners and syndication groups of the sources, for forms. */
export async function readOwnerNames(
  database: Database,
): Promise<{ readonly owners: readonly string[]; readonly syndicates: readonly string[] }> {
  const { rows } = await sql<{ owner: string; syndicate: string | null }>`
    SELECT DISTINCT owner, syndicate FROM newsroom.source WHERE state <> 'removed'
    ORDER BY owner, syndicate LIMIT ${namesMax}`.execute(database);
  const syndicates = rows.flatMap(({ syndicate }) => syndicate ?? []);
  return {
    owners: [...new Set(rows.map(({ owner }) => owner))],
    syndicates: [...new Set(syndicates)].sort(),
  };
}
