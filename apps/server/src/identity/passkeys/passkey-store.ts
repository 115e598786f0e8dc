import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';

export type PasskeyId = Id<'passkey'>;

export interface NewPasskey {
  readonly id: PasskeyId;
  readonly accountId: AccountId;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly name: string;
  readonly createdAt: EpochMicroseconds;
}

/** False if the device's key is registered already. */
export async function insertPasskey(database: Database, passkey: NewPasskey): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('identity.passkey')
    .values({
      id: passkey.id,
      account_id: passkey.accountId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: BigInt(passkey.signCount),
      name: passkey.name,
      created_at: isoMicroseconds(passkey.createdAt),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Locked until the transaction ends, so that its signature counter rises in order. */
export async function findPasskey(
  transaction: Database,
  credentialId: Buffer,
): Promise<Pick<NewPasskey, 'id' | 'accountId' | 'publicKey' | 'signCount'> | null> {
  const row = await transaction
    .selectFrom('identity.passkey')
    .select(['id', 'account_id', 'public_key', 'sign_count'])
    .where('credential_id', '=', credentialId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id as PasskeyId,
    accountId: row.account_id as AccountId,
    publicKey: row.public_key,
    signCount: Number(row.sign_count),
  };
}

export async function notePasskeyUse(
  database: Database,
  id: PasskeyId,
  signCount: number,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.passkey')
    .set({ sign_count: BigInt(signCount), last_used_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .execute();
}

/** Every process evicts the permissions that the account had with it. */
export async function deletePasskey(
  database: Database,
  accountId: AccountId,
  id: PasskeyId,
): Promise<string | null> {
  const row = await database
    .deleteFrom('identity.passkey')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
  return row?.name ?? null;
}

export interface PasskeyRecord {
  readonly id: PasskeyId;
  readonly credentialId: Buffer;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Oldest first. */
export async function listPasskeys(
  database: Database,
  accountId: AccountId,
): Promise<readonly PasskeyRecord[]> {
  const rows = await database
    .selectFrom('identity.passkey')
    .select(['id', 'credential_id', 'name', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id as PasskeyId,
    credentialId: row.credential_id,
    name: row.name,
    createdAt: isoMilliseconds(fromTimestamptz(row.created_at)),
    lastUsedAt: row.last_used_at === null ? null : isoMilliseconds(fromTimestamptz(row.last_used_at)),
  }));
}

/** True for the first response to a challenge. */
export async function useChallenge(
  database: Database,
  hash: Buffer,
  expiresAt: EpochMicroseconds,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('identity.answered_challenge')
    .values({ hash, expires_at: isoMicroseconds(expiresAt) })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}
