import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { MailOutcome } from '../../foundation/mail/outbox-rule.ts';
import type { OutboxLimits } from '../../foundation/mail/outbox-store.ts';
import { storeOutcome } from '../../foundation/mail/outbox-store.ts';
import type { ClaimedMail, MailClaim } from '../../foundation/mail/outbox.ts';

/** A new credential of an account. */
export type CredentialNews =
  | 'passkey_added'
  | 'provider_linked'
  | 'api_key_created'
  | 'platform_token_created'
  | 'signed_in_from_new_place';

export type MailKind =
  | CredentialNews
  | 'confirm_sign_up'
  | 'account_exists'
  | 'reset_password'
  | 'password_changed'
  | 'join_organization'
  | 'sign_in_changed'
  | 'confirm_action'
  | 'confirm_email'
  | 'email_taken'
  | 'undo_email'
  | 'deletion_requested'
  | 'deletion_cancelled'
  | 'account_deleted'
  | 'organization_deletion_requested'
  | 'organization_deletion_cancelled';

export interface MailRequest {
  readonly id: Id<'mail request'>;
  readonly kind: MailKind;
  readonly recipient: string;
  /** The sign-up, account, invitation, change of address or code of the mail; null if the address has no account. */
  readonly subjectId: string | null;
}

export type ClaimedRequest = MailRequest & ClaimedMail;

/** Codes and links of a mail that arrives twice work, or the newer ones do; a mail that never arrives locks its owner out. */
export const accountMailLimits = {
  table: 'identity.mail_request',
  sendWithinMs: 3 * dayMs,
  isRepeatable: true,
} as const satisfies OutboxLimits;

export async function insertMailRequest(
  database: Database,
  request: MailRequest,
  createdAt: EpochMicroseconds,
): Promise<void> {
  const at = isoMicroseconds(createdAt);
  await database
    .insertInto('identity.mail_request')
    .values({
      id: request.id,
      kind: request.kind,
      recipient: request.recipient,
      subject_id: request.subjectId,
      state: 'waiting',
      created_at: at,
      due_at: at,
    })
    .execute();
}

/** Puts mail that a process of an earlier release requested into the outbox, once. */
export async function moveToOutbox(database: Database, id: string, now: EpochMicroseconds): Promise<void> {
  await database
    .updateTable('identity.mail_request')
    .set({ state: 'waiting', due_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .where('state', 'is', null)
    .execute();
}

export async function claimMailRequest(
  database: Database,
  { epoch, now }: MailClaim,
): Promise<ClaimedRequest | null> {
  const { rows } = await sql<ClaimedRequest>`
    UPDATE identity.mail_request SET state = 'sending', claimed_by = ${epoch}
    WHERE id = (
      SELECT id FROM identity.mail_request WHERE state = 'waiting' AND due_at <= ${isoMicroseconds(now)}
      ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, recipient, subject_id AS "subjectId", attempts`.execute(database);
  return rows[0] ?? null;
}

export async function settleMailRequest(
  database: Database,
  request: ClaimedRequest,
  outcome: MailOutcome,
): Promise<void> {
  // The account is deleted, so its address is stored only until the mail is sent.
  if (request.kind === 'account_deleted' && outcome.state === 'sent')
    await database.deleteFrom('identity.mail_request').where('id', '=', request.id).execute();
  else await storeOutcome(database, accountMailLimits, request, outcome);
}
