import type { ExpressionBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB, NewsroomSource } from '../../foundation/database/generated/database-types.ts';
import {
  fromTimestamptz,
  fromTimestamptzOrNull,
  toTimestamptz,
} from '../../foundation/database/timestamptz.ts';
import { idForm } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { upsertDomainDue } from '../leases/domain-lease-store.ts';
import type { Source, SourceId, SourceSettings, SourceState } from './source.ts';
import { silentAfterGaps, silentAfterMs } from './source.ts';

export interface NewSource extends SourceSettings {
  readonly id: SourceId;
  readonly domain: string;
  readonly state: 'active' | 'paused';
  readonly stateReason: string | null;
  readonly createdAt: EpochMicroseconds;
}

/** False: another source has this address. */
export async function insertSource(database: Database, source: NewSource): Promise<boolean> {
  const dueAt = source.state === 'active' ? source.createdAt : null;
  await upsertDomainDue(database, source.domain, dueAt);
  const inserted = await database
    .insertInto('newsroom.source')
    .values({
      id: source.id,
      name: source.name,
      owner: source.owner,
      syndicate: source.syndicate,
      first_party: source.firstParty,
      tier: source.tier,
      language: source.language,
      category_hint: source.categoryHint,
      participation: source.participation,
      all_subjects: source.allSubjects,
      holds: source.holds,
      full_text: source.fullText,
      feed_url: source.feedUrl,
      homepage_url: source.homepageUrl,
      list_form: JSON.stringify(source.form),
      domain: source.domain,
      spacing_ms: source.spacingMs,
      authorization_sealed: source.sealedAuthorization,
      note: source.note,
      state: source.state,
      state_reason: source.stateReason,
      created_at: toTimestamptz(source.createdAt),
      due_at: toTimestamptz(source.createdAt),
    })
    .onConflict((conflict) => conflict.column('feed_url').where('state', '<>', 'removed').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function readSources(database: Database): Promise<readonly Source[]> {
  const rows = await database
    .selectFrom('newsroom.source')
    .selectAll()
    .where('state', '<>', 'removed')
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(sourceOf);
}

export async function readSource(database: Database, id: SourceId): Promise<Source | null> {
  const row = await database
    .selectFrom('newsroom.source')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : sourceOf(row);
}

/** In the order of names, after the one given; those whose name or address contains the text, or all. */
export async function readSourcesPage(
  database: Database,
  {
    query,
    afterId,
    countMax,
  }: { readonly query?: string; readonly afterId?: string; readonly countMax: number },
): Promise<readonly Source[]> {
  const part = query === undefined ? null : `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<Selectable<NewsroomSource>>`
    SELECT source.* FROM newsroom.source
    WHERE source.state <> 'removed'
      AND (${part}::text IS NULL OR source.name ILIKE ${part} OR source.feed_url ILIKE ${part})
      AND (${afterId ?? null}::uuid IS NULL OR (source.name, source.id) > (
        SELECT after.name, after.id FROM newsroom.source AS after WHERE after.id = ${afterId ?? null}::uuid))
    ORDER BY source.name, source.id LIMIT ${countMax}`.execute(database);
  return rows.map(sourceOf);
}

export async function updateSourceSettings(
  database: Database,
  id: SourceId,
  settings: Partial<Pick<Source, 'tier' | 'holds' | 'owner' | 'syndicate'>>,
): Promise<void> {
  await database.updateTable('newsroom.source').set(settings).where('id', '=', id).execute();
}

/** By id, address or exact name; several where a name is not unique. */
export async function findSources(database: Database, text: string): Promise<readonly Source[]> {
  const rows = await database
    .selectFrom('newsroom.source')
    .selectAll()
    .where('state', '<>', 'removed')
    .where((where: ExpressionBuilder<DB, 'newsroom.source'>) =>
      idForm.test(text)
        ? where('id', '=', text)
        : where.or([where('feed_url', '=', text), where('name', '=', text)]),
    )
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(sourceOf);
}

/** An active source is due at once. */
export async function updateSourceState(
  database: Database,
  source: Pick<Source, 'id' | 'domain'>,
  change: { readonly state: SourceState; readonly reason: string | null; readonly now: EpochMicroseconds },
): Promise<void> {
  await upsertDomainDue(database, source.domain, change.state === 'active' ? change.now : null);
  await database
    .updateTable('newsroom.source')
    .set({
      state: change.state,
      state_reason: change.reason,
      ...(change.state === 'active' && {
        due_at: toTimestamptz(change.now),
        failures: 0,
        failing_since: null,
        gone_count: 0,
        gone_since: null,
        missing_since: null,
      }),
    })
    .where('id', '=', source.id)
    .execute();
}

/**
 * Makes a source due after a push: at once, but not within `spacingMs` of its last poll, not before a Retry-After of its
 * domain has passed, and not while its polls fail.
 */
export async function makeDueAfterPush(
  database: Database,
  id: SourceId,
  now: EpochMicroseconds,
  spacingMs: number,
): Promise<void> {
  const source = await readSource(database, id);
  if (source === null || source.state !== 'active') return;
  // Locks the domain before the source, as polls do. If the source is not due after all, a claim finds nothing.
  const { polledAt } = source.health;
  const afterPoll = polledAt === null ? now : addMs(polledAt, spacingMs);
  await upsertDomainDue(database, source.domain, afterPoll > now ? afterPoll : now);
  await sql`
    UPDATE newsroom.source SET due_at = least(due_at, greatest(${toTimestamptz(now)}::timestamptz,
      polled_at + ${spacingMs} * interval '1 millisecond',
      (SELECT postponed_until FROM newsroom.domain WHERE name = source.domain)))
    WHERE id = ${id} AND state = 'active' AND failures = 0`.execute(database);
}

/** Counts all sources by the verdict of `healthVerdict`, in one statement. */
export async function countSourcesByHealth(
  database: Database,
  now: EpochMicroseconds,
): Promise<ReadonlyMap<string, number>> {
  const at = sql`${toTimestamptz(now)}::timestamptz`;
  const { rows } = await sql<{ health: string; count: number }>`
    SELECT CASE
        WHEN state <> 'active' THEN state
        WHEN polled_at IS NULL THEN 'not polled yet'
        WHEN failures > 0 THEN 'failing'
        WHEN newest_entry_at < ${at} - greatest(${silentAfterMs}, ${silentAfterGaps} * usual_gap_ms) * interval '1 ms'
          THEN 'silent'
        ELSE 'well' END AS health,
      count(*)::integer AS count
    FROM newsroom.source WHERE state <> 'removed' GROUP BY 1`.execute(database);
  return new Map(rows.map(({ health, count }) => [health, count]));
}

export function sourceOf(row: Selectable<NewsroomSource>): Source {
  return {
    id: row.id as SourceId,
    name: row.name,
    owner: row.owner,
    syndicate: row.syndicate,
    firstParty: row.first_party,
    tier: row.tier as Source['tier'],
    language: row.language,
    categoryHint: row.category_hint as Source['categoryHint'],
    participation: row.participation as Source['participation'],
    allSubjects: row.all_subjects,
    holds: row.holds as Source['holds'],
    fullText: row.full_text,
    feedUrl: row.feed_url,
    homepageUrl: row.homepage_url,
    form: row.list_form as unknown as Source['form'],
    domain: row.domain,
    hub: row.hub_url === null || row.hub_topic === null ? null : { url: row.hub_url, topic: row.hub_topic },
    spacingMs: row.spacing_ms,
    sealedAuthorization: row.authorization_sealed,
    note: row.note,
    state: row.state as SourceState,
    stateReason: row.state_reason,
    health: {
      dueAt: fromTimestamptz(row.due_at),
      polledAt: fromTimestamptzOrNull(row.polled_at),
      succeededAt: fromTimestamptzOrNull(row.succeeded_at),
      outcome: row.outcome,
      failures: row.failures,
      newestEntryAt: fromTimestamptzOrNull(row.newest_entry_at),
      usualGapMs: row.usual_gap_ms === null ? null : Number(row.usual_gap_ms),
    },
  };
}
