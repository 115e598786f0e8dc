import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import {
  fromTimestamptz,
  toTimestamptz,
  toTimestamptzOrNull,
} from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readRepeatedBlocks, withoutBlocks } from '../../ingest/boilerplate/index.ts';
import { hasParts, sharedTitleEnds } from '../../ingest/extract/index.ts';
import type { EntryId, Source } from '../../ingest/index.ts';
import type { ItemCopy } from '../copy/writer.ts';
import type { EntryEdit } from './entry-edit-store.ts';
import { editOfEntry } from './entry-edit-store.ts';
import { isHeldByEditor } from './entry-hold-store.ts';

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
  /** Whether its publisher has withdrawn it. */
  readonly isWithdrawn: boolean;
  readonly source: Pick<
    Source,
    | 'id'
    | 'name'
    | 'owner'
    | 'syndicate'
    | 'firstParty'
    | 'tier'
    | 'language'
    | 'categoryHint'
    | 'participation'
    | 'allSubjects'
    | 'holds'
  >;
  /** Names at the end of the source's recent titles, which are not part of a headline. */
  readonly titleEnds: readonly string[];
  /** An operator retried it after it was declined: its subject is not checked again. */
  readonly subjectAccepted: boolean;
  /** Texts that look like instructions to machines and that an editor accepted. */
  readonly acceptedTexts: readonly string[];
  /** The model's text for this revision; null if it must be written by rule. */
  readonly copy: ItemCopy | null;
  /** What editors decided about it before its publication. */
  readonly edit: EntryEdit | null;
}

/** The condition of the partial index `entry_unpublished`. */
const isUnpublished = sql<boolean>`
  entry.shown_revision IS DISTINCT FROM entry.revision AND entry.outcome IS NULL AND entry.page_domain IS NULL`;

/** Withdrawals first, then news, then entries of a source's first import; each in the order of arrival. */
const turn = sql`
  CASE WHEN entry.withdrawn_at IS NOT NULL THEN 0
    WHEN entry.first_import AND entry.shown_revision IS NULL THEN 2 ELSE 1 END`;

export interface UnpublishedQuery {
  readonly countMax: number;
  /** An entry from a process whose clock is ahead of ours waits until its time. */
  readonly now: EpochMicroseconds;
  /** Entries already in progress. */
  readonly except: readonly EntryId[];
  /** Entries for a model wait until they were handed over before this time. Null: all are written by rule. */
  readonly handedOverBefore: EpochMicroseconds | null;
}

/** Entries whose newest revision is not shown and may be published, in order. */
export async function readUnpublished(
  database: Database,
  { countMax, now, except, handedOverBefore }: UnpublishedQuery,
): Promise<readonly EntryToPublish[]> {
  const { rows } = await sql<EntryRow>`
    SELECT ${entryColumns}, written.copy, ${editOfEntry} AS edit FROM newsroom.entry AS entry
    JOIN newsroom.source AS source ON source.id = entry.source_id
    LEFT JOIN newsroom.entry_copy AS written ON written.entry_id = entry.id AND written.revision = entry.revision
    WHERE ${isUnpublished} AND NOT ${isHeldByEditor} AND entry.discovered_at <= ${toTimestamptz(now)}
      AND entry.id <> ALL(${[...except]}::uuid[])
      AND (${handedOverBefore === null} OR written.copy IS NOT NULL OR entry.withdrawn_at IS NOT NULL
        OR written.handed_at < ${toTimestamptzOrNull(handedOverBefore)})
    ORDER BY ${turn}, entry.id LIMIT ${countMax}`.execute(database);
  return withSourceHabits(database, rows);
}

const recentTitlesMax = 30;

/** With the names at the end of the source's titles, and without the paragraphs that the source repeats. */
async function withSourceHabits(
  database: Database | Transaction<DB>,
  rows: readonly EntryRow[],
): Promise<readonly EntryToPublish[]> {
  const repeated = await readRepeatedBlocks(
    database,
    rows.map((row) => row.source_id),
  );
  const ends = await readTitleEnds(database, rows);
  return rows.map((row) => ({
    ...entryOf(row, ends.get(row.source_id) ?? []),
    text: withoutBlocks(row.text, repeated.get(row.source_id) ?? new Set()),
  }));
}

