import type { Database } from '../../foundation/database/database.ts';
import { invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord, readAccountEmail, updatePasswordHash } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { emailHash, parseEmailAddress } from '../accounts/email-address.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import type { RecipientDeps } from '../mail/mail-limits.ts';
import { admitRecipient } from '../mail/mail-limits.ts';
import type { RequestMailDeps } from '../mail/mail-workflow.ts';
import { requestMail } from '../mail/mail-workflow.ts';
import { findMailedToken, useMailedToken, voidMailedTokens } from '../mail/mailed-token-store.ts';
import { revokeSessions } from '../sessions/revoke-session.ts';
import type { SessionId } from '../sessions/session.ts';
import { checkPassword } from '../sign-in/check-password.ts';
import { clearPasswordAttempts } from '../sign-in/password-attempt-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { requireGoodPassword } from './password-rule.ts';

export interface PasswordDeps extends RequestMailDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
}

/** Does the same work for an address that nobody has, and says the same. */
export async function requestPasswordReset(
  deps: PasswordDeps & RecipientDeps,
  request: { readonly email: string; readonly client: Client },
): Promise<void> {
  const email = parseEmailAddress(request.email);
  if (!email.ok)
    throw new ProblemError(invalidRequest, 'email is not an e-mail address', {
      errors: [{ in: 'body', name: 'email', message: 'is not an e-mail address' }],
    });
  await admitRecipient(deps, email.value);
  await deps.database.transaction().execute(async (transaction) => {
    const record = await findPasswordRecord(transaction, email.value.normalised);
    const accountId = record?.accountId ?? null;
    await requestMail(transaction, deps, {
      kind: 'reset_password',
      recipient: email.value.written,
      subjectId: accountId,
    });
    await recordAuditEvent(transaction, deps.ids, {
      kind: 'password_reset_requested',
      at: deps.clock.now(),
      accountId,
      client: request.client,
    });
  });
}

/** Whether the link would still set a password: for the page that asks for one. */
export async function isResetLinkGood(
  { database, clock }: Pick<PasswordDeps, 'database' | 'clock'>,
  token: string,
): Promise<boolean> {
  return (await findMailedToken(database, 'reset_password', token, clock.now())) !== null;
}

/** A link for a password, once. Ends every session and opens the password door. Only who wins the link hashes. */
export async function resetPassword(
  deps: PasswordDeps,
  request: { readonly token: string; readonly password: string; readonly client: Client },
): Promise<void> {
  const { token, password, client } = request;
  requireGoodPassword(password);
  const place = deps.hasher.takePlace();
  try {
    await deps.database.transaction().execute(async (transaction) => {
      const now = deps.clock.now();
      const accountId = (await useMailedToken(transaction, 'reset_password', token, now)) as AccountId | null;
      if (accountId === null)
        throw new ProblemError(invalidLink, 'the link is not valid any more; ask for a new one');
      await voidMailedTokens(transaction, 'reset_password', accountId, now);
      const passwordHash = await place.hash(password);
      await setPassword(transaction, deps, { accountId, passwordHash, client, keep: null });
    });
  } finally {
    place.leave();
  }
}

/** By someone signed in, through the same door as a sign-in: a borrowed session is no way to try passwords. */
export async function changePassword(
  deps: PasswordDeps,
  request: {
    readonly accountId: AccountId;
    readonly sessionId: SessionId;
    readonly currentPassword: string;
    readonly newPassword: string;
    readonly client: Client;
  },
): Promise<void> {
  const { accountId, sessionId, client } = request;
  requireGoodPassword(request.newPassword, 'newPassword');
  const account = await readAccountEmail(deps.database, accountId);
  if (account === null) throw new Error('a password for no account');
  await checkPassword(deps, { email: account.email, password: request.currentPassword, client });
  const place = deps.hasher.takePlace();
  const passwordHash = await place.hash(request.newPassword).finally(place.leave);
  await deps.database
    .transaction()
    .execute((transaction) =>
      setPassword(transaction, deps, { accountId, passwordHash, client, keep: sessionId }),
    );
}

async function setPassword(
  transaction: Parameters<typeof requestMail>[0],
  deps: PasswordDeps,
  change: {
    readonly accountId: AccountId;
    readonly passwordHash: string;
    readonly client: Client;
    readonly keep: SessionId | null;
  },
): Promise<void> {
  const { accountId, client, keep } = change;
  const account = await readAccountEmail(transaction, accountId);
  if (account === null) throw new Error('a password for no account');
  await updatePasswordHash(transaction, accountId, change.passwordHash);
  await clearPasswordAttempts(transaction, emailHash(account.normalised));
  const filter = keep === null ? { accountId } : { accountId, except: keep };
  await revokeSessions(transaction, deps, filter, 'password_changed', client);
  await requestMail(transaction, deps, {
    kind: 'password_changed',
    recipient: account.email,
    subjectId: accountId,
  });
  const at = deps.clock.now();
  await recordAuditEvent(transaction, deps.ids, { kind: 'password_changed', at, accountId, client });
}
