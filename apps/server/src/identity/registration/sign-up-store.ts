import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { EmailAddress, NormalisedEmail } from '../../foundation/mail/email-address.ts';
import type { Username } from '../accounts/account.ts';

export interface SignUp {
  readonly id: Id<'sign-up'>;
  readonly username: Username;
  readonly email: EmailAddress;
  readonly name: string;
  readonly passwordHash: string;
}

export async function insertSignUp(
  database: Database,
  signUp: SignUp,
  createdAt: EpochMicroseconds,
): Promise<void> {
  await database
    .insertInto('identity.sign_up')
    .values({
      id: signUp.id,
      username: signUp.username,
      email: signUp.email.written,
      email_normalised: signUp.email.normalised,
      name: signUp.name,
      password_hash: signUp.passwordHash,
      created_at: isoMicroseconds(createdAt),
    })
    .execute();
}

export async function findSignUp(
  database: Database,
  id: string,
): Promise<{ readonly email: string; readonly username: string } | null> {
  const row = await database
    .selectFrom('identity.sign_up')
    .select(['email', 'username'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Completed or abandoned. */
export async function takeSignUp(database: Database, id: string): Promise<SignUp | null> {
  const row = await database
    .deleteFrom('identity.sign_up')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id as Id<'sign-up'>,
    username: row.username as Username,
    email: { written: row.email, normalised: row.email_normalised as NormalisedEmail },
    name: row.name,
    passwordHash: row.password_hash,
  };
}