async function readTitleEnds(
  database: Database | Transaction<DB>,
  rows: readonly EntryRow[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sources = new Set(rows.filter(({ title }) => hasParts(title)).map((row) => row.source_id));
  if (sources.size === 0) return new Map();
  const { rows: recent } = await sql<{ source_id: string; titles: readonly string[] }>`
    SELECT source_id, array_agg(title) AS titles FROM unnest(${[...sources]}::uuid[]) AS source (source_id)
    CROSS JOIN LATERAL (SELECT title FROM newsroom.entry WHERE entry.source_id = source.source_id
      ORDER BY discovered_at DESC LIMIT ${recentTitlesMax}) AS recent
    GROUP BY source_id`.execute(database);
  return new Map(recent.map((one) => [one.source_id, sharedTitleEnds(one.titles)]));
}

/** The state of an entry under its lock. */
export interface LockedEntry {
  readonly id: EntryId;
  readonly revision: number;
  /** Whether it has an item, withdrawn or not. */
  readonly isPublished: boolean;
}

/** Entries that are still unpublished. Skips those that another transaction changes: they are read again. */
export async function lockUnpublished(
  transaction: Transaction<DB>,
  ids: readonly EntryId[],
): Promise<ReadonlyMap<EntryId, LockedEntry>> {
  const { rows } = await sql<LockedEntry>`${preparedAs('lock-unpublished')}
    SELECT entry.id, entry.revision,
      EXISTS (SELECT FROM record.item WHERE item.id = entry.id) AS "isPublished"
    FROM newsroom.entry AS entry WHERE entry.id = ANY(${[...ids]}::uuid[]) AND ${isUnpublished}
      AND NOT ${isHeldByEditor}
    ORDER BY entry.id FOR UPDATE OF entry SKIP LOCKED`.execute(transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Marks their newest revision as shown and deletes the model's text for it. */
export async function markShown(transaction: Transaction<DB>, ids: readonly EntryId[]): Promise<void> {
  await sql`${preparedAs('mark-shown')}
    WITH used AS (DELETE FROM newsroom.entry_copy WHERE entry_id = ANY(${[...ids]}::uuid[]))
    UPDATE newsroom.entry SET shown_revision = revision WHERE id = ANY(${[...ids]}::uuid[])`.execute(
    transaction,
  );
}

export type EntryOutcome = 'declined' | 'held' | 'failed';

/** Blocks publication of an entry until an edit, a request of an operator, or another release. */
export async function recordOutcome(
  database: Database,
  entry: Pick<EntryToPublish, 'id' | 'revision'>,
  outcome: {
    readonly outcome: EntryOutcome;
    readonly reason: string;
    readonly at: EpochMicroseconds;
    readonly release: string | null;
  },
): Promise<void> {
  await database
    .updateTable('newsroom.entry')
    .set({
      outcome: outcome.outcome,
      outcome_reason: outcome.reason,
      outcome_at: toTimestamptz(outcome.at),
      outcome_release: outcome.release,
    })
    .where('id', '=', entry.id)
    .where('revision', '=', entry.revision)
    .execute();
}

const noOutcome = { outcome: null, outcome_reason: null, outcome_at: null, outcome_release: null };

/** Retries entries that failed under another release; returns their number. */
export async function retryFailedByOthers(database: Database, release: string): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('newsroom.entry')
    .set(noOutcome)
    .where('outcome', '=', 'failed')
    .where((where) => sql<boolean>`${where.ref('outcome_release')} IS DISTINCT FROM ${release}`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Retries one entry, or all with this outcome; a declined one is accepted, one that a person holds stays. Returns their number. */
export async function retryEntries(
  database: Database,
  which: { readonly id: EntryId } | { readonly outcome: EntryOutcome },
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('newsroom.entry')
    .set({ ...noOutcome, subject_accepted: sql`subject_accepted OR outcome = 'declined'` })
    .where('outcome', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('newsroom.entry_hold as hold')
            .select('hold.entry_id')
            .whereRef('hold.entry_id', '=', 'newsroom.entry.id'),
        ),
      ),
    )
    .$if('id' in which, (query) => query.where('id', '=', 'id' in which ? which.id : ''))
    .$if('outcome' in which, (query) => query.where('outcome', '=', 'outcome' in which ? which.outcome : ''))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Entries of a reading group with selectable items that are not withdrawn, best sources first, limited. */
export async function readStandingEntries(
  transaction: Transaction<DB>,
  groupId: Id<'reading-group'>,
  countMax: number,
): Promise<readonly EntryToPublish[]> {
  const { rows } = await sql<EntryRow>`
    SELECT ${entryColumns}, NULL AS copy, NULL AS edit FROM newsroom.entry AS entry
    JOIN newsroom.source AS source ON source.id = entry.source_id
    JOIN record.item ON item.id = entry.id
    WHERE item.group_id = ${groupId} AND item.withdrawn_at IS NULL AND entry.withdrawn_at IS NULL
      AND source.participation = 'editorial'
      AND NOT EXISTS (SELECT FROM newsroom.item_override AS override
        WHERE override.item_id = entry.id AND override.selection = 'unselected')
    ORDER BY source.first_party DESC, source.tier, entry.discovered_at, entry.id LIMIT ${countMax}`.execute(
    transaction,
  );
  return withSourceHabits(transaction, rows);
}

/** Null if it does not exist. */
export async function readPublishedEntry(
  transaction: Transaction<DB>,
  id: EntryId,
): Promise<EntryToPublish | null> {
  const { rows } = await sql<EntryRow>`
    SELECT ${entryColumns}, NULL AS copy, NULL AS edit FROM newsroom.entry AS entry
    JOIN newsroom.source AS source ON source.id = entry.source_id
    WHERE entry.id = ${id}`.execute(transaction);
  return (await withSourceHabits(transaction, rows))[0] ?? null;
}

const entryColumns = sql`
  entry.id, entry.url, entry.title, entry.text, entry.language, entry.published_at, entry.discovered_at,
  entry.first_import, entry.revision, entry.withdrawn_at IS NOT NULL AS is_withdrawn, entry.subject_accepted,
  entry.source_id, (
    SELECT review.removed FROM newsroom.entry_review AS review
    WHERE review.entry_id = entry.id AND review.decision = 'accepted') AS accepted_texts,
  source.name, source.owner, source.syndicate, source.first_party, source.tier, source.language AS source_language,
  source.category_hint, source.participation, source.all_subjects, source.holds`;

interface EntryRow {
  readonly id: EntryId;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly published_at: string | null;
  readonly discovered_at: string;
  readonly first_import: boolean;
  readonly revision: number;
  readonly is_withdrawn: boolean;
  readonly subject_accepted: boolean;
  readonly accepted_texts: readonly string[] | null;
  readonly source_id: Source['id'];
  readonly name: string;
  readonly owner: string;
  readonly syndicate: string | null;
  readonly first_party: boolean;
  readonly tier: Source['tier'];
  readonly source_language: string | null;
  readonly category_hint: Source['categoryHint'];
  readonly participation: Source['participation'];
  readonly all_subjects: boolean;
  readonly holds: Source['holds'];
  readonly copy: ItemCopy | null;
  readonly edit: EntryEdit | null;
}

function entryOf(row: EntryRow, titleEnds: readonly string[]): EntryToPublish {
  return {
    id: row.id,
    url: row.url,
    title: row.title,
    text: row.text,
    language: row.language,
    publishedAt: row.published_at === null ? null : fromTimestamptz(row.published_at),
    discoveredAt: fromTimestamptz(row.discovered_at),
    firstImport: row.first_import,
    revision: row.revision,
    isWithdrawn: row.is_withdrawn,
    subjectAccepted: row.subject_accepted,
    acceptedTexts: row.accepted_texts ?? [],
    source: {
      id: row.source_id,
      name: row.name,
      owner: row.owner,
      syndicate: row.syndicate,
      firstParty: row.first_party,
      tier: row.tier,
      language: row.source_language,
      categoryHint: row.category_hint,
      participation: row.participation,
      allSubjects: row.all_subjects,
      holds: row.holds,
    },
    titleEnds,
    copy: row.copy,
    edit: row.edit,
  };
}
