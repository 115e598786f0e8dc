import type { Transaction } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { addMs } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import { announceCredential } from '../mail/announce-credential.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { isSourceNew } from './known-source-store.ts';
import type { AttemptOrigin } from './known-source.ts';
import { attemptSources, knownSourceMs } from './known-source.ts';

interface SignInOrigin extends Pick<AttemptOrigin, 'client' | 'device'> {
  readonly accountId: AccountId;
}

/** The first sign-in to an account is not reported: its owner has just created or recovered it. */
export function isFromNewPlace(
  database: Database,
  { clock }: Pick<RequestMailDeps, 'clock'>,
  { accountId, ...origin }: SignInOrigin,
): Promise<boolean> {
  const { device, block } = attemptSources(origin);
  const sources = [device, block].filter((source) => source !== null);
  return isSourceNew(database, { accountId, sources, since: addMs(clock.now(), -knownSourceMs) });
}

/** Call before the source is stored. */
export async function announceNewPlace(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  signIn: SignInOrigin,
): Promise<void> {
  if (await isFromNewPlace(transaction, deps, signIn))
    await announceCredential(transaction, deps, signIn.accountId, 'signed_in_from_new_place');
}
