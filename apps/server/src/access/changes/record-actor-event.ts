import type { AuditEvent } from '../../audit/index.ts';
import { recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { OrganizationActor } from '../credentials/caller.ts';

/** Records the event of an actor in an organization, with the token or key that was used. */
export async function recordActorEvent(
  transaction: Database,
  { ids }: { readonly ids: IdSource },
  { caller, organization }: Pick<OrganizationActor, 'caller' | 'organization'>,
  event: Pick<AuditEvent, 'kind' | 'at' | 'client' | 'detail'>,
): Promise<void> {
  const { credential } = caller;
  await recordAuditEvent(transaction, ids, {
    ...event,
    accountId: caller.accountId,
    organizationId: organization.id,
    detail: {
      ...event.detail,
      ...(credential.kind === 'api_token' && { viaTokenId: credential.tokenId }),
      ...(credential.kind === 'api_key' && { viaKeyId: credential.keyId }),
      ...(credential.kind === 'schedule' && { viaScheduleId: credential.scheduleId }),
    },
  });
}
