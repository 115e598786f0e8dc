import { randomBytes } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import { openValue, sealValue } from '../../foundation/sealed-value.ts';
import type { AccountId } from '../accounts/account.ts';
import type { SessionId } from '../credentials/session.ts';
import { useChallenge } from './passkey-store.ts';

export const passkeyChallengeMs = 5 * 60_000;
const purpose = 'challenge of a passkey';

interface OwnSession {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

/** The purpose of a challenge. Except for sign-in, a challenge is valid in one session of one account. */
export type ChallengeUse =
  | { readonly kind: 'sign_in' }
  | ({ readonly kind: 'add_key' } & OwnSession)
  /** The name of a guarded action. */
  | ({ readonly kind: 'confirm'; readonly action: string } & OwnSession);

interface Challenge {
  readonly challenge: string;
  readonly use: string;
  /** The name of the new key. */
  readonly name: string;
}

export interface MadeChallenge {
  /** The bytes that the device signs. */
  readonly challenge: string;
  /** For a cookie or a form of the requesting page. */
  readonly sealed: string;
}

/** Nothing is stored: a request that only shows a page does not write. */
export function makeChallenge(deps: SealDeps, use: ChallengeUse, name = ''): MadeChallenge {
  const challenge = randomBytes(32).toString('base64url');
  const value: Challenge = { challenge, use: textOf(use), name };
  return { challenge, sealed: sealValue(deps, purpose, value, passkeyChallengeMs) };
}

/** Uses the challenge; null if it was issued for another purpose, has expired, or was used before. */
export async function takeChallenge(
  deps: SealDeps & { readonly database: Database },
  sealed: string,
  use: ChallengeUse,
): Promise<Pick<Challenge, 'challenge' | 'name'> | null> {
  const value = openValue<Challenge>(deps, purpose, sealed);
  if (value === null || value.use !== textOf(use)) return null;
  const until = addMs(deps.clock.now(), passkeyChallengeMs);
  const first = await useChallenge(deps.database, sha256Bytes(value.challenge), until);
  return first ? value : null;
}

function textOf(use: ChallengeUse): string {
  switch (use.kind) {
    case 'sign_in':
      return use.kind;
    case 'add_key':
      return [use.kind, use.accountId, use.sessionId].join(' ');
    case 'confirm':
      return [use.kind, use.accountId, use.sessionId, use.action].join(' ');
    default:
      throw new Error(`no text for ${String(use satisfies never)}`);
  }
}
