import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { insertAccount } from '../accounts/account-store.ts';
import type { AccountId, OrganizationId, Username } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { createOrganization } from '../organizations/create-organization.ts';
import { insertMemberships } from '../organizations/organization-store.ts';

export const accountCreated = defineAuditKind('account_created', 'The account was created.');

export interface AccountRequest {
  readonly username: Username;
  readonly email: EmailAddress;
  readonly name: string;
  readonly passwordHash: string | null;
  /** The organization it will join by invitation; otherwise it gets its own organization. */
  readonly joins: { readonly organizationId: OrganizationId } | null;
  /** Key and name of its own organization; by default its username and name. */
  readonly organization?: { readonly key: Username; readonly name: string };
  readonly client: Client;
}

export interface CreateAccountDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** In the caller's transaction. The constraints decide what is taken; nothing is checked beforehand. */
export async function createAccount(
  transaction: Database,
  { clock, ids }: CreateAccountDeps,
  request: AccountRequest,
): Promise<AccountId> {
  const createdAt = clock.now();
  const id: AccountId = ids.next();
  const { username, name } = request;
  const own = { key: username, name, ...request.organization, createdAt };
  const organizationId = request.joins?.organizationId ?? (await createOrganization(transaction, ids, own));
  if (organizationId === null) throw usernameTaken();
  try {
    await insertAccount(transaction, { ...request, id, organizationId, createdAt });
  } catch (error) {
    throw takenProblem(error) ?? error;
  }
  if (request.joins === null)
    await insertMemberships(transaction, { accountId: id, organizationId, role: 'owner', createdAt });
  await recordAuditEvent(transaction, ids, {
    kind: accountCreated,
    at: createdAt,
    accountId: id,
    organizationId,
    client: request.client,
  });
  return id;
}

export function usernameTaken(message = 'is taken', cause?: unknown): ProblemError {
  return new ProblemError(conflict, 'This username is taken.', {
    errors: [{ in: 'body', name: 'username', message }],
    cause,
  });
}

/** The error for a violated constraint of an account. */
export function takenProblem(error: unknown): ProblemError | null {
  const constraint = violatedConstraint(error);
  if (constraint === 'account_username_key') return usernameTaken('is taken', error);
  if (constraint !== 'account_email_normalised_key') return null;
  return new ProblemError(conflict, 'An account with this e-mail address already exists.', { cause: error });
}
