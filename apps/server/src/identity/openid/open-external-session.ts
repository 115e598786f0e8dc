import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { BrowserSession, BrowserSessionDeps } from '../sessions/browser-session.ts';
import { insertBrowserSession } from '../sessions/browser-session.ts';
import { holdExternalIdentity } from './external-identity-store.ts';
import type { ExternalIdentity } from './openid-claims.ts';

/** For an identity that the provider has just confirmed: null where it does not open the account any more. */
export function openExternalSession(
  deps: BrowserSessionDeps,
  signIn: {
    readonly identity: ExternalIdentity;
    readonly accountId: AccountId;
    readonly client: Client;
    /** The browser's device cookie. */
    readonly device?: string | null;
  },
): Promise<BrowserSession | null> {
  const { identity, accountId, client, device = null } = signIn;
  return deps.database.transaction().execute(async (transaction) => {
    if (!(await holdExternalIdentity(transaction, identity, accountId))) return null;
    return insertBrowserSession(transaction, deps, { accountId, client, device, method: 'openid' });
  });
}
