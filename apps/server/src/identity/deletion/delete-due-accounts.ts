import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { findPerson, lockAccount } from '../accounts/account-store.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { deleteMembership } from '../memberships/membership-store.ts';
import {
  deleteOwnedRows,
  eraseOrganizationName,
  erasePerson,
  findDueDeletions,
  takeAccountDeletion,
} from './account-deletion-store.ts';
import { lockAffectedOrganizations, sortAffectedOrganizations } from './request-account-deletion.ts';

export const accountDeleted = defineAuditKind('account_deleted', 'The account was deleted.');

export interface DeleteAccountsDeps extends RequestMailDeps {
  readonly database: Database;
  /** Deletes what belongs to the account alone in other domains. */
  readonly deleteAccountContents: (transaction: Database, accountId: AccountId) => Promise<void>;
  /** Deletes the data of an organization without members in other domains. */
  readonly deleteOrganizationContents: (
    transaction: Database,
    organizationId: OrganizationId,
    now: EpochMicroseconds,
  ) => Promise<void>;
}

const accountsPerRead = 100;

/** Returns the number of deleted accounts. One transaction each: after a crash the next run continues. */
export async function deleteDueAccounts(deps: DeleteAccountsDeps): Promise<number> {
  let deleted = 0;
  let after: AccountId | undefined;
  for (;;) {
    const due = await findDueDeletions(deps.database, deps.clock.now(), {
      limit: accountsPerRead,
      ...(after !== undefined && { after }),
    });
    for (const id of due) deleted += (await deleteAccount(deps, id)) ? 1 : 0;
    if (due.length < accountsPerRead) return deleted;
    after = due.at(-1);
  }
}

/** False if a sign-in came first, or if an organization would be left without an owner. */
async function deleteAccount(deps: DeleteAccountsDeps, accountId: AccountId): Promise<boolean> {
  const now = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    const organizations = await lockAffectedOrganizations(transaction, accountId);
    await lockAccount(transaction, accountId);
    const person = await findPerson(transaction, accountId);
    const { deleted, toHandOver } = sortAffectedOrganizations(organizations);
    if (person === null || toHandOver.length > 0) return false;
    if (!(await takeAccountDeletion(transaction, accountId, now))) return false;
    for (const { id } of organizations) await deleteMembership(transaction, id, accountId);
    for (const { id } of deleted) {
      await deps.deleteOrganizationContents(transaction, id, now);
      await eraseOrganizationName(transaction, id);
    }
    await deps.deleteAccountContents(transaction, accountId);
    await deleteOwnedRows(transaction, accountId, person.emailNormalised);
    await erasePerson(transaction, accountId);
    const event = { kind: accountDeleted, at: now, accountId, client: null };
    await recordAuditEvent(transaction, deps.ids, event);
    const mail = { kind: 'account_deleted', recipient: person.email, subjectId: accountId } as const;
    await requestMail(transaction, deps, mail);
    return true;
  });
}
