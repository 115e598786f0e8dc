import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import { operatorClient } from '../client.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rule.ts';
import { clearPasswordAttempts } from '../sign-in/password-attempt-store.ts';
import { findPasswordRecord, markSuperuser } from './account-store.ts';
import type { AccountId } from './account.ts';
import { parseDisplayName, parseUsername } from './account.ts';
import { createAccount } from './create-account.ts';
import { emailHash, parseEmailAddress } from './email-address.ts';

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

/** The operator vouches for the address: no mail goes out. */
export async function createOwner(
  deps: OperatorDeps & { readonly hasher: PasswordHasher },
  request: OwnerRequest,
): Promise<AccountId> {
  const [username, key] = [parseUsername(request.username), parseUsername(request.organization.key)];
  const email = parseEmailAddress(request.email);
  const [name, title] = [parseDisplayName(request.name), parseDisplayName(request.organization.name)];
  if (!username.ok || !key.ok)
    throw new ProblemError(
      invalidRequest,
      'usernames and organization keys are 3 to 32 of a-z, 0-9, _ and -',
    );
  if (!email.ok) throw new ProblemError(invalidRequest, 'this is not an e-mail address');
  if (!name.ok || !title.ok) throw new ProblemError(invalidRequest, 'names are 1 to 100 characters');
  requireGoodPassword(request.password);
  const place = deps.hasher.takePlace();
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

/** Opens the password door for an address, whatever was tried there. Answers whether anything was there to open. */
export async function unlockAccount(
  { database, clock, ids }: OperatorDeps,
  writtenEmail: string,
): Promise<boolean> {
  const email = parseEmailAddress(writtenEmail);
  if (!email.ok) throw new ProblemError(invalidRequest, 'this is not an e-mail address');
  return database.transaction().execute(async (transaction) => {
    const record = await findPasswordRecord(transaction, email.value.normalised);
    if (record === null) throw new ProblemError(notFound, 'no account has this e-mail address');
    const cleared = await clearPasswordAttempts(transaction, emailHash(email.value.normalised));
    await recordAuditEvent(transaction, ids, {
      kind: 'account_unlocked',
      at: clock.now(),
      accountId: record.accountId,
      client: operatorClient,
    });
    return cleared;
  });
}
