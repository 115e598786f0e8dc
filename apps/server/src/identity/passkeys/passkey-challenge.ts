import { randomBytes } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { addMs } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { SealDeps } from '../sealed-value.ts';
import { openValue, sealValue } from '../sealed-value.ts';
import { useChallenge } from './passkey-store.ts';

export const passkeyChallengeMs = 5 * 60_000;
const purpose = 'challenge of a passkey';

/** For whom a challenge was made: to add a key to an account, whose owner has just been confirmed, or for whoever signs in. */
interface Challenge {
  readonly challenge: string;
  readonly addsTo: AccountId | null;
  /** What a key that is added shall be called. */
  readonly name: string;
}

export interface MadeChallenge {
  /** What the device signs. */
  readonly challenge: string;
  /** For a cookie: binds the challenge to the browser that was given it. */
  readonly sealed: string;
}

/** Nothing is stored: whoever only looks at a page writes nothing. */
export function makeChallenge(
  deps: SealDeps,
  { addsTo, name }: Pick<Challenge, 'addsTo' | 'name'> = { addsTo: null, name: '' },
): MadeChallenge {
  const challenge = randomBytes(32).toString('base64url');
  const value: Challenge = { challenge, addsTo, name };
  return { challenge, sealed: sealValue(deps, purpose, value, passkeyChallengeMs) };
}

/** Uses up the challenge of this browser; null where it has none for this purpose that is young enough and unanswered. */
export async function takeChallenge(
  deps: SealDeps & { readonly database: Database },
  sealed: string,
  addsTo: AccountId | null,
): Promise<Pick<Challenge, 'challenge' | 'name'> | null> {
  const value = openValue<Challenge>(deps, purpose, sealed);
  if (value === null || value.addsTo !== addsTo) return null;
  const until = addMs(deps.clock.now(), passkeyChallengeMs);
  const first = await useChallenge(deps.database, sha256Bytes(value.challenge), until);
  return first ? value : null;
}
