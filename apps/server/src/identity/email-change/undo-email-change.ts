import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount, removePasswordHash } from '../accounts/account-store.ts';
import type { Client } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { endCredentials, suspectSince } from '../credentials/credential-kind.ts';
import { invalidLink } from '../identity-problems.ts';
import { findMailedToken, useMailedToken, voidMailedTokens } from '../mail/mailed-token-store.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { lockOrganizationsOf } from '../organizations/organization-store.ts';
import { replaceEmail } from './change-email.ts';
import { findConfirmedEmailChange, listLaterEmailChanges } from './email-change-store.ts';

export const emailRestored = defineAuditKind(
  'email_restored',
  'The e-mail address change was undone, and all access was revoked.',
);

export interface UndoEmailDeps extends RequestMailDeps {
  readonly database: Database;
  readonly credentialKinds: readonly CredentialKind[];
}

/** The address that the link would restore; null if the link is no longer valid. */
export async function readUndoLink(
  { database, clock }: Pick<UndoEmailDeps, 'database' | 'clock'>,
  token: string,
): Promise<string | null> {
  const id = await findMailedToken(database, 'undo_email', token, clock.now());
  const change = id === null ? null : await findConfirmedEmailChange(database, id);
  return change?.replaced.written ?? null;
}

/**
 * For owners who lost the account to a person who knew the password. Restores the previous address, ends all
 * credentials, and sends a password reset link to that address.
 */
export async function undoEmailChange(
  deps: UndoEmailDeps,
  { token, client }: { readonly token: string; readonly client: Client },
): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    const now = deps.clock.now();
    const id = await findMailedToken(transaction, 'undo_email', token, now);
    const change = id === null ? null : await findConfirmedEmailChange(transaction, id);
    // Organizations, the account, the link: in the order in which other use cases lock them.
    const organizationIds = change === null ? [] : await lockOrganizationsOf(transaction, change.accountId);
    if (change !== null) await lockAccount(transaction, change.accountId);
    if (change === null || (await useMailedToken(transaction, 'undo_email', token, now)) === null)
      throw new ProblemError(invalidLink, 'The link has expired or was already used.');
    const { accountId, replaced } = change;
    await removePasswordHash(transaction, accountId);
    await endCredentials(transaction, deps, {
      accountId,
      organizationIds,
      event: 'email_undo',
      client,
      keep: null,
      only: null,
      suspectSince: suspectSince(now, change.createdAt),
    });
    for (const later of [change.id, ...(await listLaterEmailChanges(transaction, change))])
      await voidMailedTokens(transaction, 'undo_email', later, now);
    await voidMailedTokens(transaction, 'reset_password', accountId, now);
    await replaceEmail(transaction, accountId, replaced);
    const kind = emailRestored;
    await recordAuditEvent(transaction, deps.ids, { kind, at: now, accountId, client });
    await requestMail(transaction, deps, {
      kind: 'reset_password',
      recipient: replaced.written,
      subjectId: accountId,
    });
  });
}
