import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';

export interface NewSecondFactor {
  readonly accountId: AccountId;
  readonly sealedSecret: Buffer;
  /** The step of the code that confirmed it. */
  readonly lastStep: number;
  readonly createdAt: EpochMicroseconds;
}

/** False if the account has one already. */
export async function insertSecondFactor(database: Database, factor: NewSecondFactor): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('identity.second_factor')
    .values({
      account_id: factor.accountId,
      secret: factor.sealedSecret,
      last_step: BigInt(factor.lastStep),
      created_at: isoMicroseconds(factor.createdAt),
    })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** With its recovery codes. Every process evicts the permissions that the account had with it. */
export async function deleteSecondFactor(database: Database, accountId: AccountId): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.second_factor')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
  return numDeletedRows > 0n;
}

/** If it was turned on at that time or later. */
export async function deleteSecondFactorSince(
  database: Database,
  accountId: AccountId,
  since: EpochMicroseconds,
): Promise<void> {
  await database
    .deleteFrom('identity.second_factor')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', isoMicroseconds(since))
    .execute();
  await sql`SELECT pg_notify(${credentialChannel}, ${accountId})`.execute(database);
}

/** Whether the account has one that a sign-in through a provider requires. */
export async function requiresCodeAtProvider(database: Database, accountId: AccountId): Promise<boolean> {
  const row = await database
    .selectFrom('identity.second_factor')
    .select('asks_at_provider')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.asks_at_provider === true;
}

export async function updateCodeAtProvider(
  database: Database,
  accountId: AccountId,
  asks: boolean,
): Promise<void> {
  await database
    .updateTable('identity.second_factor')
    .set({ asks_at_provider: asks })
    .where('account_id', '=', accountId)
    .execute();
}

/** When it was turned on; null if it is off. */
export async function findSecondFactorStart(
  database: Database,
  accountId: AccountId,
): Promise<string | null> {
  const row = await database
    .selectFrom('identity.second_factor')
    .select('created_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? null : isoMilliseconds(fromTimestamptz(row.created_at));
}

export async function hasSecondFactor(database: Database, accountId: AccountId): Promise<boolean> {
  const row = await database
    .selectFrom('identity.second_factor')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** One conditional update decides: refuses a used code and every earlier one. */
export async function useStep(database: Database, accountId: AccountId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('identity.second_factor')
    .set({ last_step: BigInt(step) })
    .where('account_id', '=', accountId)
    .where('last_step', '<', BigInt(step))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Replaces the previous codes of the account. */
export async function replaceRecoveryCodes(
  database: Database,
  accountId: AccountId,
  hashes: readonly Buffer[],
): Promise<void> {
  await database.deleteFrom('identity.recovery_code').where('account_id', '=', accountId).execute();
  await database
    .insertInto('identity.recovery_code')
    .values(hashes.map((hash) => ({ account_id: accountId, hash })))
    .execute();
}

/** Deleting the row uses the code. */
export async function useRecoveryCode(
  database: Database,
  accountId: AccountId,
  hash: Buffer,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.recovery_code')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(database: Database, accountId: AccountId): Promise<number> {
  const { count } = await database
    .selectFrom('identity.recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
