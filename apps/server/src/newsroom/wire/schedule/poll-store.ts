import type { Selectable } from 'kysely';

import type { Database } from '../../../foundation/database/database.ts';
import type { NewsroomSource } from '../../../foundation/database/generated/database-types.ts';
import { fromTimestamptz, toTimestamptz } from '../../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { sourceOf } from '../../sources/source-store.ts';
import type { Source, SourceId } from '../../sources/source.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import type { Validators } from '../fetch/response-headers.ts';
import { upsertDomainDue } from './domain-lease-store.ts';
import type { PollHistory, SettledPoll } from './settle-poll.ts';

/** A source as a poll needs it. */
export interface SourceToPoll {
  readonly source: Source;
  readonly validators: Validators;
  /** Of the last document whose entries were committed, in hex. */
  readonly contentHash: string | null;
  readonly isFirstImport: boolean;
  readonly history: PollHistory;
}

/** The one that has been due longest; null: none is. */
export async function readNextDue(
  database: Database,
  domain: string,
  now: EpochMicroseconds,
): Promise<{ readonly polled: SourceToPoll; readonly isLast: boolean } | null> {
  const [row, next] = await database
    .selectFrom('newsroom.source')
    .selectAll()
    .where('domain', '=', domain)
    .where('state', '=', 'active')
    .where('due_at', '<=', toTimestamptz(now))
    .orderBy('due_at')
    .limit(2)
    .execute();
  return row === undefined ? null : { polled: sourceToPollOf(row), isLast: next === undefined };
}

export async function readSourceToPoll(database: Database, id: SourceId): Promise<SourceToPoll | null> {
  const row = await database
    .selectFrom('newsroom.source')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : sourceToPollOf(row);
}

/** What an answer leaves to be sent with the next question. */
export interface AnswerToKeep {
  readonly validators: Validators;
  readonly contentHash: string | null;
  readonly homepageUrl: string | null;
  readonly newestEntryAt: EpochMicroseconds | null;
}

export async function savePoll(
  database: Database,
  source: Source,
  { history, dueAt, outcome, adoptUrl }: SettledPoll,
  now: EpochMicroseconds,
  answer: AnswerToKeep | null,
): Promise<void> {
  await database
    .updateTable('newsroom.source')
    .set({
      // Only what the poll has decided: a person may have paused it meanwhile.
      ...(history.state !== source.state && { state: history.state, state_reason: history.stateReason }),
      due_at: toTimestamptz(dueAt),
      interval_ms: bigintOrNull(history.intervalMs),
      usual_gap_ms: bigintOrNull(history.usualGapMs),
      polled_at: toTimestamptz(now),
      outcome: outcome.slice(0, 300),
      failures: history.failures,
      failing_since: textOrNull(history.failingSince),
      gone_count: history.goneCount,
      gone_since: textOrNull(history.goneSince),
      missing_since: textOrNull(history.missingSince),
      moved_to: history.movedTo,
      moved_count: history.movedCount,
      moved_since: textOrNull(history.movedSince),
      ...(answer !== null && {
        succeeded_at: toTimestamptz(now),
        etag: answer.validators.etag,
        last_modified: answer.validators.lastModified,
        ...(answer.contentHash !== null && { content_hash: Buffer.from(answer.contentHash, 'hex') }),
        ...(source.homepageUrl === null && { homepage_url: answer.homepageUrl }),
        ...(answer.newestEntryAt !== null && { newest_entry_at: toTimestamptz(answer.newestEntryAt) }),
      }),
    })
    .where('id', '=', source.id)
    .execute();
  if (adoptUrl !== null) await adoptAddress(database, source, adoptUrl, dueAt);
}

/** A host that limits us limits all that we ask of it: nothing of its domain is due before this. */
export async function postponeDomain(
  database: Database,
  domain: string,
  until: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('newsroom.source')
    .set({ due_at: toTimestamptz(until) })
    .where('domain', '=', domain)
    .where('state', '=', 'active')
    .where('due_at', '<', toTimestamptz(until))
    .execute();
}

/** Unless another source has the address already: then the two are one, and a person decides which. */
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
      failingSince: instantOrNull(row.failing_since),
      goneCount: row.gone_count,
      goneSince: instantOrNull(row.gone_since),
      missingSince: instantOrNull(row.missing_since),
      movedTo: row.moved_to,
      movedCount: row.moved_count,
      movedSince: instantOrNull(row.moved_since),
    },
  };
}

function instantOrNull(text: string | null): EpochMicroseconds | null {
  return text === null ? null : fromTimestamptz(text);
}

function textOrNull(instant: EpochMicroseconds | null): string | null {
  return instant === null ? null : toTimestamptz(instant);
}

function bigintOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(Math.round(value));
}
