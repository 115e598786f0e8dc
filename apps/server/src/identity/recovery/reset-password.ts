import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { RecipientDeps } from '../../foundation/mail/mail-limits.ts';
import { admitRecipient } from '../../foundation/mail/mail-limits.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Person } from '../accounts/account-store.ts';
import {
  findPasswordRecord,
  findPerson,
  lockAccount,
  updatePasswordHash,
} from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { rememberBlock } from '../attempts/known-source.ts';
import { clearPasswordAttempts } from '../attempts/sign-in-attempt-store.ts';
import type { Client } from '../client.ts';
import type { CredentialKind, Ending } from '../credentials/credential-kind.ts';
import { endCredentials, suspectSince } from '../credentials/credential-kind.ts';
import type { SessionId } from '../credentials/session.ts';
import { invalidLink } from '../identity-problems.ts';
import { findMailedToken, useMailedToken, voidMailedTokens } from '../mail/mailed-token-store.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { lockOrganizationsOf } from '../organizations/organization-store.ts';
import { checkPassword } from '../passwords/check-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rule.ts';
import { requireLiveSession } from '../sessions/session-store.ts';

export const passwordResetRequested = defineAuditKind(
  'password_reset_requested',
  'A password reset link was requested.',
);
export const passwordChanged = defineAuditKind('password_changed', 'The password was changed.');

export interface PasswordDeps extends RequestMailDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly credentialKinds: readonly CredentialKind[];
}

/** Does the same work and returns the same result for an address without an account. */
export async function requestPasswordReset(
  deps: PasswordDeps & RecipientDeps,
  request: { readonly email: string; readonly client: Client },
): Promise<void> {
  const email = requireEmailAddress(request.email);
  await admitRecipient(deps, email);
  await deps.database.transaction().execute(async (transaction) => {
    const record = await findPasswordRecord(transaction, email.normalised);
    const accountId = record?.accountId ?? null;
    await requestMail(transaction, deps, {
      kind: 'reset_password',
      recipient: email.written,
      subjectId: accountId,
    });
    await recordAuditEvent(transaction, deps.ids, {
      kind: passwordResetRequested,
      at: deps.clock.now(),
      accountId,
      client: request.client,
    });
  });
}

/** Whether the link is still valid: for the page with the form. */
export async function isResetLinkGood(
  { database, clock }: Pick<PasswordDeps, 'database' | 'clock'>,
  token: string,
): Promise<boolean> {
  return (await findMailedToken(database, 'reset_password', token, clock.now())) !== null;
}

interface PasswordReset {
  readonly token: string;
  readonly password: string;
  /** Whether to end everything that an intruder may have created. */
  readonly revokesAll?: boolean;
  readonly client: Client;
}

/**
 * Sets a password with a link, once. Ends every session and clears the failed passwords. The address block of the
 * request becomes known: a stranger who keeps guessing does not lock the owner out before the first sign-in. Only the
 * request that uses the link computes a hash.
 */
export async function resetPassword(deps: PasswordDeps, request: PasswordReset): Promise<void> {
  const { token, password, revokesAll = false, client } = request;
  const place = deps.hasher.reserveSlot();
  try {
    await deps.database.transaction().execute(async (transaction) => {
      const now = deps.clock.now();
      const accountId = (await findMailedToken(
        transaction,
        'reset_password',
        token,
        now,
      )) as AccountId | null;
      // Organizations, the account, the link: in the order in which other use cases lock them.
      const organizationIds = accountId === null ? [] : await lockOrganizationsOf(transaction, accountId);
      if (accountId !== null) await lockAccount(transaction, accountId);
      if (
        accountId === null ||
        (await useMailedToken(transaction, 'reset_password', token, now)) !== accountId
      )
        throw new ProblemError(invalidLink, 'The link is no longer valid. Request a new one.');
      // A refusal rolls back the use of the link, so that the next attempt can use it.
      await requireGoodPassword(password, await requirePerson(transaction, accountId));
      await voidMailedTokens(transaction, 'reset_password', accountId, now);
      const passwordHash = await place.hash(password);
      const event = revokesAll ? 'password_reset' : 'password_change';
      const ending = { accountId, organizationIds, event, client, keep: null, only: null } as const;
      await setPassword(transaction, deps, { ...ending, passwordHash });
      await rememberBlock(transaction, { accountId, client, at: now });
    });
  } finally {
    place.leave();
  }
}

/** By a signed-in session, whose attempts are counted: a stolen session must not allow unlimited guesses. */
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
  const account = await requirePerson(deps.database, accountId);
  await requireGoodPassword(request.newPassword, account, 'newPassword');
  const attempt = { email: account.email, password: request.currentPassword, client, signedIn: sessionId };
  await checkPassword(deps, attempt);
  const place = deps.hasher.reserveSlot();
  const passwordHash = await place.hash(request.newPassword).finally(place.leave);
  await deps.database.transaction().execute(async (transaction) => {
    const organizationIds = await lockOrganizationsOf(transaction, accountId);
    await lockAccount(transaction, accountId);
    // A reset, or another change, may have ended the session since the current password was checked.
    await requireLiveSession(transaction, request, deps.clock.now());
    await setPassword(transaction, deps, {
      accountId,
      organizationIds,
      event: 'password_change',
      client,
      keep: sessionId,
      only: null,
      passwordHash,
    });
  });
}

async function requirePerson(database: Database, accountId: AccountId): Promise<Person> {
  const account = await findPerson(database, accountId);
  if (account === null) throw new Error('a password for no account');
  return account;
}

async function setPassword(
  transaction: Parameters<typeof requestMail>[0],
  deps: PasswordDeps,
  { passwordHash, ...ending }: Omit<Ending, 'suspectSince'> & { readonly passwordHash: string },
): Promise<void> {
  const { accountId, client } = ending;
  const account = await requirePerson(transaction, accountId);
  await updatePasswordHash(transaction, accountId, passwordHash);
  // Failed one-time codes stay counted: each reset would otherwise give five more guesses at the code.
  await clearPasswordAttempts(transaction, account.emailNormalised);
  await endCredentials(transaction, deps, { ...ending, suspectSince: suspectSince(deps.clock.now()) });
  await requestMail(transaction, deps, {
    kind: 'password_changed',
    recipient: account.email,
    subjectId: accountId,
  });
  const at = deps.clock.now();
  await recordAuditEvent(transaction, deps.ids, { kind: passwordChanged, at, accountId, client });
}
