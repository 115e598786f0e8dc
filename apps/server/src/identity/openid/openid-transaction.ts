import type { Clock } from '../../foundation/clock.ts';
import type { AccountId } from '../accounts/account.ts';
import type { SecretBox } from '../signing-keys/secret-box.ts';

/** What must be remembered between leaving for the provider and coming back. */
export interface OpenIdTransaction {
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Of the account that a new identity is to open; null for signing in. */
  readonly linkTo: AccountId | null;
  /** The page's own affair. */
  readonly context: string;
}

export const openIdTransactionMs = 10 * 60_000;
/** A cookie holds 4 KiB, and sealing costs a third. */
const contextBytesMax = 1_500;
const sealedCharsMax = 4_000;
const purpose = 'openid transaction';

export interface TransactionDeps {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

/** For a cookie: nobody can read, change or make one. */
export function sealTransaction(deps: TransactionDeps, transaction: OpenIdTransaction): string {
  if (Buffer.byteLength(transaction.context) > contextBytesMax)
    throw new RangeError(`the context of an OpenID sign-in is longer than ${contextBytesMax} bytes`);
  const expiresAtMs = deps.clock.nowMs() + openIdTransactionMs;
  const plain = Buffer.from(JSON.stringify({ ...transaction, expiresAtMs }));
  return deps.secretBox.seal(plain, purpose).toString('base64url');
}

/** Null where it is not one of ours or came too late. */
export function openTransaction(deps: TransactionDeps, sealed: string): OpenIdTransaction | null {
  if (sealed.length > sealedCharsMax) return null;
  let plain: Buffer;
  try {
    plain = deps.secretBox.open(Buffer.from(sealed, 'base64url'), purpose);
  } catch {
    return null;
  }
  const { expiresAtMs, ...transaction } = JSON.parse(plain.toString()) as OpenIdTransaction & {
    readonly expiresAtMs: number;
  };
  return deps.clock.nowMs() < expiresAtMs ? transaction : null;
}
