import type { CryptoKey, JWK } from 'jose';
import { importJWK, importPKCS8 } from 'jose';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { RotateSigningKeyDeps } from './rotate-signing-key.ts';
import { rotateSigningKey, signingAlgorithm, signingKeyPurpose } from './rotate-signing-key.ts';
import type { SigningKeyRecord } from './signing-key-store.ts';
import { listSigningKeys } from './signing-key-store.ts';

export interface SigningKeyRing {
  readonly signer: () => Promise<{ readonly kid: string; readonly key: CryptoKey }>;
  readonly verifier: (kid: string) => Promise<CryptoKey | null>;
  readonly publicKeys: () => Promise<readonly JWK[]>;
}

const reloadAfterMs = 60_000;
/** The minimum interval of database reads for unknown key ids: invented ids must not cause load. */
const unknownReloadAfterMs = 1_000;

/** This process's copy of the keys. A new key is published long before it signs, so a copy may be a minute old. */
export function createSigningKeyRing(
  deps: RotateSigningKeyDeps & { readonly database: Database },
): SigningKeyRing {
  let keys: readonly SigningKeyRecord[] = [];
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;
  const imported = new Map<string, Promise<CryptoKey>>();

  const load = async (): Promise<void> => {
    const startedAtMs = deps.clock.nowMs();
    keys = await listSigningKeys(deps.database);
    if (keys.length === 0) {
      await deps.database.transaction().execute((transaction) => rotateSigningKey(transaction, deps, 1));
      keys = await listSigningKeys(deps.database);
    }
    imported.clear();
    loadedAtMs = startedAtMs;
  };
  const fresh = async (withinMs: number): Promise<void> => {
    if (Math.abs(deps.clock.nowMs() - loadedAtMs) < withinMs) return;
    loading ??= load().finally(() => {
      loading = null;
    });
    await loading;
  };
  const once = (name: string, make: () => Promise<CryptoKey>): Promise<CryptoKey> => {
    const held = imported.get(name) ?? make();
    imported.set(name, held);
    return held;
  };
  const openPrivate = ({ privateKey }: SigningKeyRecord): Promise<CryptoKey> =>
    importPKCS8(deps.secretBox.open(privateKey, signingKeyPurpose).toString(), signingAlgorithm);
  const find = (kid: string): SigningKeyRecord | undefined =>
    keys.find((one) => one.kid === kid && verifies(one, deps.clock.now()));
  return {
    signer: async () => {
      await fresh(reloadAfterMs);
      const now = deps.clock.now();
      const current = keys.find((one) => one.signsFrom <= now);
      if (current === undefined) throw new Error('no key signs yet');
      return { kid: current.kid, key: await once(`private ${current.kid}`, () => openPrivate(current)) };
    },
    verifier: async (kid) => {
      await fresh(reloadAfterMs);
      if (find(kid) === undefined) await fresh(unknownReloadAfterMs);
      const known = find(kid);
      if (known === undefined) return null;
      return once(
        `public ${kid}`,
        async () => (await importJWK(known.publicJwk, signingAlgorithm)) as CryptoKey,
      );
    },
    publicKeys: async () => {
      await fresh(reloadAfterMs);
      const now = deps.clock.now();
      return keys.filter((one) => verifies(one, now)).map((one) => one.publicJwk);
    },
  };
}

function verifies({ verifiesUntil }: SigningKeyRecord, now: EpochMicroseconds): boolean {
  return verifiesUntil === null || verifiesUntil > now;
}
