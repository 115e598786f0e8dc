import { sha256, secretsEqual } from '../../foundation/hash.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { AttemptOrigin } from '../attempts/known-source.ts';
import { releaseAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { PasswordAttempt } from '../passwords/check-password.ts';
import { reserveAttempt } from '../passwords/check-password.ts';
import type { OneTimeCodeDeps } from '../second-factor/use-one-time-code.ts';
import { recordCodeRequest, useOneTimeCode } from '../second-factor/use-one-time-code.ts';
import type { BrowserSession, BrowserSessionDeps } from '../sessions/browser-session.ts';
import { openVerifiedBrowserSession } from '../sessions/browser-session.ts';
import { insertExternalSession } from './open-external-session.ts';
import { openPendingSignIn, sealPendingSignIn } from './pending-sign-in.ts';
import type { SignInDeps } from './sign-in.ts';
import { withUnchangedPassword } from './sign-in.ts';

export type BrowserSignIn =
  | { readonly kind: 'signed-in'; readonly session: BrowserSession }
  /** For a cookie: the password was right, and the code page follows. */
  | { readonly kind: 'code-needed'; readonly pending: string };

export function signInBrowser(deps: SignInDeps, attempt: PasswordAttempt): Promise<BrowserSignIn> {
  const { client, device = null } = attempt;
  return withUnchangedPassword<BrowserSignIn>(deps, attempt, async (check) => {
    if (check.secondFactorSecret === null) {
      const session = await openVerifiedBrowserSession(deps, { verified: check.verified, client, device });
      return session === null ? null : { kind: 'signed-in', session };
    }
    const { accountId, passwordHash } = check.passwordOnly;
    await releaseAttempt(deps.database, check.passwordOnly.attempt);
    await recordCodeRequest(deps, accountId, client);
    const email = requireEmailAddress(attempt.email).normalised;
    const checked = { kind: 'password', mark: sha256(passwordHash) } as const;
    return { kind: 'code-needed', pending: sealPendingSignIn(deps, { email, checked }) };
  });
}

/** Counted separately from passwords. Null if this browser began no sign-in in the last ten minutes. */
export async function finishBrowserSignIn(
  deps: OneTimeCodeDeps & BrowserSessionDeps,
  { pending, code, ...origin }: AttemptOrigin & { readonly pending: string; readonly code: string },
): Promise<BrowserSession | null> {
  const begun = openPendingSignIn(deps, pending);
  if (begun === null) return null;
  const { client } = origin;
  const { record, attempt } = await reserveAttempt(deps, { email: begun.email, guessed: 'code', origin });
  if (record === null || record.secondFactorSecret === null) return null;
  const { accountId, passwordHash, secondFactorSecret: sealedSecret } = record;
  const { checked } = begun;
  if (checked.kind === 'provider') {
    await useOneTimeCode(deps, { accountId, sealedSecret, code, client });
    return deps.database.transaction().execute(async (transaction) => {
      await releaseAttempt(transaction, attempt);
      return insertExternalSession(transaction, deps, { ...origin, accountId, identity: checked.identity });
    });
  }
  if (passwordHash === null || !secretsEqual(sha256(passwordHash), checked.mark)) return null;
  await useOneTimeCode(deps, { accountId, sealedSecret, code, client });
  return openVerifiedBrowserSession(deps, { ...origin, verified: { accountId, passwordHash, attempt } });
}
