import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { MailOutcome, UndeliveredReason } from '../../foundation/mail/outbox-rule.ts';
import type { OutboxLimits } from '../../foundation/mail/outbox-store.ts';
import { storeOutcome } from '../../foundation/mail/outbox-store.ts';
import type { ClaimedMail, MailClaim } from '../../foundation/mail/outbox.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import type { accounts } from '../../identity/index.ts';
import type { MailFrequency } from '../searches/saved-search.ts';

export type SentFrequency = Exclude<MailFrequency, 'never'>;

export interface MailPeriod {
  readonly frequency: SentFrequency;
  readonly period: string;
}

/** As for reports: mail that arrives twice is worse than one that is listed as undelivered. */
export const watchMailLimits = {
  table: 'watch.mail',
  sendWithinMs: dayMs,
  isRepeatable: false,
} as const satisfies OutboxLimits;

/** Periods that are known stay as they are. */
export async function insertMailPeriods(
  database: Database,
  periods: readonly MailPeriod[],
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    INSERT INTO watch.mail_period (frequency, period, found_at)
    SELECT frequency, period, ${toTimestamptz(now)}
    FROM unnest(
      ${periods.map(({ frequency }) => frequency)}::text[], ${periods.map(({ period }) => period)}::text[])
      AS due (frequency, period)
    ON CONFLICT DO NOTHING`.execute(database);
}

/**
 * Inserts the mails of the next accounts of a period, with all matches that wait for one; false if no period is open. The
 * position commits with them, so a crash causes no duplicates and no omissions.
 */
export async function insertNextMails(
  database: Database,
  accountsMax: number,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { rows } = await sql<MailPeriod & { through: string | null }>`
    SELECT frequency, period, through_account AS through FROM watch.mail_period
    WHERE completed_at IS NULL ORDER BY found_at, frequency LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(database);
  const [open] = rows;
  if (open === undefined) return false;
  const { frequency, period, through } = open;
  const { rows: batch } = await sql<{ account_id: string }>`
    SELECT DISTINCT account_id FROM watch.saved_search
    WHERE mail = ${frequency} AND (${through}::uuid IS NULL OR account_id > ${through}::uuid)
    ORDER BY account_id LIMIT ${accountsMax}`.execute(database);
  await insertMails(
    database,
    open,
    batch.map((row) => row.account_id),
    now,
  );
  await sql`
    UPDATE watch.mail_period
    SET through_account = coalesce(${batch.at(-1)?.account_id ?? null}, through_account),
      completed_at = ${batch.length < accountsMax ? toTimestamptz(now) : null}
    WHERE frequency = ${frequency} AND period = ${period}`.execute(database);
  return true;
}

async function insertMails(
  database: Database,
  { frequency, period }: MailPeriod,
  accountIds: readonly string[],
  now: EpochMicroseconds,
): Promise<void> {
  const at = toTimestamptz(now);
  await sql`
    WITH pending AS (
      SELECT search.account_id, match.search_id, match.item_id FROM watch.saved_search AS search
      JOIN watch.match ON match.search_id = search.id
      WHERE search.account_id = ANY (${[...accountIds]}::uuid[]) AND search.mail = ${frequency}
        AND match.is_to_mail AND match.mail_id IS NULL AND match.awaits_sources IS NULL
    ), made AS (
      INSERT INTO watch.mail (id, account_id, frequency, period, state, created_at, due_at)
      SELECT gen_random_uuid(), account_id, ${frequency}, ${period}, 'waiting', ${at}, ${at}
      FROM (SELECT DISTINCT account_id FROM pending) AS receiver
      ON CONFLICT DO NOTHING RETURNING id, account_id
    )
    UPDATE watch.match SET mail_id = made.id
    FROM pending JOIN made USING (account_id)
    WHERE match.search_id = pending.search_id AND match.item_id = pending.item_id`.execute(database);
}

/**
 * Cancels mail that its account ended before it was sent. What it would have contained of searches that have mail at another
 * frequency now waits for that mail.
 */
