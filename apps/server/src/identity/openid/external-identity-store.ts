import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { ExternalIdentity } from './openid-claims.ts';

export async function findExternalIdentity(
  database: Database,
  { issuer, subject }: ExternalIdentity,
): Promise<AccountId | null> {
  const row = await database
    .selectFrom('identity.external_identity')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row === undefined ? null : (row.account_id as AccountId);
}

/** Whether it is linked to the account; locked until the transaction ends, so that it cannot be unlinked. */
export async function holdExternalIdentity(
  transaction: Database,
  { issuer, subject }: ExternalIdentity,
  accountId: AccountId,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('identity.external_identity')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** False if it is linked to an account already. */
export async function insertExternalIdentity(
  database: Database,
  { issuer, subject }: ExternalIdentity,
  accountId: AccountId,
  createdAt: EpochMicroseconds,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('identity.external_identity')
    .values({ issuer, subject, account_id: accountId, created_at: isoMicroseconds(createdAt) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function deleteExternalIdentity(
  database: Database,
  { issuer, subject }: ExternalIdentity,
  accountId: AccountId,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.external_identity')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExternalIdentities(database: Database, accountId: AccountId): Promise<void> {
  await database.deleteFrom('identity.external_identity').where('account_id', '=', accountId).execute();
}

export interface ExternalIdentityRecord extends ExternalIdentity {
  readonly linkedAt: string;
}

/** The identities linked to this account, oldest first. */
export async function listExternalIdentities(
  database: Database,
  accountId: AccountId,
): Promise<readonly ExternalIdentityRecord[]> {
  const rows = await database
    .selectFrom('identity.external_identity')
    .select(['issuer', 'subject', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('subject')
    .limit(100)
    .execute();
  return rows.map(({ issuer, subject, created_at }) => ({
    issuer,
    subject,
    linkedAt: isoMilliseconds(fromTimestamptz(created_at)),
  }));
}
