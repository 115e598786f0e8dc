import { organizations } from '../access/index.ts';
import { agents } from '../agents/index.ts';
import { deleteSchedulesOf } from '../agents/schedules/index.ts';
import { dayMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { accounts } from '../identity/index.ts';
import { trashAllProjects } from '../storage/wiring.ts';
import { deleteWatchOf } from '../watch/wiring.ts';

const beyondTrashRetentionMs = 365 * dayMs;

/** Deletes an organization without members in each domain. Its files are removed when the trash is next emptied. */
export async function deleteOrganizationContents(
  transaction: Database,
  id: accounts.OrganizationId,
  now: EpochMicroseconds,
): Promise<void> {
  await organizations.deletePermissionsOf(transaction, id);
  await agents.deleteAllAgents(transaction, id);
  await trashAllProjects(transaction, id, addMs(now, -beyondTrashRetentionMs));
}

/** Deletes what belongs to an account alone in each domain. */
export async function deleteAccountContents(transaction: Database, id: accounts.AccountId): Promise<void> {
  await deleteWatchOf(transaction, id);
  await deleteSchedulesOf(transaction, id);
}
