import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';

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

export async function insertMailRequest(
  database: Database,
  request: MailRequest,
  createdAt: EpochMicroseconds,
): Promise<void> {
  await database
    .insertInto('identity.mail_request')
    .values({
      id: request.id,
      kind: request.kind,
      recipient: request.recipient,
      subject_id: request.subjectId,
      created_at: isoMicroseconds(createdAt),
    })
    .execute();
}

export async function deleteMailRequest(database: Database, id: string): Promise<void> {
  await database.deleteFrom('identity.mail_request').where('id', '=', id).execute();
}

export async function findMailRequest(database: Database, id: string): Promise<MailRequest | null> {
  const row = await database
    .selectFrom('identity.mail_request')
    .select(['id', 'kind', 'recipient', 'subject_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id as Id<'mail request'>,
    kind: row.kind as MailKind,
    recipient: row.recipient,
    subjectId: row.subject_id,
  };
}
