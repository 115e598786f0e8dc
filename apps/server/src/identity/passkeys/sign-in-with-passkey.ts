import type { AuthenticationResponseJSON } from '@simplewebauthn/server';

import type { SealDeps } from '../../foundation/sealed-value.ts';
import type { Client } from '../client.ts';
import type { BrowserSession, BrowserSessionDeps } from '../sessions/browser-session.ts';
import { insertBrowserSession } from '../sessions/browser-session.ts';
import type { PasskeyQuestion } from './passkey-answer.ts';
import { notePasskeyRefusal, refusedPasskey, verifiedCount } from './passkey-answer.ts';
import { makeChallenge, takeChallenge } from './passkey-challenge.ts';
import { findPasskey, notePasskeyUse } from './passkey-store.ts';
import { parseDeviceResponse, relyingParty } from './relying-party.ts';

export type PasskeySignInDeps = SealDeps & BrowserSessionDeps & { readonly authUrl: string };

/** The same for all accounts: the device knows the accounts of its keys. */
export async function beginPasskeySignIn(deps: PasskeySignInDeps): Promise<PasskeyQuestion> {
  const { challenge, sealed } = makeChallenge(deps, { kind: 'sign_in' });
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
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
  /** The response of the device, as JSON. */
  readonly response: string;
  readonly client: Client;
  /** The browser's device cookie. */
  readonly device?: string | null;
}

/**
 * A passkey is a device and what unlocks it, already two factors: neither password nor code is required, and the lock on
 * passwords does not apply. The challenge is used before the signature is checked.
 */
export async function signInWithPasskey(
  deps: PasskeySignInDeps,
  { challenge, response, client, device = null }: PasskeyAnswer,
): Promise<BrowserSession> {
  const expectedChallenge = (await takeChallenge(deps, challenge, { kind: 'sign_in' }))?.challenge ?? null;
  const parsed = parseDeviceResponse<AuthenticationResponseJSON>(response);
  const entered = await deps.database.transaction().execute(async (transaction) => {
    const passkey =
      parsed === null ? null : await findPasskey(transaction, Buffer.from(parsed.id, 'base64url'));
    if (expectedChallenge === null || parsed === null || passkey === null)
      return { refused: passkey?.accountId ?? null };
    const signCount = await verifiedCount(deps, { parsed, passkey, expectedChallenge });
    if (signCount === null) return { refused: passkey.accountId };
    await notePasskeyUse(transaction, passkey.id, signCount, deps.clock.now());
    const signIn = { accountId: passkey.accountId, client, device, method: 'passkey' } as const;
    return { session: await insertBrowserSession(transaction, deps, signIn) };
  });
  if ('session' in entered) return entered.session;
  await notePasskeyRefusal(deps, entered.refused, client);
  throw refusedPasskey();
}
