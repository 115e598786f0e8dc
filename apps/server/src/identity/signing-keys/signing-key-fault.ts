import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { createSecretBox } from '../../foundation/secret-box.ts';
import { signingKeyPurpose } from './rotate-signing-key.ts';
import { listSigningKeys } from './signing-key-store.ts';

/**
 * A sentence if the secret keys do not open a signing key that signs now or later; null if they do, or if no signing
 * key exists yet. With a wrong secret key every sign-in would fail.
 */
export async function describeSigningKeyFault(
  database: Database,
  secretKeys: readonly string[],
  now: EpochMicroseconds,
): Promise<string | null> {
  const keys = await listSigningKeys(database);
  if (keys.length === 0) return null;
  if (secretKeys.length === 0) return 'DAYBOOK_SECRET_KEY is not set, but the database has accounts';
  const box = createSecretBox(secretKeys);
  const current = keys.findIndex(({ signsFrom }) => signsFrom <= now);
  for (const { privateKey } of current < 0 ? keys : keys.slice(0, current + 1)) {
    try {
      box.open(privateKey, signingKeyPurpose);
    } catch {
      return 'DAYBOOK_SECRET_KEY does not open the signing keys of this database: set the key with which they were encrypted';
    }
  }
  return null;
}
