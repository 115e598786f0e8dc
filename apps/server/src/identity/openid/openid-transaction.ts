import type { SealDeps } from '../../foundation/sealed-value.ts';
import { openValue, sealValue } from '../../foundation/sealed-value.ts';
import type { AccountId } from '../accounts/account.ts';
import type { SessionId } from '../credentials/session.ts';

/** The state of a sign-in during the redirect to the provider. */
export interface OpenIdTransaction {
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The account to link, and the session whose owner was confirmed; null for a sign-in. */
  readonly linkTo: { readonly accountId: AccountId; readonly sessionId: SessionId } | null;
  /** Context of the page. */
  readonly context: string;
}

export const openIdTransactionMs = 10 * 60_000;
/** A cookie has at most 4 KiB, and sealing adds a third. */
const contextBytesMax = 1_500;
const purpose = 'openid transaction';

/** For a cookie. */
export function sealTransaction(deps: SealDeps, transaction: OpenIdTransaction): string {
  if (Buffer.byteLength(transaction.context) > contextBytesMax)
    throw new RangeError(`the context of an OpenID sign-in is longer than ${contextBytesMax} bytes`);
  return sealValue(deps, purpose, transaction, openIdTransactionMs);
}

/** Null if it was not sealed here or has expired. */
export function openTransaction(deps: SealDeps, sealed: string): OpenIdTransaction | null {
  return openValue<OpenIdTransaction>(deps, purpose, sealed);
}
