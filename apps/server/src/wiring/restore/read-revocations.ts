import { revokingEvents as ofAccess } from '../../access/wiring.ts';
import { readEventsSince } from '../../audit/wiring.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import { revokingEvents as ofIdentity, readAddresses } from '../../identity/wiring.ts';
import { readEntryKeys } from '../../ingest/wiring.ts';
import { readEndedSubscriptions } from '../../mailing/wiring.ts';
import { readWithdrawals } from '../../record/wiring.ts';
import { revokingEvents as ofStorage } from '../../storage/wiring.ts';
import type { Revocation, RevokingAuditEvent } from './revocation.ts';

/** The purpose of an encrypted address; without the account, lines could be exchanged. */
export const addressPurpose = (accountId: Id<'account'>): string => `revoked address of ${accountId}`;

/** Everything since that time; the addresses are null without a secret box, since there are no accounts then. */
export async function readRevocations(
  database: Database,
  secretBox: SecretBox | null,
  since: EpochMicroseconds,
): Promise<readonly Revocation[]> {
  const withdrawals = await readWithdrawals(database, since);
  const keys = await readEntryKeys(
    database,
    withdrawals.map(({ itemId }) => itemId),
  );
  const subscriptions = await readEndedSubscriptions(database, since);
  return [
    ...withdrawals.map(({ id, at, itemId, reason }) => ({
      id,
      at: isoMicroseconds(at),
      kind: 'withdrawal' as const,
      itemId,
      reason,
      keys: keys.get(itemId) ?? [],
    })),
    ...subscriptions.map(({ id, at }) => ({
      id,
      at: isoMicroseconds(at),
      kind: 'subscription' as const,
      subscriptionId: id,
    })),
    ...(await readEvents(database, secretBox, since)),
  ];
}

async function readEvents(
  database: Database,
  secretBox: SecretBox | null,
  since: EpochMicroseconds,
): Promise<readonly RevokingAuditEvent[]> {
  const kinds = [ofIdentity, ofAccess, ofStorage].flatMap((meanings) => [...meanings.keys()]);
  const events = await readEventsSince(database, kinds, since);
  const changed = events.flatMap(({ kind, accountId }) =>
    ofIdentity.get(kind) === 'email_changed' && accountId !== null ? [accountId] : [],
  );
  const addresses = await readAddresses(database, [...new Set(changed)]);
  return events.map(({ id, createdAt, kind, accountId, organizationId, detail }) => {
    const { memberId = null } = detail as { readonly memberId?: Id<'account'> };
    const address = accountId === null ? undefined : addresses.get(accountId);
    const isSealed = address !== undefined && accountId !== null && ofIdentity.get(kind) === 'email_changed';
    return {
      id,
      at: isoMicroseconds(createdAt),
      kind: 'event',
      event: kind,
      accountId,
      memberId,
      organizationId,
      address:
        isSealed && secretBox !== null
          ? secretBox.seal(Buffer.from(address), addressPurpose(accountId)).toString('base64')
          : null,
    };
  });
}
