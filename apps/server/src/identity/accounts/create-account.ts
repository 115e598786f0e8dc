import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import {
  insertMemberships,
  insertOrganization,
  insertWorkspace,
} from '../organizations/organization-store.ts';
import { insertAccount } from './account-store.ts';
import type { AccountId, OrganizationId, Role, Username, WorkspaceId } from './account.ts';
import type { EmailAddress } from './email-address.ts';

export interface AccountRequest {
  readonly username: Username;
  readonly email: EmailAddress;
  readonly name: string;
  readonly passwordHash: string | null;
  /** The organization that it was invited to; without one it gets its own. */
  readonly joins: { readonly organizationId: OrganizationId; readonly role: Role } | null;
  /** Of the organization it gets; its own username and name unless said otherwise. */
  readonly organization?: { readonly key: Username; readonly name: string };
  readonly client: Client;
}

export interface CreateAccountDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Inside the caller's transaction. The constraints decide what is taken; nothing is asked beforehand. */
export async function createAccount(
  transaction: Database,
  { clock, ids }: CreateAccountDeps,
  request: AccountRequest,
): Promise<AccountId> {
  const createdAt = clock.now();
  const id: AccountId = ids.next();
  const organizationId: OrganizationId = request.joins?.organizationId ?? ids.next();
  try {
    if (request.joins === null) {
      const { key, name } = request.organization ?? { key: request.username, name: request.name };
      const workspaceId: WorkspaceId = ids.next();
      await insertOrganization(transaction, { id: organizationId, key, name, createdAt });
      await insertWorkspace(transaction, { id: workspaceId, organizationId, name: 'General', createdAt });
    }
    await insertAccount(transaction, { ...request, id, organizationId, createdAt });
  } catch (error) {
    throw takenProblem(error) ?? error;
  }
  const role = request.joins?.role ?? 'owner';
  await insertMemberships(transaction, { accountId: id, organizationId, role, createdAt });
  await recordAuditEvent(transaction, ids, {
    kind: 'account_created',
    at: createdAt,
    accountId: id,
    organizationId,
    client: request.client,
  });
  return id;
}

const takenBy: Readonly<Record<string, string>> = {
  account_username_key: 'this username is taken',
  organization_key_key: 'this username is taken',
  account_email_normalised_key: 'there is an account with this e-mail address',
};

function takenProblem(error: unknown): ProblemError | null {
  const detail = takenBy[violatedConstraint(error) ?? ''];
  return detail === undefined ? null : new ProblemError(conflict, detail, { cause: error });
}
