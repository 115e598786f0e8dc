import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { takeAccountDeletion } from './account-deletion-store.ts';

export const deletionCancelled = defineAuditKind(
  'account_deletion_cancelled',
  'Signing in cancelled the deletion of the account.',
);

/** Whoever signs in wants the account. */
export async function cancelAccountDeletion(
  database: Database,
  { clock, ids }: { readonly clock: Clock; readonly ids: IdSource },
  { accountId, client }: { readonly accountId: AccountId; readonly client: Client },
): Promise<void> {
  if (!(await takeAccountDeletion(database, accountId))) return;
  await recordAuditEvent(database, ids, { kind: deletionCancelled, at: clock.now(), accountId, client });
}
