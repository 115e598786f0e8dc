import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { parseEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord, markSuperuser } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { parseUsername } from '../accounts/account.ts';
import { nameFaultMessages, parseDisplayName } from '../accounts/display-name.ts';
import { clearSignInAttempts } from '../attempts/sign-in-attempt-store.ts';
import { operatorClient } from '../client.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rule.ts';
import { createAccount } from './create-account.ts';

type NameResult = ReturnType<typeof parseDisplayName>;

export const accountUnlocked = defineAuditKind(
  'account_unlocked',
  'An operator unlocked sign-in with the password.',
);

export interface OperatorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface OwnerRequest {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly organization: { readonly key: string; readonly name: string };
  readonly superuser: boolean;
}

/** The operator vouches for the address: no mail is sent. */
export async function createOwner(
  deps: OperatorDeps & { readonly hasher: PasswordHasher },
  request: OwnerRequest,
): Promise<AccountId> {
  const [username, key] = [parseUsername(request.username), parseUsername(request.organization.key)];
  const email = parseEmailAddress(request.email);
  const [name, title] = [request.name, request.organization.name].map((text) =>
    parseDisplayName(text, { reserved: 'accepted' }),
  ) as [NameResult, NameResult];
  if (!username.ok || !key.ok)
    throw new ProblemError(
      invalidRequest,
      'Usernames and organization keys have 3 to 32 lowercase letters, digits, - or _.',
    );
  if (!email.ok) throw new ProblemError(invalidRequest, 'Not a valid e-mail address.');
  if (!name.ok) throw new ProblemError(invalidRequest, `name ${nameFaultMessages[name.reason]}`);
  if (!title.ok)
    throw new ProblemError(invalidRequest, `organization name ${nameFaultMessages[title.reason]}`);
  await requireGoodPassword(request.password, {
    username: username.value,
    email: email.value.written,
    name: name.value,
  });
  const place = deps.hasher.reserveSlot();
  const passwordHash = await place.hash(request.password).finally(place.leave);
  return deps.database.transaction().execute(async (transaction) => {
    const id = await createAccount(transaction, deps, {
      username: username.value,
      email: email.value,
      name: name.value,
      passwordHash,
      joins: null,
      organization: { key: key.value, name: title.value },
      client: operatorClient,
    });
    if (request.superuser) await markSuperuser(transaction, id);
    return id;
  });
}

/** Clears the failed passwords and codes of an address. Returns whether any were counted. */
export async function unlockAccount(
  { database, clock, ids }: OperatorDeps,
  writtenEmail: string,
): Promise<boolean> {
  const email = parseEmailAddress(writtenEmail);
  if (!email.ok) throw new ProblemError(invalidRequest, 'Not a valid e-mail address.');
  return database.transaction().execute(async (transaction) => {
    const record = await findPasswordRecord(transaction, email.value.normalised);
    if (record === null) throw new ProblemError(notFound, 'No account with this e-mail address.');
    const cleared = await clearSignInAttempts(transaction, email.value.normalised);
    await recordAuditEvent(transaction, ids, {
      kind: accountUnlocked,
      at: clock.now(),
      accountId: record.accountId,
      client: operatorClient,
    });
    return cleared;
  });
}
