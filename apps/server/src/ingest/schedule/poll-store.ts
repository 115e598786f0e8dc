import type { Selectable } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { NewsroomSource } from '../../foundation/database/generated/database-types.ts';
import {
  fromTimestamptzOrNull,
  toTimestamptz,
  toTimestamptzOrNull,
} from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import type { Validators } from '../fetch/response-headers.ts';
import { upsertDomainDue } from '../leases/domain-lease-store.ts';
import { sourceOf } from '../sources/source-store.ts';
import type { NamedHub, Source, SourceId } from '../sources/source.ts';
import type { PollHistory, SettledPoll } from './settle-poll.ts';

/** A source with the state that a poll needs. */
export interface SourceToPoll {
  readonly source: Source;
  readonly validators: Validators;
  /** Hash of the last document whose entries were committed, in hex. */
  readonly contentHash: string | null;
  readonly isFirstImport: boolean;
  readonly history: PollHistory;
}

/** The work that is due at a domain. */
export interface DueOfDomain {
  /** The source that has been due longest; null: no source is due. */
  readonly polled: SourceToPoll | null;
  readonly isLast: boolean;
  /** Whether pages of articles wait too. */
  readonly hasPages: boolean;
}

/** Reads the due work of each of these domains. */
export async function readNextDue(
  database: Database,
  domains: readonly string[],
  now: EpochMicroseconds,
): Promise<ReadonlyMap<string, DueOfDomain>> {
  if (domains.length === 0) return new Map();
  const { rows } = await sql<
    (Selectable<NewsroomSource> | Record<keyof NewsroomSource, null>) & {
      readonly claimed: string;
      readonly has_pages: boolean;
    }
  >`
    SELECT claimed.name AS claimed, due.*,
      EXISTS (SELECT FROM newsroom.entry WHERE page_domain = claimed.name) AS has_pages
    FROM unnest(${[...domains]}::text[]) AS claimed (name)
    LEFT JOIN LATERAL (
      SELECT * FROM newsroom.source
      WHERE domain = claimed.name AND state = 'active' AND due_at <= ${toTimestamptz(now)}
      ORDER BY due_at LIMIT 2) AS due ON true
    ORDER BY due.due_at`.execute(database);
  const ofDomain = ([row, next]: readonly (typeof rows)[number][]): DueOfDomain => ({
    polled: row === undefined || row.id === null ? null : sourceToPollOf(row),
    isLast: next === undefined,
    hasPages: row?.has_pages ?? false,
  });
  const grouped = Map.groupBy(rows, ({ claimed }) => claimed);
  return new Map([...grouped].map(([domain, ofOne]) => [domain, ofDomain(ofOne)]));
}

export async function readSourceToPoll(database: Database, id: SourceId): Promise<SourceToPoll | null> {
  const row = await database
    .selectFrom('newsroom.source')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : sourceToPollOf(row);
}

/** What a response changes about its source. */
export interface AnswerToStore {
  readonly validators: Validators;
  readonly contentHash: string | null;
  readonly homepageUrl: string | null;
  readonly newestEntryAt: EpochMicroseconds | null;
  /** Null: unchanged. */
  readonly hub: { readonly named: NamedHub | null } | null;
}

export async function savePoll(
  database: Database,
  source: Source,
  { history, dueAt, outcome, adoptUrl }: SettledPoll,
  now: EpochMicroseconds,
  answer: AnswerToStore | null,
): Promise<void> {
  await database
    .updateTable('newsroom.source')
    .set({
      // Only if the poll changed the state: the operator may have paused the source meanwhile.
      ...(history.state !== source.state && { state: history.state, state_reason: history.stateReason }),
      due_at: toTimestamptz(dueAt),
      interval_ms: bigintOrNull(history.intervalMs),
      usual_gap_ms: bigintOrNull(history.usualGapMs),
      polled_at: toTimestamptz(now),
      outcome: outcome.slice(0, 300),
      failures: history.failures,
      failing_since: toTimestamptzOrNull(history.failingSince),
      gone_count: history.goneCount,
      gone_since: toTimestamptzOrNull(history.goneSince),
      missing_since: toTimestamptzOrNull(history.missingSince),
      moved_to: history.movedTo,
      moved_count: history.movedCount,
      moved_since: toTimestamptzOrNull(history.movedSince),
      ...(answer !== null && {
        succeeded_at: toTimestamptz(now),
        etag: answer.validators.etag,
        last_modified: answer.validators.lastModified,
        ...(answer.contentHash !== null && { content_hash: Buffer.from(answer.contentHash, 'hex') }),
        ...(source.homepageUrl === null && { homepage_url: answer.homepageUrl }),
        ...(answer.newestEntryAt !== null && { newest_entry_at: toTimestamptz(answer.newestEntryAt) }),
        ...(answer.hub !== null && {
          hub_url: answer.hub.named?.url ?? null,
          hub_topic: answer.hub.named?.topic ?? null,
        }),
      }),
    })
    .where('id', '=', source.id)
    .execute();
  if (adoptUrl !== null) await adoptAddress(database, source, adoptUrl, dueAt);
}

/** A rate limit applies to the whole domain: none of its sources is due before this time, even after a push. */
export async function postponeDomain(
  database: Database,
  domain: string,
  until: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('newsroom.domain')
    .set({ postponed_until: toTimestamptz(until) })
    .where('name', '=', domain)
    .execute();
  await database
    .updateTable('newsroom.source')
    .set({ due_at: toTimestamptz(until) })
    .where('domain', '=', domain)
    .where('state', '=', 'active')
    .where('due_at', '<', toTimestamptz(until))
    .execute();
}

/** If another source has the address already, the outcome names it and the operator decides. */
async function adoptAddress(
  database: Database,
  source: Source,
  feedUrl: string,
  dueAt: EpochMicroseconds,
): Promise<void> {
  const domain = registrableDomain(new URL(feedUrl));
  await upsertDomainDue(database, domain, dueAt);
  const taken = await database
    .selectFrom('newsroom.source')
    .select('name')
    .where('feed_url', '=', feedUrl)
    .where('state', '<>', 'removed')
    .executeTakeFirst();
  await database
    .updateTable('newsroom.source')
    .set(
      taken === undefined
        ? { feed_url: feedUrl, domain, etag: null, last_modified: null }
        : { outcome: `moved to the address of ${taken.name}`.slice(0, 300) },
    )
    .where('id', '=', source.id)
    .execute();
}

function sourceToPollOf(row: Selectable<NewsroomSource>): SourceToPoll {
  const source = sourceOf(row);
  return {
    source,
    validators: { etag: row.etag, lastModified: row.last_modified },
    contentHash: row.content_hash?.toString('hex') ?? null,
    isFirstImport: row.imported_at === null,
    history: {
      state: source.state,
      stateReason: source.stateReason,
      intervalMs: row.interval_ms === null ? null : Number(row.interval_ms),
      usualGapMs: source.health.usualGapMs,
      failures: row.failures,
      failingSince: fromTimestamptzOrNull(row.failing_since),
      goneCount: row.gone_count,
      goneSince: fromTimestamptzOrNull(row.gone_since),
      missingSince: fromTimestamptzOrNull(row.missing_since),
      movedTo: row.moved_to,
      movedCount: row.moved_count,
      movedSince: fromTimestamptzOrNull(row.moved_since),
    },
  };
}

function bigintOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(Math.round(value));
}
