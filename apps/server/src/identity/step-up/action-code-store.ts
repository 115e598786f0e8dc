import { randomBytes } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { SessionId } from '../credentials/session.ts';
import { base32 } from '../second-factor/time-code.ts';
import type { GuardedAction } from './guarded-action.ts';

export type ActionCodeId = Id<'action code'>;

export const actionCodeMs = 10 * 60_000;

/** The account, session and action of a confirmation. */
export interface GuardedRequest {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly action: GuardedAction;
}

/** Invalidates an earlier code of the session for the same action. */
export async function insertActionCode(
  transaction: Database,
  id: ActionCodeId,
  { accountId, sessionId, action }: GuardedRequest,
  now: EpochMicroseconds,
): Promise<void> {
  await transaction
    .deleteFrom('identity.action_code')
    .where('session_id', '=', sessionId)
    .where('action', '=', action)
    .execute();
  await transaction
    .insertInto('identity.action_code')
    .values({
      id,
      account_id: accountId,
      session_id: sessionId,
      action,
      created_at: isoMicroseconds(now),
      expires_at: isoMicroseconds(addMs(now, actionCodeMs)),
    })
    .execute();
}

/**
 * Created when the e-mail is written, so that only the e-mail contains it: 40 random bits, enough for ten minutes in one
 * session. Null if it was replaced, or its session ended, meanwhile.
 */
export async function createActionCode(
  database: Database,
  id: string,
  now: EpochMicroseconds,
): Promise<{ readonly code: string; readonly action: GuardedAction } | null> {
  const code = (base32(randomBytes(5)).match(/.{4}/g) ?? []).join('-');
  const row = await database
    .updateTable('identity.action_code')
    .set({ hash: hashOf(code), expires_at: isoMicroseconds(addMs(now, actionCodeMs)) })
    .where('id', '=', id)
    .returning('action')
    .executeTakeFirst();
  return row === undefined ? null : { code, action: row.action as GuardedAction };
}

/** Ignores blanks, hyphens and case. */
function hashOf(typed: string): Buffer {
  return sha256Bytes(`action code: ${typed.replaceAll(/[\s-]/g, '').toUpperCase()}`);
}

/** When the newest code was requested; null if no code is valid. */
export async function findActionCode(
  database: Database,
  { sessionId, action }: GuardedRequest,
  now: EpochMicroseconds,
): Promise<string | null> {
  const row = await database
    .selectFrom('identity.action_code')
    .select('created_at')
    .where('session_id', '=', sessionId)
    .where('action', '=', action)
    .where('expires_at', '>', isoMicroseconds(now))
    .executeTakeFirst();
  return row === undefined ? null : isoMilliseconds(fromTimestamptz(row.created_at));
}

/** One conditional delete decides: true once for each code. */
export async function useActionCode(
  database: Database,
  { accountId, sessionId, action }: GuardedRequest,
  typed: string,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.action_code')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .where('action', '=', action)
    .where('hash', '=', hashOf(typed))
    .where('expires_at', '>', isoMicroseconds(now))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The valid codes. */
export async function listActionCodes(
  database: Database,
  accountId: AccountId,
  now: EpochMicroseconds,
): Promise<readonly { readonly id: string; readonly action: GuardedAction; readonly createdAt: string }[]> {
  const rows = await database
    .selectFrom('identity.action_code')
    .select(['id', 'action', 'created_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', isoMicroseconds(now))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    action: row.action as GuardedAction,
    createdAt: isoMilliseconds(fromTimestamptz(row.created_at)),
  }));
}

/** One or all of an account. */
export async function deleteActionCodes(
  database: Database,
  accountId: AccountId,
  only: string | null,
): Promise<void> {
  let query = database.deleteFrom('identity.action_code').where('account_id', '=', accountId);
  if (only !== null) query = query.where('id', '=', only);
  await query.execute();
}
