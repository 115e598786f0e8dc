import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { deletionGraceDays } from '../accounts/account.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { endCredentials, suspectSince } from '../credentials/credential-kind.ts';
import { requestMail } from '../mail/request-mail.ts';
import { lockOrganizationsOf } from '../organizations/organization-store.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';
import type { AffectedOrganization } from './account-deletion-store.ts';
import { insertAccountDeletion, listAffectedOrganizations } from './account-deletion-store.ts';

export const deletionRequested = defineAuditKind(
  'account_deletion_requested',
  'The deletion of the account was requested.',
);

/** The organizations deleted with an account, and those that need another owner first. Scheduled ones are in neither. */
export function sortAffectedOrganizations(organizations: readonly AffectedOrganization[]): {
  readonly deleted: readonly AffectedOrganization[];
  readonly toHandOver: readonly AffectedOrganization[];
} {
  return {
    deleted: organizations.filter(({ otherMembers, isDeleted }) => otherMembers === 0 && !isDeleted),
    toHandOver: organizations.filter(
      ({ role, otherMembers, otherOwners, isDeleted }) =>
        role === 'owner' && otherMembers > 0 && otherOwners === 0 && !isDeleted,
    ),
  };
}

/**
 * Ends all credentials of the account and the tokens that it created at once. Everything else stays until the grace
 * period ends, so that a sign-in restores it. Returns the end of the grace period.
 */
export async function requestAccountDeletion(
  deps: ReauthenticateDeps & { readonly credentialKinds: readonly CredentialKind[] },
  request: ProvenRequest,
): Promise<EpochMicroseconds> {
  const { accountId, client } = request;
  const { email: recipient } = await reauthenticate(deps, 'delete_account', request);
  const now = deps.clock.now();
  const dueAt = addMs(now, deletionGraceDays * dayMs);
  await deps.database.transaction().execute(async (transaction) => {
    const organizations = await lockAffectedOrganizations(transaction, accountId);
    await lockAccount(transaction, accountId);
    await requireLiveSession(transaction, request, now);
    const [first] = sortAffectedOrganizations(organizations).toHandOver;
    if (first !== undefined)
      throw new ProblemError(conflict, `Make another member an owner of “${first.name}” first.`);
    await insertAccountDeletion(transaction, accountId, now, dueAt);
    await endCredentials(transaction, deps, {
      accountId,
      organizationIds: organizations.map(({ id }) => id),
      event: 'deletion',
      client,
      keep: null,
      only: null,
      suspectSince: suspectSince(now),
    });
    await recordAuditEvent(transaction, deps.ids, { kind: deletionRequested, at: now, accountId, client });
    await requestMail(transaction, deps, { kind: 'deletion_requested', recipient, subjectId: accountId });
  });
  return dueAt;
}

/** Locks organizations before the account, in one order, like all code that locks both. */
export async function lockAffectedOrganizations(
  transaction: Database,
  accountId: AccountId,
): Promise<readonly AffectedOrganization[]> {
  await lockOrganizationsOf(transaction, accountId);
  return listAffectedOrganizations(transaction, accountId);
}
