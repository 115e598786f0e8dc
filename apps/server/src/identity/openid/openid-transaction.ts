import type { AccountId } from '../accounts/account.ts';
import type { SessionId } from '../credentials/session.ts';
import type { SealDeps } from '../sealed-value.ts';
import { openValue, sealValue } from '../sealed-value.ts';

/** What must be remembered between leaving for the provider and coming back. */
export interface OpenIdTransaction {
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The account that a new identity is to open, and the session whose owner was confirmed; null for signing in. */
  readonly linkTo: { readonly accountId: AccountId; readonly sessionId: SessionId } | null;
  /** The page's own affair. */
  readonly context: string;
}

export const openIdTransactionMs = 10 * 60_000;
/** A cookie holds 4 KiB, and sealing costs a third. */
const contextBytesMax = 1_500;
const purpose = 'openid transaction';

/** For a cookie. */
export function sealTransaction(deps: SealDeps, transaction: OpenIdTransaction): string {
  if (Buffer.byteLength(transaction.context) > contextBytesMax)
    throw new RangeError(`the context of an OpenID sign-in is longer than ${contextBytesMax} bytes`);
  return sealValue(deps, purpose, transaction, openIdTransactionMs);
}

/** Null where it is not one of ours or came too late. */
export function openTransaction(deps: SealDeps, sealed: string): OpenIdTransaction | null {
  return openValue<OpenIdTransaction>(deps, purpose, sealed);
}
