import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { SealDeps } from '../sealed-value.ts';
import type { BrowserSession, BrowserSessionDeps } from '../sessions/browser-session.ts';
import { insertBrowserSession } from '../sessions/browser-session.ts';
import type { PasskeyQuestion } from './add-passkey.ts';
import { refusedPasskey } from './add-passkey.ts';
import { makeChallenge, takeChallenge } from './passkey-challenge.ts';
import type { NewPasskey } from './passkey-store.ts';
import { findPasskey, notePasskeyUse } from './passkey-store.ts';
import { parseDeviceResponse, relyingParty } from './relying-party.ts';

export const passkeyRefused = defineAuditKind('passkey_refused', 'A sign-in with a passkey was refused.');

export type PasskeySignInDeps = SealDeps & BrowserSessionDeps & { readonly authUrl: string };

/** The same for everyone: the device knows for which account it has a key. */
export async function beginPasskeySignIn(deps: PasskeySignInDeps): Promise<PasskeyQuestion> {
  const { challenge, sealed } = makeChallenge(deps);
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.authUrl).id,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  });
  return { sealed, options: JSON.stringify(options) };
}

export interface PasskeyAnswer {
  /** From the cookie. */
  readonly challenge: string;
  /** What the device answered, as JSON. */
  readonly response: string;
  readonly client: Client;
}

/**
 * A passkey is a device and what unlocks it, two factors already: neither password nor code is asked for, and the lock on
 * passwords does not apply. The challenge is used up before the signature is looked at.
 */
export async function signInWithPasskey(
  deps: PasskeySignInDeps,
  { challenge, response, client }: PasskeyAnswer,
): Promise<BrowserSession> {
  const expectedChallenge = (await takeChallenge(deps, challenge, null))?.challenge ?? null;
  const parsed = parseDeviceResponse<AuthenticationResponseJSON>(response);
  const entered = await deps.database.transaction().execute(async (transaction) => {
    const passkey =
      parsed === null ? null : await findPasskey(transaction, Buffer.from(parsed.id, 'base64url'));
    if (expectedChallenge === null || parsed === null || passkey === null)
      return { refused: passkey?.accountId ?? null };
    const signCount = await verifiedCount(deps, { parsed, passkey, expectedChallenge });
    if (signCount === null) return { refused: passkey.accountId };
    await notePasskeyUse(transaction, passkey.id, signCount, deps.clock.now());
    const signIn = { accountId: passkey.accountId, client, method: 'passkey' } as const;
    return { session: await insertBrowserSession(transaction, deps, signIn) };
  });
  if ('session' in entered) return entered.session;
  await noteRefusal(deps, entered.refused, client);
  throw refusedPasskey();
}

async function verifiedCount(
  { authUrl }: PasskeySignInDeps,
  answer: {
    readonly parsed: AuthenticationResponseJSON;
    readonly passkey: Pick<NewPasskey, 'accountId' | 'publicKey' | 'signCount'>;
    readonly expectedChallenge: string;
  },
): Promise<number | null> {
  const { parsed, passkey, expectedChallenge } = answer;
  const { id, origin } = relyingParty(authUrl);
  try {
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
    // Which of its checks failed is told to nobody: there is nothing that an honest device could do about it.
    return null;
  }
}

function noteRefusal(
  { database, ids, clock }: PasskeySignInDeps,
  accountId: AccountId | null,
  client: Client,
): Promise<void> {
  return recordAuditEvent(database, ids, { kind: passkeyRefused, at: clock.now(), accountId, client });
}
