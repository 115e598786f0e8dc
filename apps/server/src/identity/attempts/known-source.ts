import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { addressBlock } from '../../foundation/http/client-address.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { createSecretToken } from '../../foundation/secret-token.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import type { SessionId } from '../credentials/session.ts';
import { deleteKnownSources, replaceKnownSource, upsertKnownSource } from './known-source-store.ts';

/** How long a device or address block stays known after a sign-in. */
export const knownSourceMs = 30 * dayMs;

/** The inputs that select the counter of an attempt. */
export interface AttemptOrigin {
  readonly client: Client;
  /** The browser's device cookie. */
  readonly device?: string | null;
  /** The session of a signed-in caller; the account if the caller names no session. */
  readonly signedIn?: SessionId | AccountId;
}

/** Hashes of the sources that can have a counter; the first known one is used. */
export interface AttemptSources {
  readonly session: Buffer | null;
  readonly device: Buffer | null;
  readonly block: Buffer | null;
}

export function attemptSources({ client, device = null, signedIn }: AttemptOrigin): AttemptSources {
  return {
    session: signedIn === undefined ? null : sha256Bytes(`session ${signedIn}`),
    device: device === null ? null : deviceHash(device),
    block: blockHash(client),
  };
}

/** The prefix ensures that no cookie has the hash of an address block. */
function deviceHash(device: string): Buffer {
  return sha256Bytes(`device ${device}`);
}

/** Null if the client has no IP address. */
export function blockHash({ address }: Client): Buffer | null {
  const block = addressBlock(address);
  return block === null ? null : sha256Bytes(`block ${block}`);
}

interface SourceSignIn {
  readonly accountId: AccountId;
  readonly client: Client;
  readonly at: EpochMicroseconds;
}

export async function rememberBlock(
  database: Database,
  { accountId, client, at }: SourceSignIn,
): Promise<void> {
  const source = blockHash(client);
  if (source !== null) await upsertKnownSource(database, { accountId, source, signedInAt: at });
}

/**
 * Makes the browser a known device and returns the secret for its cookie. Each sign-in issues a new secret, so that a
 * cookie that was planted or copied before stops working. For other accounts of the browser the new secret replaces it too.
 */
export async function rememberDevice(
  database: Database,
  { accountId, at, device }: SourceSignIn & { readonly device: string | null },
): Promise<string> {
  const secret = createSecretToken();
  const source = deviceHash(secret);
  if (device !== null) await replaceKnownSource(database, deviceHash(device), source);
  await upsertKnownSource(database, { accountId, source, signedInAt: at });
  return secret;
}

/** Known sources grant no access, but an intruder's device would keep its own counter. */
export const knownSources: CredentialKind = {
  name: 'known devices and networks',
  columns: ['identity.known_source.account_id'],
  effects: {
    password_change: { stays: 'They grant no access, and the owner signs in from them again.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'They concern the account, not an organization.' },
  },
  // Not on the security page, which lists only credentials that can act.
  list: async () => [],
  end: (transaction, _deps, { accountId }) => deleteKnownSources(transaction, accountId),
};
