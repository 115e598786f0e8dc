import type { NormalisedEmail } from '../../foundation/mail/email-address.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import { openValue, sealValue } from '../../foundation/sealed-value.ts';
import type { ExternalIdentity } from '../openid/openid-claims.ts';

/** A sign-in that waits for a one-time code, and the factor that was checked before. */
interface PendingSignIn {
  readonly email: NormalisedEmail;
  readonly checked:
    /** A digest of the stored hash: a change of password invalidates it. */
    | { readonly kind: 'password'; readonly mark: string }
    | { readonly kind: 'provider'; readonly identity: ExternalIdentity };
}

export const pendingSignInMs = 10 * 60_000;
const purpose = 'sign-in that waits for a code';

/** For a cookie. */
export function sealPendingSignIn(deps: SealDeps, pending: PendingSignIn): string {
  return sealValue(deps, purpose, pending, pendingSignInMs);
}

/** Null if it was not begun in this browser in the last ten minutes. */
export function openPendingSignIn(deps: SealDeps, sealed: string): PendingSignIn | null {
  return openValue<PendingSignIn>(deps, purpose, sealed);
}
