import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import type { SessionId } from './session.ts';

/** What happens to an account that an intruder may have used, or that ends. */
export type AccountEvent =
  | 'password_change'
  /** A reset by mail with “revoke everything”. */
  | 'password_reset'
  | 'email_undo'
  /** Its owner, confirmed, ends everything on the security page. */
  | 'end_all'
  | 'removal_from_organization'
  | 'deletion';

/** `recent`: only where it is so new that an intruder may have made it. `others`: all but the session that asks. */
export type Effect = 'ends' | 'ends_others' | 'ends_recent' | { readonly stays: string };

export interface Ending {
  readonly accountId: AccountId;
  /** All that it belongs to, locked. */
  readonly organizationIds: readonly OrganizationId[];
  readonly event: AccountEvent;
  readonly client: Client;
  /** The session that asks, where it stays. */
  readonly keep: SessionId | null;
  /** One of them instead of all. */
  readonly only: string | null;
  /** Since when an intruder may have been in the account. */
  readonly suspectSince: EpochMicroseconds;
}

/** As the security page lists it. */
export interface HeldCredential {
  readonly id: string;
  readonly name: string;
  /** What limits it, in words. */
  readonly limit?: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** Where it comes from, where its table says so; otherwise the audit log is asked. */
  readonly origin: Origin | null;
}

export interface Origin {
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface Holder {
  readonly accountId: AccountId;
  readonly now: EpochMicroseconds;
  /** At most so many of a kind. */
  readonly limit: number;
}

/**
 * Something that acts as an account, or lets a person act later. Every feature that makes such things declares them, so
 * that no way of recovery can forget one.
 */
export interface CredentialKind {
  readonly name: string;
  /** Columns that say whose it is; a test compares them with the database. */
  readonly columns: readonly string[];
  readonly effects: Readonly<Record<AccountEvent, Effect>>;
  readonly list: (database: Database, holder: Holder) => Promise<readonly HeldCredential[]>;
  /** The page that ends one of them, if it does more than that; otherwise the security page ends it. */
  readonly endsOn?: string;
  readonly end: (transaction: Database, deps: RequestMailDeps, ending: Ending) => Promise<void>;
}

/** A second factor that is older than this when an account is recovered by mail is its owner's. */
const recentMs = 7 * dayMs;

export function suspectSince(now: EpochMicroseconds, attackedAt: EpochMicroseconds = now): EpochMicroseconds {
  const recent = now - BigInt(recentMs) * 1_000n;
  return (attackedAt < recent ? attackedAt : recent) as EpochMicroseconds;
}

/** Inside the caller's transaction, with the organizations and the account locked. */
export async function endCredentials(
  transaction: Database,
  deps: RequestMailDeps & { readonly credentialKinds: readonly CredentialKind[] },
  ending: Ending,
): Promise<void> {
  for (const { effects, end } of deps.credentialKinds) {
    if (typeof effects[ending.event] === 'string') await end(transaction, deps, ending);
  }
}
