import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import { findPerson } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { holdExternalIdentity } from '../openid/external-identity-store.ts';
import type { ExternalIdentity } from '../openid/openid-claims.ts';
import { requiresCodeAtProvider } from '../second-factor/second-factor-store.ts';
import type { BrowserSession, BrowserSessionDeps } from '../sessions/browser-session.ts';
import { insertBrowserSession } from '../sessions/browser-session.ts';
import { sealPendingSignIn } from './pending-sign-in.ts';

export interface ExternalSignIn {
  readonly identity: ExternalIdentity;
  readonly accountId: AccountId;
  readonly client: Client;
  /** The browser's device cookie. */
  readonly device?: string | null;
}

export type ExternalOpening =
  | { readonly kind: 'signed-in'; readonly session: BrowserSession }
  /** For a cookie: the account has a second factor, and the code page follows. */
  | { readonly kind: 'code-needed'; readonly pending: string }
  | { readonly kind: 'unlinked' };

/** For an identity that the provider has just confirmed. */
export function openExternalSession(
  deps: BrowserSessionDeps & SealDeps,
  signIn: ExternalSignIn,
): Promise<ExternalOpening> {
  const { identity, accountId } = signIn;
  return deps.database.transaction().execute(async (transaction): Promise<ExternalOpening> => {
    if (await requiresCodeAtProvider(transaction, accountId)) {
      const person = await findPerson(transaction, accountId);
      if (person === null) return { kind: 'unlinked' };
      const checked = { kind: 'provider', identity } as const;
      const pending = sealPendingSignIn(deps, { email: person.emailNormalised, checked });
      return { kind: 'code-needed', pending };
    }
    const session = await insertExternalSession(transaction, deps, signIn);
    return session === null ? { kind: 'unlinked' } : { kind: 'signed-in', session };
  });
}

/** Null if the identity is no longer linked to the account. */
export async function insertExternalSession(
  transaction: Transaction<DB>,
  deps: BrowserSessionDeps,
  { identity, ...signIn }: ExternalSignIn,
): Promise<BrowserSession | null> {
  if (!(await holdExternalIdentity(transaction, identity, signIn.accountId))) return null;
  return insertBrowserSession(transaction, deps, { ...signIn, method: 'openid' });
}
