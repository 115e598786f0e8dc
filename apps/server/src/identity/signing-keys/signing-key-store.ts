import type { JWK } from 'jose';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';

export interface SigningKeyRecord {
  readonly kid: string;
  readonly publicJwk: JWK;
  /** Sealed. */
  readonly privateKey: Buffer;
  readonly createdAt: EpochMicroseconds;
  readonly signsFrom: EpochMicroseconds;
  readonly verifiesUntil: EpochMicroseconds | null;
}

/** All keys, newest first. */
export async function listSigningKeys(database: Database): Promise<readonly SigningKeyRecord[]> {
  const rows = await database
    .selectFrom('identity.signing_key')
    .selectAll()
    .orderBy('signs_from', 'desc')
    .execute();
  return rows.map((row) => ({
    kid: row.kid,
    publicJwk: row.public_jwk as JWK,
    privateKey: row.private_key,
    createdAt: fromTimestamptz(row.created_at),
    signsFrom: fromTimestamptz(row.signs_from),
    verifiesUntil: row.verifies_until === null ? null : fromTimestamptz(row.verifies_until),
  }));
}

/** Locked until the transaction ends: two processes that both find no key create only one. */
export async function lockSigningKeys(transaction: Database): Promise<void> {
  await sql`LOCK TABLE identity.signing_key IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
}

export async function insertSigningKey(
  database: Database,
  key: Omit<SigningKeyRecord, 'verifiesUntil'>,
): Promise<void> {
  await database
    .insertInto('identity.signing_key')
    .values({
      kid: key.kid,
      public_jwk: JSON.stringify(key.publicJwk),
      private_key: key.privateKey,
      created_at: isoMicroseconds(key.createdAt),
      signs_from: isoMicroseconds(key.signsFrom),
    })
    .execute();
}

/** The keys without a successor until now. */
export async function retireSigningKeys(
  database: Database,
  exceptKid: string,
  verifiesUntil: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.signing_key')
    .set({ verifies_until: isoMicroseconds(verifiesUntil) })
    .where('verifies_until', 'is', null)
    .where('kid', '!=', exceptKid)
    .execute();
}

export async function deleteSigningKeysBefore(database: Database, instant: EpochMicroseconds): Promise<void> {
  await database
    .deleteFrom('identity.signing_key')
    .where('verifies_until', '<', isoMicroseconds(instant))
    .execute();
}
