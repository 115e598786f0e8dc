import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Holder } from '../credentials/credential-kind.ts';
import type { SessionId } from '../credentials/session.ts';

export async function insertExchangeCode(
  database: Database,
  code: {
    readonly hash: Buffer;
    readonly accountId: AccountId;
    readonly codeChallenge: string | null;
    readonly createdAt: EpochMicroseconds;
    readonly expiresAt: EpochMicroseconds;
  },
): Promise<void> {
  await database
    .insertInto('identity.exchange_code')
    .values({
      hash: code.hash,
      account_id: code.accountId,
      code_challenge: code.codeChallenge,
      created_at: isoMicroseconds(code.createdAt),
      expires_at: isoMicroseconds(code.expiresAt),
    })
    .execute();
}

/** One conditional update, as for refresh tokens. A verifier without a challenge is refused like a wrong one. */
export async function useExchangeCode(
  database: Database,
  hash: Buffer,
  codeChallenge: string | null,
  now: EpochMicroseconds,
): Promise<AccountId | null> {
  const at = isoMicroseconds(now);
  const row = await database
    .updateTable('identity.exchange_code')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .where(sql<boolean>`code_challenge IS NOT DISTINCT FROM ${codeChallenge}`)
    .returning('account_id')
    .executeTakeFirst();
  return row === undefined ? null : (row.account_id as AccountId);
}

export async function linkExchangeCode(
  database: Database,
  hash: Buffer,
  sessionId: SessionId,
): Promise<void> {
  await database
    .updateTable('identity.exchange_code')
    .set({ session_id: sessionId })
    .where('hash', '=', hash)
    .execute();
}

export async function findUsedExchangeCode(
  database: Database,
  hash: Buffer,
): Promise<{ readonly usedAt: EpochMicroseconds; readonly sessionId: SessionId } | null> {
  const row = await database
    .selectFrom('identity.exchange_code')
    .select(['used_at', 'session_id'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined || row.used_at === null || row.session_id === null) return null;
  return { usedAt: fromTimestamptz(row.used_at), sessionId: row.session_id as SessionId };
}

/** The valid codes; the id is their hash in hex. */
export async function listExchangeCodes(
  database: Database,
  { accountId, now, limit }: Holder,
): Promise<readonly { readonly id: string; readonly createdAt: string }[]> {
  const rows = await database
    .selectFrom('identity.exchange_code')
    .select(['hash', 'created_at'])
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', isoMicroseconds(now))
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.hash.toString('hex'),
    createdAt: isoMilliseconds(fromTimestamptz(row.created_at)),
  }));
}

/** One or all of an account. */
export async function deleteExchangeCodes(
  database: Database,
  accountId: AccountId,
  only: string | null,
): Promise<void> {
  let query = database.deleteFrom('identity.exchange_code').where('account_id', '=', accountId);
  if (only !== null) query = query.where('hash', '=', Buffer.from(only, 'hex'));
  await query.execute();
}
