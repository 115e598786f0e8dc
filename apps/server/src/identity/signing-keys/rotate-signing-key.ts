import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from 'jose';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import { accessTokenSeconds } from '../credentials/session.ts';
import {
  deleteSigningKeysBefore,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
} from './signing-key-store.ts';

export const signingKeyRotated = defineAuditKind(
  'signing_key_rotated',
  'The signing key of access tokens was rotated.',
);

export const signingAlgorithm = 'ES256';
export const signingKeyPurpose = 'signing key';
/** A new key is published for this long before it signs; caches of the key set expire sooner. */
export const publishLeadMs = 15 * 60_000;
const clockSlackMs = 5 * 60_000;

export interface RotateSigningKeyDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secretBox: SecretBox;
}

/**
 * Creates a successor unless the newest key is younger than the given age. Tokens of the old key stay valid until the
 * last of them has expired. The first key of an installation signs at once.
 */
export async function rotateSigningKey(
  transaction: Database,
  deps: RotateSigningKeyDeps,
  unlessYoungerThanMs: number,
): Promise<boolean> {
  await lockSigningKeys(transaction);
  const now = deps.clock.now();
  const [newest] = await listSigningKeys(transaction);
  if (newest !== undefined && addMs(newest.createdAt, unlessYoungerThanMs) > now) return false;
  const signsFrom = newest === undefined ? now : addMs(now, publishLeadMs);
  const kid = await makeKey(transaction, deps.secretBox, now, signsFrom);
  await retireSigningKeys(transaction, kid, addMs(signsFrom, accessTokenSeconds * 1000 + clockSlackMs));
  await deleteSigningKeysBefore(transaction, now);
  await recordAuditEvent(transaction, deps.ids, {
    kind: signingKeyRotated,
    at: now,
    accountId: null,
    client: null,
    detail: { kid },
  });
  return true;
}

async function makeKey(
  transaction: Database,
  secretBox: SecretBox,
  createdAt: EpochMicroseconds,
  signsFrom: EpochMicroseconds,
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const sealed = secretBox.seal(Buffer.from(await exportPKCS8(privateKey)), signingKeyPurpose);
  const publicJwk = { ...jwk, kid, alg: signingAlgorithm, use: 'sig' };
  await insertSigningKey(transaction, { kid, publicJwk, privateKey: sealed, createdAt, signsFrom });
  return kid;
}

/** For an operator's command: ignores the age of the newest key. */
export async function rotateSigningKeyNow(
  deps: RotateSigningKeyDeps & { readonly database: Database },
): Promise<void> {
  await deps.database.transaction().execute((transaction) => rotateSigningKey(transaction, deps, 0));
}
