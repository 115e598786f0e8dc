import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../../foundation/instant.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';

export type TokenPurpose =
  | 'confirm_sign_up'
  | 'reset_password'
  | 'join_organization'
  | 'confirm_email'
  | 'undo_email';

export const mailedTokenMs: Readonly<Record<TokenPurpose, number>> = {
  confirm_sign_up: dayMs,
  reset_password: hourMs,
  join_organization: 7 * dayMs,
  confirm_email: dayMs,
  undo_email: 7 * dayMs,
};

/** The secret of a link. Created when the mail is written, so that only the mail contains it. */
export async function createMailedToken(
  database: Database,
  purpose: TokenPurpose,
  subjectId: string,
  now: EpochMicroseconds,
): Promise<string> {
  const token = createSecretToken();
  await database
    .insertInto('identity.mailed_token')
    .values({
      hash: secretTokenHash(token),
      purpose,
      subject_id: subjectId,
      created_at: isoMicroseconds(now),
      expires_at: isoMicroseconds(addMs(now, mailedTokenMs[purpose])),
    })
    .execute();
  return token;
}

/** One conditional update decides. Returns the subject of the link, or null if the link is no longer valid. */
export async function useMailedToken(
  database: Database,
  purpose: TokenPurpose,
  token: string,
  now: EpochMicroseconds,
): Promise<string | null> {
  const at = isoMicroseconds(now);
  const row = await database
    .updateTable('identity.mailed_token')
    .set({ used_at: at })
    .where('hash', '=', secretTokenHash(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('subject_id')
    .executeTakeFirst();
  return row?.subject_id ?? null;
}

/** Whether a link is still valid, without using it: for pages that show a form first. */
export async function findMailedToken(
  database: Database,
  purpose: TokenPurpose,
  token: string,
  now: EpochMicroseconds,
): Promise<string | null> {
  const row = await database
    .selectFrom('identity.mailed_token')
    .select('subject_id')
    .where('hash', '=', secretTokenHash(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', isoMicroseconds(now))
    .executeTakeFirst();
  return row?.subject_id ?? null;
}

/** All other links of the same kind and subject. */
export async function voidMailedTokens(
  database: Database,
  purpose: TokenPurpose,
  subjectId: string,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.mailed_token')
    .set({ used_at: isoMicroseconds(now) })
    .where('subject_id', '=', subjectId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}
