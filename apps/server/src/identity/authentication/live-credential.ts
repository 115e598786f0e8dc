import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import { findOwnLiveApiKey } from '../api-keys/api-key-store.ts';
import { isLiveSession } from '../sessions/session-store.ts';

/**
 * Whether the session or API key of a request is valid now. A request was authenticated up to a second ago, and may have
 * waited since: before it creates what outlives its credential, it locks what a recovery locks, the account or one of
 * its organizations, and asks again.
 */
export async function isLiveCredential(
  database: Database,
  {
    accountId,
    credential,
  }: {
    readonly accountId: AccountId;
    readonly credential: { readonly sessionId: string } | { readonly keyId: string };
  },
  now: EpochMicroseconds,
): Promise<boolean> {
  if ('sessionId' in credential)
    return isLiveSession(database, { accountId, sessionId: credential.sessionId }, now);
  return (await findOwnLiveApiKey(database, accountId, credential.keyId, now)) !== null;
}
