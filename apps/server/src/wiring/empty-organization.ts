import { organizations } from '../access/index.ts';
import { agents } from '../agents/index.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { accounts } from '../identity/index.ts';
import { trashAllProjects } from '../storage/index.ts';

const longerThanInTrashMs = 365 * 86_400_000;

/** What an organization that nobody is left in holds in each domain. Files go with the next emptying of the trash. */
export async function emptyOrganization(
  transaction: Database,
  id: accounts.OrganizationId,
  now: EpochMicroseconds,
): Promise<void> {
  await organizations.deletePermissionsOf(transaction, id);
  await agents.deleteAllAgents(transaction, id);
  await trashAllProjects(transaction, id, addMs(now, -longerThanInTrashMs));
}
