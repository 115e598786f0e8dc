import type { RegistrationResponseJSON } from '@simplewebauthn/server';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict, invalidField } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import { nameFaultMessages, parseDisplayName } from '../accounts/display-name.ts';
import type { Client } from '../client.ts';
import type { CredentialKind, Ending } from '../credentials/credential-kind.ts';
import type { SessionId } from '../credentials/session.ts';
import { announceCredential } from '../mail/announce-credential.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { PasskeyQuestion } from '../passkeys/passkey-answer.ts';
import { refusedPasskey } from '../passkeys/passkey-answer.ts';
import { makeChallenge, takeChallenge } from '../passkeys/passkey-challenge.ts';
import type { PasskeyId } from '../passkeys/passkey-store.ts';
import { deletePasskey, insertPasskey, listPasskeys } from '../passkeys/passkey-store.ts';
import { parseDeviceResponse, relyingParty, signatureAlgorithms } from '../passkeys/relying-party.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';

export const passkeyAdded = defineAuditKind(
  'passkey_added',
  (word) => `The passkey “${word('name')}” was added.`,
);
export const passkeyRemoved = defineAuditKind(
  'passkey_removed',
  (word) => `The passkey “${word('name')}” was removed.`,
);

const passkeysMax = 20;

export interface PasskeyDeps extends ReauthenticateDeps {
  readonly authUrl: string;
}

interface BeginPasskey extends Omit<ProvenRequest, 'accountId'> {
  readonly account: Pick<Account, 'id' | 'email' | 'name'>;
  /** The name of the key. */
  readonly name: string;
}

/** Confirms the owner before the device creates a key, so that the device stores no refused key. */
export async function beginPasskey(deps: PasskeyDeps, request: BeginPasskey): Promise<PasskeyQuestion> {
  const { account } = request;
  const name = parseDisplayName(request.name);
  if (!name.ok) throw invalidField('name', nameFaultMessages[name.reason]);
  await reauthenticate(deps, 'add_passkey', { ...request, accountId: account.id });
  const known = await listPasskeys(deps.database, account.id);
  requireRoom(known);
  const { challenge, sealed } = makeChallenge(
    deps,
    { kind: 'add_key', accountId: account.id, sessionId: request.sessionId },
    name.value,
  );
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Daybook',
    rpID: relyingParty(deps.authUrl).id,
    userName: account.email,
    userDisplayName: account.name,
    userID: Uint8Array.from(Buffer.from(account.id)),
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    supportedAlgorithmIDs: signatureAlgorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { sealed, options: JSON.stringify(options) };
}

function requireRoom(known: readonly unknown[]): void {
  if (known.length >= passkeysMax)
    throw new ProblemError(conflict, `An account can have at most ${passkeysMax} passkeys.`);
}

export interface AddPasskey {
  readonly account: Pick<Account, 'id'>;
  readonly sessionId: SessionId;
  /** From the cookie: `beginPasskey` created it for this session, after the owner was confirmed. */
  readonly challenge: string;
  /** The response of the device, as JSON. */
  readonly response: string;
  readonly client: Client;
}

export async function addPasskey(deps: PasskeyDeps, request: AddPasskey): Promise<void> {
  const { account, client } = request;
  const accountId = account.id;
  const { credential, name } = await verifiedCredential(deps, request);
  await deps.database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    // A recovery may have ended the session since the owner was confirmed.
    await requireLiveSession(transaction, { accountId, sessionId: request.sessionId }, deps.clock.now());
    requireRoom(await listPasskeys(transaction, accountId));
    const createdAt = deps.clock.now();
    const id: PasskeyId = deps.ids.next();
    const added = await insertPasskey(transaction, {
      id,
      accountId,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      name,
      createdAt,
    });
    if (!added) throw new ProblemError(conflict, 'This device already has a passkey for this account.');
    const detail = { passkeyId: id, name };
    const event = { kind: passkeyAdded, at: createdAt, accountId, client, detail };
    await recordAuditEvent(transaction, deps.ids, event);
    await announceCredential(transaction, deps, accountId, 'passkey_added');
  });
}

async function verifiedCredential(deps: PasskeyDeps, request: AddPasskey) {
  const { account, sessionId, challenge, response } = request;
  const use = { kind: 'add_key', accountId: account.id, sessionId } as const;
  const expected = await takeChallenge(deps, challenge, use);
  const parsed = parseDeviceResponse<RegistrationResponseJSON>(response);
  const { id, origin } = relyingParty(deps.authUrl);
  if (expected === null || parsed === null) throw refusedPasskey();
  try {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const verification = await verifyRegistrationResponse({
      response: parsed,
      expectedChallenge: expected.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: signatureAlgorithms,
    });
    if (verification.verified)
      return { credential: verification.registrationInfo.credential, name: expected.name };
  } catch (cause) {
    // The library throws the reason of a refusal; it is logged.
    throw refusedPasskey(cause);
  }
  throw refusedPasskey();
}

/** False if the account has no such passkey. The last one may be removed too: a reset link always sets a password. */
export async function removePasskey(
  deps: Pick<PasskeyDeps, 'database' | 'clock' | 'ids'>,
  request: {
    readonly account: Pick<Account, 'id' | 'email'>;
    readonly passkeyId: PasskeyId;
    readonly client: Client;
  },
): Promise<boolean> {
  const { account, passkeyId, client } = request;
  return deps.database.transaction().execute(async (transaction) => {
    const accountId = account.id;
    if (!(await remove(transaction, deps, { accountId, passkeyId, client }))) return false;
    await requestMail(transaction, deps, {
      kind: 'sign_in_changed',
      recipient: account.email,
      subjectId: accountId,
    });
    return true;
  });
}

/** One or all passkeys of an account, in the caller's transaction. */
async function removePasskeys(
  transaction: Database,
  deps: Pick<PasskeyDeps, 'clock' | 'ids'>,
  { accountId, client, only }: Pick<Ending, 'accountId' | 'client' | 'only'>,
): Promise<void> {
  for (const { id: passkeyId } of await listPasskeys(transaction, accountId))
    if (only === null || only === passkeyId)
      await remove(transaction, deps, { accountId, client, passkeyId });
}

export const passkeys: CredentialKind = {
  name: 'passkeys',
  columns: ['identity.passkey.account_id'],
  effects: {
    password_change: { stays: 'A passkey does not depend on the password.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'It opens the account, not an organization.' },
  },
  list: async (database, { accountId }) =>
    (await listPasskeys(database, accountId)).map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt,
      lastUsedAt,
      origin: null,
    })),
  endsOn: '/account/passkeys',
  end: removePasskeys,
};

async function remove(
  transaction: Database,
  { clock, ids }: Pick<PasskeyDeps, 'clock' | 'ids'>,
  request: { readonly accountId: AccountId; readonly passkeyId: PasskeyId; readonly client: Client },
): Promise<boolean> {
  const { accountId, passkeyId, client } = request;
  const name = await deletePasskey(transaction, accountId, passkeyId);
  if (name === null) return false;
  const [at, detail] = [clock.now(), { name }];
  await recordAuditEvent(transaction, ids, { kind: passkeyRemoved, at, accountId, client, detail });
  return true;
}
