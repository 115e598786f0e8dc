import type { AuditEvent } from '../../audit/index.ts';
import { recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { OrganizationActor } from '../credentials/caller.ts';

/** What an actor did in an organization; where a token or key did it, the note says which. */
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
    },
  });
}
