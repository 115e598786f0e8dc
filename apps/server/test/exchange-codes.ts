import type { AccountId } from '../src/identity/accounts/account.ts';
import type { Identity } from '../src/identity/index.ts';
import { openBrowserSession } from '../src/identity/sessions/browser-session.ts';
import { createExchangeCode } from '../src/identity/sign-in/exchange-code.ts';

/** A code as the pages issue it for a program, in a separate browser session. */
export async function exchangeCodeFor(
  identity: Identity,
  accountId: AccountId,
  codeChallenge: string | null = null,
): Promise<string> {
  const client = { address: '192.0.2.1', userAgent: 'browser' };
  const { sessionId } = await openBrowserSession(identity, { accountId, client, method: 'password' });
  return createExchangeCode(identity, { accountId, sessionId, codeChallenge, client });
}
