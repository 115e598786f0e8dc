import { dayMs } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';

export type SessionId = Id<'session'>;

export const accessTokenSeconds = 3600;
export const refreshTokenMs = 30 * dayMs;
/** A client may refresh twice concurrently; a later use of an old token may be theft. */
export const ownRaceMs = 10_000;

export type RevocationReason =
  | 'signed_out'
  | 'revoked_by_owner'
  | 'refresh_token_reused'
  | 'exchange_code_reused'
  | 'password_changed'
  | 'email_restored'
  | 'account_deletion'
  /** The database was restored from a backup. */
  | 'database_restored';
