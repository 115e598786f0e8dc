import type { Database } from '../../foundation/database/database.ts';
import { conflict, invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import type { RecipientDeps } from '../mail/mail-limits.ts';
import { admitRecipient } from '../mail/mail-limits.ts';
import type { RequestMailDeps } from '../mail/mail-workflow.ts';
import { requestMail } from '../mail/mail-workflow.ts';
import { findMailedToken, useMailedToken } from '../mail/mailed-token-store.ts';
import type { InvitationId } from '../organizations/invitation-store.ts';
import { findInvitation, markInvitationAccepted } from '../organizations/invitation-store.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rule.ts';
import { findPasswordRecord, isUsernameTaken } from './account-store.ts';
import type { AccountId, Username } from './account.ts';
import { parseDisplayName, parseUsername } from './account.ts';
import { createAccount } from './create-account.ts';
import type { EmailAddress } from './email-address.ts';
import { parseEmailAddress } from './email-address.ts';
import { findSignUp, insertSignUp, takeSignUp } from './sign-up-store.ts';

export interface SignUpDeps extends RequestMailDeps, RecipientDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
}

export interface SignUpRequest {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** From the link of an invitation. */
  readonly invitationToken?: string;
  readonly client: Client;
}

/**
 * Answers the same whether or not the address has an account: what there is to say is said by mail. The account is made
 * when the link comes back, so that nobody can hold an account on an address that is not theirs.
 */
export async function signUp(deps: SignUpDeps, request: SignUpRequest): Promise<void> {
  const { username, email, name } = readFields(request);
  requireGoodPassword(request.password);
  const invitationId = await readInvitation(deps, request.invitationToken);
  if (await isUsernameTaken(deps.database, username))
    throw new ProblemError(conflict, 'this username is taken', {
      errors: [{ in: 'body', name: 'username', message: 'is taken' }],
    });
  await admitRecipient(deps, email);
  const place = deps.hasher.takePlace();
  const passwordHash = await place.hash(request.password).finally(place.leave);
  const createdAt = deps.clock.now();
  await deps.database.transaction().execute(async (transaction) => {
    const id = deps.ids.next<'sign-up'>();
    const existing = await findPasswordRecord(transaction, email.normalised);
    if (existing === null) {
      await insertSignUp(transaction, { id, username, email, name, passwordHash, invitationId }, createdAt);
    }
    await requestMail(transaction, deps, {
      kind: existing === null ? 'confirm_sign_up' : 'account_exists',
      recipient: email.written,
      subjectId: existing === null ? id : existing.accountId,
    });
    await recordAuditEvent(transaction, deps.ids, {
      kind: 'sign_up_requested',
      at: createdAt,
      accountId: existing?.accountId ?? null,
      client: request.client,
    });
  });
}

function readFields(request: SignUpRequest): {
  readonly username: Username;
  readonly email: EmailAddress;
  readonly name: string;
} {
  const username = parseUsername(request.username);
  const email = parseEmailAddress(request.email);
  const name = parseDisplayName(request.name);
  if (username.ok && email.ok && name.ok)
    return { username: username.value, email: email.value, name: name.value };
  const errors = [
    username.ok
      ? null
      : { name: 'username', message: 'must be 3 to 32 of a-z, 0-9, _ and -, and not begin with _ or -' },
    email.ok ? null : { name: 'email', message: 'is not an e-mail address' },
    name.ok ? null : { name: 'name', message: 'must be 1 to 100 characters without control characters' },
  ].filter((error) => error !== null);
  const detail = errors.map((error) => `${error.name} ${error.message}`).join('; ');
  throw new ProblemError(invalidRequest, detail, {
    errors: errors.map((error) => ({ in: 'body', ...error })),
  });
}

async function readInvitation(
  { database, clock }: SignUpDeps,
  token: string | undefined,
): Promise<InvitationId | null> {
  if (token === undefined) return null;
  const id = await findMailedToken(database, 'join_organization', token, clock.now());
  if (id === null) throw new ProblemError(invalidLink, 'the invitation is not valid any more');
  return id as InvitationId;
}

/** Whom the link would make an account for: shown before it is used. */
export async function readSignUpLink(
  { database, clock }: Pick<SignUpDeps, 'database' | 'clock'>,
  token: string,
): Promise<{ readonly email: string; readonly username: string } | null> {
  const id = await findMailedToken(database, 'confirm_sign_up', token, clock.now());
  return id === null ? null : findSignUp(database, id);
}

/** The link came back: the address is proven, the account is made. */
export async function confirmSignUp(
  deps: Pick<SignUpDeps, 'database' | 'clock' | 'ids'>,
  request: { readonly token: string; readonly client: Client },
): Promise<AccountId> {
  const now = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    const id = await useMailedToken(transaction, 'confirm_sign_up', request.token, now);
    const asked = id === null ? null : await takeSignUp(transaction, id);
    if (asked === null) throw new ProblemError(invalidLink, 'the link is not valid any more');
    const found = asked.invitationId === null ? null : await findInvitation(transaction, asked.invitationId);
    const invitation = found === null || found.accepted ? null : found;
    const accountId = await createAccount(transaction, deps, {
      ...asked,
      joins: invitation,
      client: request.client,
    });
    if (invitation !== null) await markInvitationAccepted(transaction, invitation.id, accountId, now);
    return accountId;
  });
}