export async function cancelEndedMail(database: Database, now: EpochMicroseconds): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    UPDATE watch.mail SET state = 'cancelled', settled_at = ${toTimestamptz(now)}
    WHERE state = 'waiting' AND NOT ${isWanted} RETURNING id`.execute(database);
  await moveToOtherFrequency(
    database,
    rows.map(({ id }) => id),
  );
}

async function moveToOtherFrequency(database: Database, cancelledMails: readonly string[]): Promise<void> {
  if (cancelledMails.length === 0) return;
  await sql`
    UPDATE watch.match SET mail_id = NULL FROM watch.mail, watch.saved_search AS search
    WHERE mail.id = ANY (${[...cancelledMails]}::uuid[]) AND match.mail_id = mail.id AND match.is_to_mail
      AND search.id = match.search_id AND search.mail NOT IN ('never', mail.frequency)`.execute(database);
}

/** The account still has a search with this mail, and is not about to be deleted. */
const isWanted = sql`(
  EXISTS (SELECT FROM watch.saved_search AS wanting
    WHERE wanting.account_id = mail.account_id AND wanting.mail = mail.frequency)
  AND NOT EXISTS (SELECT FROM identity.account_deletion AS deletion WHERE deletion.account_id = mail.account_id))`;

export interface ClaimedWatchMail extends ClaimedMail {
  readonly accountId: accounts.AccountId;
  readonly frequency: SentFrequency;
  readonly email: string;
  readonly wording: ReaderLanguage;
  /** The secret of the link in the mail. */
  readonly token: string;
}

/**
 * Claims the next mail that is due. A search that asks for it is locked as well: unsubscribing takes effect before or
 * after, and not in between.
 */
export async function claimWatchMail(
  database: Database,
  { epoch, now }: MailClaim,
): Promise<ClaimedWatchMail | null> {
  const token = createSecretToken();
  const { rows } = await sql<Omit<ClaimedWatchMail, 'token'>>`
    WITH next AS (
      SELECT mail.id, account.email, search.wording FROM watch.mail
      JOIN identity.account ON account.id = mail.account_id
      JOIN LATERAL (
        SELECT wording FROM watch.saved_search AS wanting
        WHERE wanting.account_id = mail.account_id AND wanting.mail = mail.frequency
        ORDER BY wanting.updated_at DESC LIMIT 1 FOR SHARE
      ) AS search ON true
      WHERE mail.state = 'waiting' AND mail.due_at <= ${toTimestamptz(now)} AND ${isWanted}
      ORDER BY mail.due_at, mail.id LIMIT 1 FOR UPDATE OF mail SKIP LOCKED)
    UPDATE watch.mail SET state = 'sending', claimed_by = ${epoch}, token_hash = ${secretTokenHash(token)}
    FROM next WHERE mail.id = next.id
    RETURNING mail.id, mail.account_id AS "accountId", mail.frequency, mail.attempts, next.email, next.wording`.execute(
    database,
  );
  return rows[0] === undefined ? null : { ...rows[0], token };
}

/** Cancels mail that would be retried if it was ended meanwhile. */
export async function settleWatchMail(
  database: Database,
  mail: ClaimedWatchMail,
  outcome: MailOutcome,
): Promise<void> {
  const { rows } = await sql<{ wanted: boolean }>`
    SELECT ${isWanted} AS wanted FROM watch.mail WHERE id = ${mail.id}`.execute(database);
  const isCancelled = outcome.state === 'waiting' && rows[0]?.wanted !== true;
  const stored: MailOutcome = isCancelled ? { state: 'cancelled', at: outcome.at } : outcome;
  await storeOutcome(database, watchMailLimits, mail, stored);
  if (isCancelled) await moveToOtherFrequency(database, [mail.id]);
}

export interface MailedMatch {
  readonly searchId: string;
  /** Of the search. */
  readonly name: string;
  /** Of the item. */
  readonly id: Id<'item'>;
}

/** The matches of a mail, by search and newest first, without those of searches whose mail ended meanwhile. */
export async function selectMailedMatches(
  database: Database,
  mailId: string,
): Promise<readonly MailedMatch[]> {
  const { rows } = await sql<MailedMatch>`
    SELECT search.id AS "searchId", search.name, match.item_id AS id
    FROM watch.match JOIN watch.saved_search AS search ON search.id = match.search_id
    WHERE match.mail_id = ${mailId} AND match.is_to_mail AND search.mail <> 'never'
    ORDER BY search.created_at, search.id, match.matched_at DESC, match.item_id DESC`.execute(database);
  return rows;
}

export interface MailLink {
  readonly accountId: accounts.AccountId;
  readonly frequency: SentFrequency;
  /** Whether a search of the account still has this mail. */
  readonly isWanted: boolean;
}

/** Whose mail contained this secret; null for an unknown one. */
export async function findMailByToken(database: Database, token: string): Promise<MailLink | null> {
  const { rows } = await sql<MailLink>`
    SELECT account_id AS "accountId", frequency, ${isWanted} AS "isWanted" FROM watch.mail
    WHERE token_hash = ${secretTokenHash(token)}`.execute(database);
  return rows[0] ?? null;
}

export interface UndeliveredWatchMail extends MailPeriod {
  readonly settledAt: string;
  readonly reason: UndeliveredReason;
  readonly email: string;
}

/** Newest first. */
export async function readUndeliveredWatchMail(
  database: Database,
  rowsMax: number,
): Promise<readonly UndeliveredWatchMail[]> {
  const { rows } = await sql<UndeliveredWatchMail>`
    SELECT mail.settled_at AS "settledAt", mail.frequency, mail.period, mail.reason, account.email
    FROM watch.mail JOIN identity.account ON account.id = mail.account_id
    WHERE mail.state = 'undelivered' ORDER BY mail.settled_at DESC, mail.id LIMIT ${rowsMax}`.execute(
    database,
  );
  return rows;
}

/** Links to unsubscribe work this long: people open old mail too. */
const linksWorkMs = 400 * dayMs;
const periodsKeptMs = 30 * dayMs;

export async function removeOldMail(database: Database, now: EpochMicroseconds): Promise<number> {
  const [mails, periods] = [linksWorkMs, periodsKeptMs].map((ms) => toTimestamptz(addMs(now, -ms)));
  await sql`DELETE FROM watch.mail_period WHERE completed_at < ${periods}`.execute(database);
  return deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM watch.mail WHERE id IN (
        SELECT id FROM watch.mail WHERE created_at < ${mails} LIMIT ${rows} FOR UPDATE SKIP LOCKED)`.execute(
      database,
    );
    return Number(numAffectedRows);
  });
}
