import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { SessionId } from '../credentials/session.ts';

export async function insertRefreshToken(
  database: Database,
  token: {
    readonly hash: Buffer;
    readonly sessionId: SessionId;
    readonly createdAt: EpochMicroseconds;
    readonly expiresAt: EpochMicroseconds;
  },
): Promise<void> {
  await database
    .insertInto('identity.refresh_token')
    .values({
      hash: token.hash,
      session_id: token.sessionId,
      created_at: isoMicroseconds(token.createdAt),
      expires_at: isoMicroseconds(token.expiresAt),
    })
    .execute();
}

/** The statement that decides: of concurrent uses of a token, one finds it unused. */
export async function useRefreshToken(
  database: Database,
  hash: Buffer,
  client: Client,
  now: EpochMicroseconds,
): Promise<{ readonly sessionId: SessionId; readonly accountId: AccountId } | null> {
  const at = isoMicroseconds(now);
  const { rows } = await sql<{ session_id: SessionId; account_id: AccountId }>`
    UPDATE identity.refresh_token AS token
    SET used_at = ${at}, used_from_address = ${client.address}, used_from_user_agent = ${client.userAgent}
    FROM identity.session
    WHERE token.hash = ${hash} AND token.used_at IS NULL AND token.expires_at > ${at}
      AND session.id = token.session_id AND session.revoked_at IS NULL
    RETURNING token.session_id, session.account_id`.execute(database);
  const [row] = rows;
  return row === undefined ? null : { sessionId: row.session_id, accountId: row.account_id };
}

export interface KnownRefreshToken {
  readonly sessionId: SessionId;
  readonly used: { readonly at: EpochMicroseconds; readonly client: Client } | null;
}

export async function findRefreshToken(database: Database, hash: Buffer): Promise<KnownRefreshToken | null> {
  const row = await database
    .selectFrom('identity.refresh_token')
    .select(['session_id', 'used_at', 'used_from_address', 'used_from_user_agent'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  const used =
    row.used_at === null
      ? null
      : {
          at: fromTimestamptz(row.used_at),
          client: { address: row.used_from_address ?? '', userAgent: row.used_from_user_agent ?? '' },
        };
  return { sessionId: row.session_id as SessionId, used };
}
