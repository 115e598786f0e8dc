import type { AuthenticationResponseJSON } from '@simplewebauthn/server';

import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import type { Client } from '../client.ts';
import type { PasskeyQuestion } from '../passkeys/passkey-answer.ts';
import { notePasskeyRefusal, refusedPasskey, verifiedCount } from '../passkeys/passkey-answer.ts';
import { makeChallenge, takeChallenge } from '../passkeys/passkey-challenge.ts';
import { findPasskey, listPasskeys, notePasskeyUse } from '../passkeys/passkey-store.ts';
import { parseDeviceResponse, relyingParty } from '../passkeys/relying-party.ts';
import type { GuardedRequest } from './action-code-store.ts';

export interface PasskeyProofDeps extends SealDeps {
  readonly database: Database;
  readonly ids: IdSource;
  readonly authUrl: string;
}

/** Null if the account has no passkey. */
export async function beginPasskeyProof(
  deps: PasskeyProofDeps,
  request: GuardedRequest,
): Promise<PasskeyQuestion | null> {
  const known = await listPasskeys(deps.database, request.accountId);
  if (known.length === 0) return null;
  const { challenge, sealed } = makeChallenge(deps, { kind: 'confirm', ...request });
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.authUrl).id,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    allowCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    userVerification: 'required',
  });
  return { sealed, options: JSON.stringify(options) };
}

/** Accepts a response of a passkey of this account, once, for this session and action. */
export async function requirePasskeyProof(
  deps: PasskeyProofDeps,
  request: GuardedRequest,
  answer: { readonly challenge: string; readonly response: string; readonly client: Client },
): Promise<void> {
  if (await isProven(deps, request, answer)) return;
  await notePasskeyRefusal(deps, request.accountId, answer.client);
  throw refusedPasskey();
}

async function isProven(
  deps: PasskeyProofDeps,
  request: GuardedRequest,
  answer: { readonly challenge: string; readonly response: string },
): Promise<boolean> {
  const expected = await takeChallenge(deps, answer.challenge, { kind: 'confirm', ...request });
  const parsed = parseDeviceResponse<AuthenticationResponseJSON>(answer.response);
  if (expected === null || parsed === null) return false;
  return deps.database.transaction().execute(async (transaction) => {
    const passkey = await findPasskey(transaction, Buffer.from(parsed.id, 'base64url'));
    if (passkey?.accountId !== request.accountId) return false;
    const expectedChallenge = expected.challenge;
    const signCount = await verifiedCount(deps, { parsed, passkey, expectedChallenge });
    if (signCount === null) return false;
    await notePasskeyUse(transaction, passkey.id, signCount, deps.clock.now());
    return true;
  });
}
