import type { AuthenticationResponseJSON } from '@simplewebauthn/server';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { invalidPasskey } from '../identity-problems.ts';
import type { MadeChallenge } from './passkey-challenge.ts';
import type { NewPasskey } from './passkey-store.ts';
import { relyingParty } from './relying-party.ts';

export const passkeyRefused = defineAuditKind('passkey_refused', 'A passkey was refused.');

/** The options that a browser passes to the device, and their challenge. */
export interface PasskeyQuestion extends Pick<MadeChallenge, 'sealed'> {
  /** As JSON. */
  readonly options: string;
}

/** The signature counter of a valid response; null for an invalid one. */
export async function verifiedCount(
  { authUrl }: { readonly authUrl: string },
  answer: {
    readonly parsed: AuthenticationResponseJSON;
    readonly passkey: Pick<NewPasskey, 'accountId' | 'publicKey' | 'signCount'>;
    readonly expectedChallenge: string;
  },
): Promise<number | null> {
  const { parsed, passkey, expectedChallenge } = answer;
  const { id, origin } = relyingParty(authUrl);
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: parsed,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: parsed.id,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.signCount,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The error does not say which check failed: the device could not correct it.
    return null;
  }
}

export function refusedPasskey(cause?: unknown): ProblemError {
  return new ProblemError(invalidPasskey, 'The response of the device was not accepted. Try again.', {
    cause,
  });
}

export function notePasskeyRefusal(
  { database, ids, clock }: { readonly database: Database; readonly ids: IdSource; readonly clock: Clock },
  accountId: AccountId | null,
  client: Client,
): Promise<void> {
  return recordAuditEvent(database, ids, { kind: passkeyRefused, at: clock.now(), accountId, client });
}
