import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { transientCause } from '../../foundation/database/transient-error.ts';
import type { OrganizationId } from '../accounts/account.ts';
import {
  deleteAllMemberships,
  findDueOrganizationDeletions,
  takeOrganizationDeletion,
} from '../organizations/organization-deletion-store.ts';
import { lockOrganization } from '../organizations/organization-store.ts';
import { eraseOrganizationName } from './account-deletion-store.ts';
import type { DeleteAccountsDeps } from './delete-due-accounts.ts';

export const organizationDeleted = defineAuditKind('organization_deleted', 'The organization was deleted.');

export type DeleteOrganizationsDeps = Pick<
  DeleteAccountsDeps,
  'database' | 'clock' | 'ids' | 'deleteOrganizationContents'
>;

const organizationsPerRead = 100;

/**
 * Returns how many were deleted. One transaction each: after a crash the next run continues. An organization that
 * cannot be deleted does not stop the others; the task fails at the end, which the metrics of the engine count, and the
 * next run retries it.
 */
export async function deleteDueOrganizations(deps: DeleteOrganizationsDeps): Promise<number> {
  const faults: unknown[] = [];
  let deleted = 0;
  let after: OrganizationId | undefined;
  for (;;) {
    const due = await findDueOrganizationDeletions(deps.database, deps.clock.now(), {
      limit: organizationsPerRead,
      ...(after !== undefined && { after }),
    });
    for (const id of due) {
      try {
        deleted += (await deleteOrganization(deps, id)) ? 1 : 0;
      } catch (error) {
        // The engine repeats the task.
        if (transientCause(error) !== null) throw error;
        faults.push(error);
      }
    }
    if (due.length < organizationsPerRead) break;
    after = due.at(-1);
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} organizations were not deleted`);
  return deleted;
}

/** False if an owner restored it first. The row stays without its name, since audit events refer to it. */
async function deleteOrganization(
  { database, clock, ids, deleteOrganizationContents }: DeleteOrganizationsDeps,
  organizationId: OrganizationId,
): Promise<boolean> {
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if (!(await takeOrganizationDeletion(transaction, organizationId, now))) return false;
    await deleteAllMemberships(transaction, organizationId);
    await deleteOrganizationContents(transaction, organizationId, now);
    await eraseOrganizationName(transaction, organizationId);
    await recordAuditEvent(transaction, ids, {
      kind: organizationDeleted,
      at: now,
      accountId: null,
      organizationId,
      client: null,
    });
    return true;
  });
}
