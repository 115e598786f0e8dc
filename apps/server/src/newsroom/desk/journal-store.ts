import { randomBytes } from 'node:crypto';

import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type {
  JournalAction,
  JournalActor,
  JournalDetail,
  JournalEntry,
  JournalSubject,
  SubjectState,
} from './journal.ts';

export interface NewJournalEntry {
  readonly at: EpochMicroseconds;
  readonly action: JournalAction;
  readonly subject: JournalSubject;
  readonly actor: JournalActor;
  readonly requestId: string | null;
  /** Of the content of the form. */
  readonly requestHash: string | null;
  readonly undoes: string | null;
  readonly detail: JournalDetail;
  readonly reason: string | null;
  readonly before: SubjectState | null;
  readonly after: SubjectState | null;
  /** The items that the words are about. */
  readonly itemIds: readonly string[];
}

/**
 * Null for a new request. A concurrent request with the same id waits here until this one commits, before either locks
 * anything else. `reused`: the earlier one was another form, or had other content; unknown if its words were erased.
 */
export async function claimRequest(
  transaction: Transaction<DB>,
  requestId: string,
  { action, subject, requestHash }: Pick<NewJournalEntry, 'action' | 'subject' | 'requestHash'>,
): Promise<'repeated' | 'reused' | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`desk ${requestId}`}, 0))`.execute(transaction);
  const { rows } = await sql<{ same: boolean }>`
    SELECT entry.action = ${action} AND (entry.subject = ${subject.id} OR entry.action = 'add-source')
      AND coalesce(sent.words = ${requestHash}::text, true) AS same
    FROM newsroom.journal_entry AS entry LEFT JOIN newsroom.journal_words AS sent ON sent.hash = entry.request_hash
    WHERE entry.request_id = ${requestId}`.execute(transaction);
  const [earlier] = rows;
  if (earlier === undefined) return null;
  return earlier.same ? 'repeated' : 'reused';
}

export async function insertJournalEntry(
  transaction: Transaction<DB>,
  entry: NewJournalEntry,
): Promise<void> {
  const { actor, subject, itemIds } = entry;
  const reason = saltedWords(entry.reason);
  const before = saltedWords(entry.before && JSON.stringify(entry.before));
  const after = saltedWords(entry.after && JSON.stringify(entry.after));
  const sent = saltedWords(entry.requestHash);
  const words = [reason, before, after, sent].filter((part) => part !== null);
  await sql`
    WITH words AS (
      INSERT INTO newsroom.journal_words (hash, salt, words, item_ids)
      SELECT hash, salt, words, ${[...itemIds]}::uuid[] FROM unnest(
        ${words.map(({ hash }) => hash)}::bytea[], ${words.map(({ salt }) => salt)}::bytea[],
        ${words.map(({ text }) => text)}::text[]) AS part (hash, salt, words))
    INSERT INTO newsroom.journal_entry (at, action, subject_kind, subject, decided_by, account_id, rule, request_id,
      undoes, detail, reason_hash, before_hash, after_hash, request_hash)
    VALUES (${toTimestamptz(entry.at)}, ${entry.action}, ${subject.kind}, ${subject.id}, ${actor.kind},
      ${actor.kind === 'person' ? actor.accountId : null}, ${actor.kind === 'rule' ? actor.rule : null},
      ${entry.requestId}, ${entry.undoes}::bigint, ${JSON.stringify(entry.detail)}::jsonb, ${reason?.hash ?? null},
      ${before?.hash ?? null}, ${after?.hash ?? null}, ${sent?.hash ?? null})`.execute(transaction);
}

interface SaltedWords {
  readonly hash: Buffer;
  readonly salt: Buffer;
  readonly text: string;
}

function saltedWords(text: string | null): SaltedWords | null {
  if (text === null) return null;
  const salt = randomBytes(16);
  return { hash: sha256Bytes(Buffer.concat([salt, Buffer.from(text)])), salt, text };
}

interface EntryRow {
  readonly id: string;
  readonly at: string;
  readonly action: JournalAction;
  readonly subject_kind: JournalSubject['kind'];
  readonly subject: string;
  readonly decided_by: JournalActor['kind'];
  readonly name: string | null;
  readonly rule: string | null;
  readonly detail: Readonly<Record<string, JsonValue>>;
  readonly reason: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly is_erased: boolean;
  readonly undoes: string | null;
  readonly undone_by: string | null;
  readonly undone_by_request: string | null;
}

const entryQuery = sql`
  SELECT entry.id::text, entry.at, entry.action, entry.subject_kind, entry.subject, entry.decided_by, account.name,
    entry.rule, entry.detail, reason.words AS reason, before.words AS before, after.words AS after,
    coalesce(reason.words IS NULL AND reason.hash IS NOT NULL OR before.words IS NULL AND before.hash IS NOT NULL
      OR after.words IS NULL AND after.hash IS NOT NULL, false) AS is_erased,
    entry.undoes::text, undo.id::text AS undone_by, undo.request_id::text AS undone_by_request
  FROM newsroom.journal_entry AS entry
  LEFT JOIN identity.account ON account.id = entry.account_id
  LEFT JOIN newsroom.journal_words AS reason ON reason.hash = entry.reason_hash
  LEFT JOIN newsroom.journal_words AS before ON before.hash = entry.before_hash
  LEFT JOIN newsroom.journal_words AS after ON after.hash = entry.after_hash
  LEFT JOIN newsroom.journal_entry AS undo ON undo.undoes = entry.id`;

/** Newest first; of one subject, or of all. */
export async function listJournal(
  database: Database,
  {
    subject,
    accountId,
    before,
    countMax,
  }: {
    readonly subject?: string;
    /** Decisions of one person. */
    readonly accountId?: string;
    readonly before?: string;
    readonly countMax: number;
  },
): Promise<readonly JournalEntry[]> {
  const { rows } = await sql<EntryRow>`${entryQuery}
    WHERE (${subject ?? null}::text IS NULL OR entry.subject = ${subject ?? null})
      AND (${accountId ?? null}::uuid IS NULL OR entry.account_id = ${accountId ?? null}::uuid)
      AND (${before ?? null}::bigint IS NULL OR entry.id < ${before ?? null}::bigint)
    ORDER BY entry.id DESC LIMIT ${countMax}`.execute(database);
  return rows.map(entryOf);
}

export async function readJournalEntry(database: Database, id: string): Promise<JournalEntry | null> {
  const { rows } = await sql<EntryRow>`${entryQuery} WHERE entry.id = ${id}::bigint`.execute(database);
  return rows[0] === undefined ? null : entryOf(rows[0]);
}

function entryOf(row: EntryRow): JournalEntry {
  const state = (words: string | null): SubjectState | null =>
    words === null ? null : (JSON.parse(words) as SubjectState);
  return {
    id: row.id,
    at: fromTimestamptz(row.at),
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject },
    actor: actorOf(row),
    detail: row.detail,
    reason: row.reason,
    before: state(row.before),
    after: state(row.after),
    isErased: row.is_erased,
    undoes: row.undoes,
    undoneBy: row.undone_by,
    undoneByRequest: row.undone_by_request,
  };
}

function actorOf({ decided_by, name, rule }: EntryRow): JournalEntry['actor'] {
  if (decided_by === 'person') return { kind: 'person', name };
  return decided_by === 'rule' ? { kind: 'rule', rule: rule ?? '' } : { kind: 'operator' };
}

/** Later decisions that an undo of an entry would undo as well. */
export interface LaterDecisions {
  /** Of the entry that would be undone. */
  readonly id: string;
  readonly subjects: readonly string[];
  /** And stories that are merged into these now. */
  readonly mergedInto?: readonly string[];
  /** And the items of the reading groups of these items. */
  readonly groupsOf?: readonly string[];
  /** And items that are in these stories now. */
  readonly itemsOf?: readonly string[];
  /** And the stories that these items are in now. */
  readonly storiesOf?: readonly string[];
  readonly actions: readonly JournalAction[];
  /** Only those that have one of these values in this detail. */
  readonly overlap?: {
    readonly detail: 'changed' | 'cites' | 'items' | 'retitled';
    readonly values: readonly string[];
  };
}

/**
 * The entries after which a person decided the same again. A decision counts unless it is undone; one whose undo is
 * undone counts.
 */
export async function findOverruled(
  database: Database | Transaction<DB>,
  targets: readonly LaterDecisions[],
): Promise<ReadonlySet<string>> {
  if (targets.length === 0) return new Set();
  const wanted = targets.map(
    ({ id, subjects, mergedInto = [], groupsOf = [], itemsOf = [], storiesOf = [], actions, overlap }) => ({
      id,
      subjects,
      merged_into: mergedInto,
      groups_of: groupsOf,
      items_of: itemsOf,
      stories_of: storiesOf,
      actions,
      key: overlap?.detail ?? null,
      values: overlap?.values ?? null,
    }),
  );
  const { rows } = await sql<{ id: string }>`
    SELECT wanted.id::text FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      AS wanted (
        id bigint, subjects text[], merged_into uuid[], groups_of uuid[], items_of uuid[], stories_of uuid[], actions text[], key text, values text[])
    CROSS JOIN LATERAL (
      SELECT wanted.subjects || ARRAY(
        SELECT id::text FROM record.story WHERE merged_into = ANY (wanted.merged_into)
        UNION ALL
        SELECT mate.id::text FROM record.item AS own JOIN record.item AS mate ON mate.group_id = own.group_id
          WHERE own.id = ANY (wanted.groups_of)
        UNION ALL
        SELECT id::text FROM record.item WHERE story_id = ANY (wanted.items_of)
        UNION ALL
        SELECT story_id::text FROM record.item WHERE id = ANY (wanted.stories_of)) AS ids) AS subject
    WHERE EXISTS (
      SELECT FROM newsroom.journal_entry AS later
      WHERE later.subject = ANY (subject.ids) AND later.id > wanted.id AND later.action = ANY (wanted.actions)
        AND later.decided_by <> 'rule' AND later.undoes IS NULL
        AND (wanted.key IS NULL OR later.detail -> wanted.key ?| wanted.values)
        AND (WITH RECURSIVE chain AS (
            SELECT later.id, 0 AS undone
            UNION ALL
            SELECT undo.id, chain.undone + 1 FROM chain JOIN newsroom.journal_entry AS undo ON undo.undoes = chain.id)
          SELECT max(undone) % 2 = 0 FROM chain))`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
