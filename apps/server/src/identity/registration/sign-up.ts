import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidField, invalidRequest } from '../../foundation/http/http-problems.ts';
import type { EmailAddress } from '../../foundation/mail/email-address.ts';
import { parseEmailAddress } from '../../foundation/mail/email-address.ts';
import type { RecipientDeps } from '../../foundation/mail/mail-limits.ts';
import { admitRecipient } from '../../foundation/mail/mail-limits.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord, findTakenUsernames } from '../accounts/account-store.ts';
import type { AccountId, Username } from '../accounts/account.ts';
import { parseNewUsername, usernameFaultMessages } from '../accounts/account.ts';
import { nameFaultMessages, parseDisplayName } from '../accounts/display-name.ts';
import { proposeUsername } from '../accounts/propose-username.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import { findMailedToken, useMailedToken } from '../mail/mailed-token-store.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rule.ts';
import { createAccount, usernameTaken } from './create-account.ts';
import { findSignUp, insertSignUp, takeSignUp } from './sign-up-store.ts';

export const signUpRequested = defineAuditKind('sign_up_requested', 'A sign-up used your e-mail address.');

export interface SignUpDeps extends RequestMailDeps, RecipientDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
}

export interface SignUpRequest {
  /** Empty to get a free one, which the owner can change when confirming. */
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly client: Client;
}

/**
 * Returns the same result whether or not the address has an account: a mail reports the outcome. The account is created
 * when the link is opened, so that an account on the address of another person is impossible.
 */
export async function signUp(deps: SignUpDeps, request: SignUpRequest): Promise<void> {
  const proposal = await proposeUsername(deps.database, proposalTexts(request));
  const { username, email, name } = readFields({ ...request, username: request.username || proposal });
  await requireGoodPassword(request.password, { username, email: email.written, name });
  await requireFreeUsername(deps.database, username);
  await admitRecipient(deps, email);
  const place = deps.hasher.reserveSlot();
  const passwordHash = await place.hash(request.password).finally(place.leave);
  const createdAt = deps.clock.now();
  await deps.database.transaction().execute(async (transaction) => {
    const id = deps.ids.next<'sign-up'>();
    const existing = await findPasswordRecord(transaction, email.normalised);
    if (existing === null) {
      await insertSignUp(transaction, { id, username, email, name, passwordHash }, createdAt);
    }
    await requestMail(transaction, deps, {
      kind: existing === null ? 'confirm_sign_up' : 'account_exists',
      recipient: email.written,
      subjectId: existing === null ? id : existing.accountId,
    });
    await recordAuditEvent(transaction, deps.ids, {
      kind: signUpRequested,
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
  const username = parseNewUsername(request.username);
  const email = parseEmailAddress(request.email);
  const name = parseDisplayName(request.name);
  if (username.ok && email.ok && name.ok)
    return { username: username.value, email: email.value, name: name.value };
  const errors = [
    username.ok ? null : { name: 'username', message: usernameFaultMessages[username.reason] },
    email.ok ? null : { name: 'email', message: 'is not a valid e-mail address' },
    name.ok ? null : { name: 'name', message: nameFaultMessages[name.reason] },
  ].filter((error) => error !== null);
  const detail = errors.map((error) => `${error.name} ${error.message}`).join('; ');
  throw new ProblemError(invalidRequest, detail, {
    errors: errors.map((error) => ({ in: 'body', ...error })),
  });
}

export function requireUsername(text: string): Username {
  const username = parseNewUsername(text);
  if (!username.ok) throw invalidField('username', usernameFaultMessages[username.reason]);
  return username.value;
}

/** The entered username first, then the e-mail address, then the name. */
function proposalTexts({
  username,
  email,
  name,
}: Pick<SignUpRequest, 'username' | 'email' | 'name'>): string[] {
  return [username, email, name];
}

/** Refuses a taken username before a password is hashed; the constraint makes the final decision. */
export async function requireFreeUsername(database: Database, username: Username): Promise<void> {
  if (!(await findTakenUsernames(database, [username])).has(username)) return;
  const proposal = await proposeUsername(database, [username]);
  throw usernameTaken(`is taken. Try “${proposal}”`);
}

/** The account that the link would create. Proposes another username if it was taken meanwhile. */
export async function readSignUpLink(
  { database, clock }: Pick<SignUpDeps, 'database' | 'clock'>,
  token: string,
): Promise<{ readonly email: string; readonly username: string } | null> {
  const id = await findMailedToken(database, 'confirm_sign_up', token, clock.now());
  const asked = id === null ? null : await findSignUp(database, id);
  return asked === null ? null : { ...asked, username: await proposeUsername(database, [asked.username]) };
}

/** Confirms the address with its link and creates the account. */
export async function confirmSignUp(
  deps: Pick<SignUpDeps, 'database' | 'clock' | 'ids'>,
  request: {
    readonly token: string;
    /** Replaces the username of the sign-up. */
    readonly username?: string;
    readonly client: Client;
  },
): Promise<AccountId> {
  const now = deps.clock.now();
  const { client } = request;
  const chosen = request.username === undefined ? null : requireUsername(request.username);
  return deps.database.transaction().execute(async (transaction) => {
    const id = await useMailedToken(transaction, 'confirm_sign_up', request.token, now);
    const asked = id === null ? null : await takeSignUp(transaction, id);
    if (asked === null) throw new ProblemError(invalidLink, 'The link is no longer valid.');
    const username = chosen ?? asked.username;
    await requireFreeUsername(transaction, username);
    return createAccount(transaction, deps, { ...asked, username, joins: null, client });
  });
}
